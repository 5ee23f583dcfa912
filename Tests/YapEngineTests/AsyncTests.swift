import Dispatch
import Foundation
import TestSupport
import Testing

@testable import YapEngine

@Suite struct AsyncTests {
  private static let marker = DispatchSpecificKey<String>()

  private func markedQueue(_ name: String) -> DispatchQueue {
    let queue = DispatchQueue(label: name)
    queue.setSpecific(key: Self.marker, value: name)
    return queue
  }

  @Test func `queued transactions of one connection run in the order of the calls`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      let order = SharedList<Int>()
      for index in 0..<50 {
        if index % 2 == 0 {
          connection.asyncReadWrite { transaction in
            order.append(index)
            try transaction.setObject(bytes("\(index)"), forKey: "k")
          }
        } else {
          connection.asyncRead { transaction in
            order.append(index)
            try #expect(transaction.object(forKey: "k") as? [UInt8] == bytes("\(index - 1)"))
          }
        }
      }
      // A synchronous call is queued after them.
      try connection.read { transaction in
        #expect(order.all == Array(0..<50))
        #expect(transaction.snapshot == 25)
      }
    }
  }

  @Test func `a completion runs once, on its queue, with the outcome, and sees the commit`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      let other = try database.newConnection()
      let queue = markedQueue("completions")
      let outcomes = SharedList<String>()
      let blocks: [@Sendable (YapDatabaseReadWriteTransaction) throws -> Void] = [
        { try $0.setObject(bytes("1"), forKey: "k") },
        { _ in },
        {
          try $0.setObject(bytes("2"), forKey: "k")
          try $0.rollback()
        },
        {
          try $0.setObject(bytes("3"), forKey: "k")
          throw Deliberate()
        },
        { try $0.touchRow(forKey: "k") },
      ]
      for block in blocks {
        connection.asyncReadWrite(block, completionQueue: queue) { outcome in
          let place = DispatchQueue.getSpecific(key: Self.marker) ?? "elsewhere"
          switch outcome {
          case .committed(let snapshot):
            let seen = try? other.read {
              try $0.object(forKey: "k") as? [UInt8] == bytes("1") && $0.snapshot >= snapshot
            }
            outcomes.append("\(place): committed \(snapshot), seen \(seen == true)")
          case .noChanges: outcomes.append("\(place): nothing")
          case .rolledBack: outcomes.append("\(place): rolled back")
          case .failed(let error): outcomes.append("\(place): \(error is Deliberate ? "failed" : "\(error)")")
          }
        }
      }
      #expect(eventually { outcomes.all.count >= blocks.count })
      #expect(
        outcomes.all == [
          "completions: committed 1, seen true", "completions: nothing", "completions: rolled back",
          "completions: failed", "completions: committed 2, seen true",
        ]
      )
    }
  }

  @Test func `the completion of a queued read receives the error that its block threw`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      let errors = SharedList<Bool>()
      connection.asyncRead({ _ in throw Deliberate() }, completion: { errors.append($0 is Deliberate) })
      connection.asyncRead({ _ in }, completion: { errors.append($0 == nil) })
      #expect(eventually { errors.all.count == 2 })
      #expect(errors.all == [true, true])
    }
  }

  @Test func `a task awaits a transaction's result, or its error`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let database = try YapDatabase(path: folder.path + "/test.sqlite", options: .quick)
    let connection = try database.newConnection()
    let number = try await connection.readWrite { transaction in
      try transaction.setObject(bytes("1"), forKey: "k")
      return transaction.snapshot
    }
    #expect(number == 1)
    let found = try await connection.read { try $0.object(forKey: "k") as? [UInt8] }
    #expect(found == bytes("1"))
    await #expect(throws: Deliberate()) {
      try await connection.readWrite { transaction in
        try transaction.removeAllObjects()
        throw Deliberate()
      }
    }
    await #expect(throws: Deliberate()) { try await connection.read { _ in throw Deliberate() } }
    // There are more tasks than threads in the cooperative pool, so tasks must wait without blocking a thread.
    let counts = try await withThrowingTaskGroup(of: UInt64.self) { group in
      for index in 0..<32 {
        group.addTask {
          try await connection.readWrite { transaction in
            try transaction.setObject(bytes("\(index)"), forKey: "task \(index)")
            return transaction.snapshot
          }
        }
      }
      return try await group.reduce(into: Set<UInt64>()) { $0.insert($1) }
    }
    #expect(counts == Set(2...33))
    try database.close()
  }

  // MARK: Notifications

  @Test func `each commit is notified once, in order, on the given queue`() throws {
    var options = YapDatabaseOptions.quick
    let queue = markedQueue("notifications")
    options.notificationQueue = queue
    try withDatabase(options) { database in
      let listener = Listener(database)
      let places = SharedList<String>()
      let center = NotificationCenter.default
      let token = center.addObserver(forName: .YapDatabaseModified, object: database, queue: nil) { _ in
        places.append(DispatchQueue.getSpecific(key: Self.marker) ?? "elsewhere")
      }
      let connections = try (0..<3).map { _ in try database.newConnection() }
      for index in 0..<60 {
        try connections[index % 3].readWrite { transaction in
          if index % 4 == 3 { return try transaction.setCustomObject(index) }
          try transaction.setObject(bytes("\(index)"), forKey: "k\(index % 4)")
        }
        try connections[index % 3].readWrite { _ in }
      }
      #expect(eventually { listener.told.all.count >= 60 })
      queue.sync {}
      #expect(listener.told.all.map(\.snapshot) == Array(1...60))
      #expect(listener.told.all.enumerated().allSatisfy { $1.customObject as? Int == ($0 % 4 == 3 ? $0 : nil) })
      #expect(Set(places.all) == ["notifications"])
      let last = try #require(listener.told.all.last { $0.customObject == nil })
      #expect(connections[0].hasChange(forKey: "k2", in: [last]))
      center.removeObserver(token)
    }
  }

  @Test func `commits continue while the queue is blocked, and one job is queued for all of them`() throws {
    var options = YapDatabaseOptions.quick
    let queue = DispatchQueue(label: "blocked")
    options.notificationQueue = queue
    try withDatabase(options) { database in
      let listener = Listener(database)
      let connection = try database.newConnection()
      queue.suspend()
      for _ in 0..<20 { try connection.readWrite { try $0.setObject(bytes("x"), forKey: "k") } }
      #expect(listener.told.all.isEmpty)
      queue.resume()
      #expect(eventually { listener.told.all.count == 20 })
      #expect(listener.told.all.map(\.snapshot) == Array(1...20))
    }
  }
}
