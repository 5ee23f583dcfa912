import Dispatch
import Foundation
import Glibc
import HarnessPrimitives
import SQLiteBinding
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

@Suite struct HandlePoolTests {
  private func use(_ database: YapDatabase, _ count: Int) throws {
    let connections = try (0..<count).map { _ in try database.newConnection() }
    for connection in connections { try connection.read { _ = try $0.object(forKey: "k") } }
  }

  @Test func `handles are kept up to the limit, reused, and closed when they expire`() throws {
    try withDatabase { database in
      try database.newConnection().readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      try use(database, 12)
      // The last reference of a connection may be released on another thread.
      #expect(eventually { database.statistics.connections.isEmpty && database.handles.count == 5 })
      var connection: YapDatabaseConnection? = try database.newConnection()
      #expect(database.handles.count == 4)
      let handle = try #require(connection?.handle)
      connection = nil
      #expect(eventually { database.handles.count == 5 })
      // The handle that was returned last is taken first.
      let next = try database.newConnection()
      #expect(next.handle === handle)
      // Cache and snapshot do not come from the previous connection.
      #expect(next.caches.objects.count == 0 && next.snapshot == 1)
      database.handles.dropExpired(at: MonotonicClock.now)
      #expect(database.handles.count == 4)
      database.handles.dropExpired(at: MonotonicClock.now + 91_000_000_000)
      #expect(database.handles.count == 0)
    }
  }

  @Test func `only an idle handle is kept`() throws {
    try withDatabase { database in
      try database.newConnection().readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      #expect(eventually { database.handles.count == 1 })
      database.handles.dropExpired(at: .max)
      do {
        // The bookmark is unpinned, so the handle is idle.
        let connection = try database.newConnection()
        try connection.beginLongLivedReadTransaction()
      }
      #expect(eventually { database.handles.count == 1 })
      database.handles.dropExpired(at: .max)
      var statement: SQLiteStatement?
      do {
        // A statement that was not reset would pin the WAL for the next connection.
        let connection = try database.newConnection()
        statement = try connection.handle.sqlite.prepare("SELECT key FROM data")
        _ = try statement?.step()
      }
      #expect(eventually { database.statistics.connections.isEmpty })
      #expect(database.handles.count == 0)
      statement = nil
    }
  }

  @Test func `a limit of 0 keeps no handle`() throws {
    var options = YapDatabaseOptions.quick
    options.handlePoolLimit = 0
    try withDatabase(options) { database in
      try use(database, 3)
      #expect(eventually { database.statistics.connections.isEmpty })
      #expect(database.handles.count == 0)
    }
  }

  /// Many threads open and close connections, some in a long-lived read, some with queued work, while others commit.
  /// The test runs in a process of its own, so that all open files are the engine's.
  @Test func `thousands of connections may open and close`() async {
    await #expect(processExitsWith: .success) {
      reported { try withDatabase { try HandlePoolTests.churn($0, rounds: TestScale.count(600)) } }
    }
  }

  /// For `Scripts/nightly`.
  @Test(.enabled(if: Nightly.minutes != nil))
  func `hundreds of thousands of connections may open and close`() async {
    await #expect(processExitsWith: .success) {
      reported { try withDatabase { try HandlePoolTests.churn($0, rounds: 25_000) } }
    }
  }

  private static func churn(_ database: YapDatabase, rounds: Int) throws {
    let writer = try database.newConnection(name: "writer")
    let seed = Seed.announce(for: "HandlePoolTests")
    try writer.readWrite { try $0.setObject(bytes("1"), forKey: "k") }
    let most = Guarded(0)
    let earlyBytes = Guarded(0)
    let began = MonotonicClock.now
    let crew = Crew()
    for thread in 0..<4 {
      try crew.add("thread \(thread)") {
        var generator = RandomStream(seed: seed &+ UInt64(thread))
        // Each pending call keeps its connection open.
        let pending = DispatchSemaphore(value: 3)
        for round in 0..<rounds {
          if round == rounds / 5 { earlyBytes.withLock { $0 = max($0, residentBytes()) } }
          let connection = try database.newConnection()
          switch generator.below(4) {
          case 0: try connection.beginLongLivedReadTransaction()
          case 1:
            pending.wait()
            connection.asyncRead({
              defer { pending.signal() }
              _ = try $0.object(forKey: "k")
            })
          case 2: try connection.readWrite { try $0.setObject(bytes("2"), forKey: "k") }
          default: try connection.read { try Discrepancy.check($0.hasObject(forKey: "k"), true, "the row") }
          }
          if generator.chance(oneIn: 20) {
            let count = try openFiles().count
            most.withLock { $0 = max($0, count) }
          }
        }
      }
    }
    if let found = crew.run() { throw found }
    guard eventually({ database.statistics.connections.map(\.name) == ["writer"] }) else {
      throw Discrepancy("connections are left: \(database.statistics.connections.map(\.name))")
    }
    // Nothing is pinned, so the whole WAL can be copied and reused.
    try writer.readWrite { try $0.setObject(bytes("3"), forKey: "k") }
    guard eventually({ database.statistics.walBacklogFrames == 0 }) else { throw Discrepancy("the WAL is pinned") }
    let restarts = database.statistics.walRestarts
    let isAnew = try eventually {
      try writer.readWrite { try $0.setObject(bytes("3"), forKey: "k") }
      return database.statistics.walRestarts > restarts
    }
    if !isAnew { throw Discrepancy("the WAL does not begin anew") }
    let grown = residentBytes() - earlyBytes.withLock { $0 }
    Nightly.tell("\(4 * rounds) connections: \((MonotonicClock.now - began) / 1_000_000) ms, \(grown / 1_024) KiB more")
    // About 500 bytes for each of 100,000 connections.
    if grown > 48 << 20 { throw Discrepancy("memory grew by \(grown) bytes") }
    // Each connection has two or three open files. There are four threads, each with at most three pending calls, and
    // five handles in the pool.
    let files = most.withLock { $0 }
    if files > 120 { throw Discrepancy("\(files) files were open at once") }
    try database.close()
    try Discrepancy.check(openFiles(), [], "files that are open after closing")
  }

  /// The open files of the database. The process has inherited others from the tests beside it.
  private static func openFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
    }
    .filter { $0.contains("test.sqlite") }
  }

  /// The resident memory of the process: the second number of statm, which is in pages.
  private static func residentBytes() -> Int {
    let numbers = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
    return (numbers.count > 1 ? Int(numbers[1]) ?? 0 : 0) * sysconf(Int32(_SC_PAGESIZE))
  }
}
