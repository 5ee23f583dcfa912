import Foundation
import Glibc
import SQLiteBinding
import SeededRandom
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

@Suite struct HandlePoolTests {
  private func use(_ database: YapDatabase, _ count: Int) throws {
    let connections = try (0..<count).map { _ in try database.newConnection() }
    for connection in connections { try connection.read { _ = try $0.object(forKey: "k") } }
  }

  @Test func `handles are kept up to the limit, used again, and given up in time`() throws {
    try withDatabase { database in
      try database.newConnection().readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      try use(database, 12)
      // A connection ends where it is held last, which may be on another thread.
      #expect(eventually { database.statistics.connections.isEmpty && database.handles.count == 5 })
      var connection: YapDatabaseConnection? = try database.newConnection()
      #expect(database.handles.count == 4)
      let handle = try #require(connection?.handle)
      connection = nil
      #expect(eventually { database.handles.count == 5 })
      // The one that was given last is taken first.
      let next = try database.newConnection()
      #expect(next.handle === handle)
      // Its cache and its snapshot are its own: nothing of the last connection's.
      #expect(next.caches.objects.count == 0 && next.snapshot == 1)
      database.handles.dropExpired(at: MonotonicClock.now)
      #expect(database.handles.count == 4)
      database.handles.dropExpired(at: MonotonicClock.now + 91_000_000_000)
      #expect(database.handles.count == 0)
    }
  }

  @Test func `only a handle at rest is kept`() throws {
    try withDatabase { database in
      try database.newConnection().readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      #expect(eventually { database.handles.count == 1 })
      database.handles.dropExpired(at: .max)
      do {
        // A bookmark is let go, and then the handle is at rest.
        let connection = try database.newConnection()
        try connection.beginLongLivedReadTransaction()
      }
      #expect(eventually { database.handles.count == 1 })
      database.handles.dropExpired(at: .max)
      var statement: SQLiteStatement?
      do {
        // A statement that somebody forgot would pin the WAL for whoever comes next.
        let connection = try database.newConnection()
        statement = try connection.handle.sqlite.prepare("SELECT key FROM data")
        _ = try statement?.step()
      }
      #expect(eventually { database.statistics.connections.isEmpty })
      #expect(database.handles.count == 0)
      statement = nil
    }
  }

  @Test func `a limit of none keeps none`() throws {
    var options = YapDatabaseOptions.quick
    options.handlePoolLimit = 0
    try withDatabase(options) { database in
      try use(database, 3)
      #expect(eventually { database.statistics.connections.isEmpty })
      #expect(database.handles.count == 0)
    }
  }

  /// Connections come and go on many threads, some in a long-lived read, some with work under way, while others commit.
  /// In a process of its own, whose open files are the engine's.
  @Test func `connections may come and go by the thousand`() async {
    await #expect(processExitsWith: .success) {
      reported { try withDatabase { try HandlePoolTests.churn($0, rounds: TestScale.count(600)) } }
    }
  }

  /// For the night.
  @Test(.enabled(if: Nightly.minutes != nil))
  func `connections may come and go by the hundred thousand`() async {
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
        for round in 0..<rounds {
          if round == rounds / 5 { earlyBytes.withLock { $0 = max($0, residentBytes()) } }
          let connection = try database.newConnection()
          switch generator.below(4) {
          case 0: try connection.beginLongLivedReadTransaction()
          case 1: connection.asyncRead({ _ = try $0.object(forKey: "k") })
          case 2: try connection.readWrite { try $0.setObject(bytes("2"), forKey: "k") }
          default: try connection.read { try Discrepancy.check($0.hasObject(forKey: "k"), true, "the row") }
          }
          if generator.chance(oneIn: 20) {
            let count = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            most.withLock { $0 = max($0, count) }
          }
        }
      }
    }
    if let found = crew.run() { throw found }
    guard eventually({ database.statistics.connections.map(\.name) == ["writer"] }) else {
      throw Discrepancy("connections are left: \(database.statistics.connections.map(\.name))")
    }
    // Nothing is pinned any more: all of the WAL can be copied, and is used again.
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
    // 600 bytes for each connection of a hundred thousand.
    if grown > 48 << 20 { throw Discrepancy("memory grew by \(grown) bytes") }
    // Each connection has two or three files open; four threads, their jobs, five in the pool.
    let files = most.withLock { $0 }
    if files > 120 { throw Discrepancy("\(files) files were open at once") }
    try database.close()
    let left = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
    }
    .filter { $0.contains("test.sqlite") }
    try Discrepancy.check(left, [], "files that are open after closing")
  }

  /// What the process has in memory: the second number of statm, in pages.
  private static func residentBytes() -> Int {
    let numbers = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
    return (numbers.count > 1 ? Int(numbers[1]) ?? 0 : 0) * sysconf(Int32(_SC_PAGESIZE))
  }
}
