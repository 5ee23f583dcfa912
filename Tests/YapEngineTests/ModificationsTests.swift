import Foundation
import TestSupport
import Testing

@testable import YapEngine

@Suite(.timeLimit(.minutes(20))) struct ModificationsTests {
  private func opened() throws -> (YapDatabase, TemporaryFolder) {
    let folder = try TemporaryFolder()
    return (try YapDatabase(path: folder.path + "/test.sqlite", options: .quick), folder)
  }

  @Test
  func `every task that listens receives each commit of all connections once and in order, until the end`() async throws
  {
    let (database, folder) = try opened()
    defer { withExtendedLifetime(folder) {} }
    let commits = UInt64(TestScale.count(2_000))
    let connections = try (0..<2).map { _ in try database.newConnection() }
    let told = try await withThrowingTaskGroup(of: [UInt64].self) { group in
      for index in 0..<4 {
        let modifications = database.modifications
        group.addTask {
          var told: [UInt64] = []
          for await modification in modifications {
            told.append(modification.snapshot)
            if index == 3 { await Task.yield() }
            if modification.snapshot == commits { break }
          }
          return told
        }
      }
      for number in 1...commits {
        try await connections[Int(number % 2)].readWrite { try $0.setObject(bytes("\(number)"), forKey: "k") }
        // Lets the listeners sometimes wait and be woken.
        if number % 16 == 0 { await Task.yield() }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(told.count == 4)
    #expect(told.allSatisfy { $0 == Array(1...commits) })
    try database.close()
  }

  @Test func `each iteration of a sequence starts at the commit after its request`() async throws {
    let (database, folder) = try opened()
    defer { withExtendedLifetime(folder) {} }
    let connection = try database.newConnection()
    try await connection.readWrite { try $0.setObject(bytes("0"), forKey: "before") }
    let modifications = database.modifications
    for number in 2...4 {
      try await connection.readWrite { transaction in
        try transaction.setObject(bytes("\(number)"), forKey: "k\(number)")
        try transaction.setCustomObject(number)
      }
    }
    try await connection.readWrite { _ in }
    for _ in 0..<2 {
      var iterator = modifications.makeAsyncIterator()
      for number in 2...4 {
        let modification = try #require(await iterator.next())
        #expect(modification.snapshot == UInt64(number))
        #expect(modification.customObject as? Int == number)
        #expect(connection.hasChange(forKey: "k\(number)", in: [modification]))
        #expect(!connection.hasChange(forKey: "before", in: [modification]))
      }
    }
    try database.close()
    // Commits before the close are delivered before the sequence ends.
    #expect(await modifications.reduce(into: []) { $0.append($1.snapshot) } == [2, 3, 4])
  }

  @Test func `a waiting task is woken when the database closes, and when the task is cancelled`() async throws {
    let (database, folder) = try opened()
    defer { withExtendedLifetime(folder) {} }
    let modifications = database.modifications
    let listeners = (0..<8).map { _ in
      Task { await modifications.reduce(into: 0) { count, _ in count += 1 } }
    }
    for listener in listeners.prefix(4) { listener.cancel() }
    for listener in listeners.prefix(4) { #expect(await listener.value == 0) }
    let connection = try database.newConnection()
    try await connection.readWrite { try $0.setObject(bytes("1"), forKey: "k") }
    try database.close()
    for listener in listeners.suffix(4) { #expect(await listener.value == 1) }
  }

  @Test func `a listener does not keep the database open`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    var database: YapDatabase? = try YapDatabase(path: folder.path + "/test.sqlite", options: .quick)
    let modifications = try #require(database?.modifications)
    let listener = Task { await modifications.reduce(into: 0) { count, _ in count += 1 } }
    database = nil
    #expect(await listener.value == 0)
  }
}
