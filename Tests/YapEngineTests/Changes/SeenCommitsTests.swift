import TestSupport
import Testing

@testable import YapEngine

/// The commits that the beginning of a long-lived read returns if the connection had no bookmark before.
@Suite struct SeenCommitsTests {
  private func set(_ count: Int, _ writer: YapDatabaseConnection) throws {
    for number in 0..<count { try writer.readWrite { try $0.setObject(bytes("\(number)"), forKey: "k") } }
  }

  private func begin(_ connection: YapDatabaseConnection) throws -> [UInt64] {
    try connection.beginLongLivedReadTransaction().flatMap { Array($0.snapshots) }
  }

  @Test func `the first beginning returns every commit since the connection was created`() throws {
    try withDatabase { database in
      let writer = try database.newConnection()
      try set(3, writer)
      let swept = try database.newConnection()
      let idle = try database.newConnection()
      for _ in 0..<4 {
        try set(5, writer)
        #expect(eventually { database.sweepIdleConnections() })
        #expect(swept.snapshot == database.snapshot)
      }
      try #expect(begin(swept) == Array(4...23))
      try #expect(begin(idle) == Array(4...23))
      try #expect(begin(idle) == [])
    }
  }

  @Test(arguments: [false, true])
  func `a beginning returns every commit since the end before it`(isSwept: Bool) throws {
    try withDatabase { database in
      let writer = try database.newConnection()
      let ui = try database.newConnection()
      try ui.beginLongLivedReadTransaction()
      try set(2, writer)
      try #expect(ui.endLongLivedReadTransaction()?.map(\.snapshot) == [1, 2])
      for _ in 0..<5 {
        try set(10, writer)
        if isSwept { #expect(eventually { database.sweepIdleConnections() }) }
      }
      try #expect(begin(ui) == Array(3...52))
    }
  }

  @Test func `commits before a transaction count as seen, and are not returned later`() throws {
    try withDatabase { database in
      let writer = try database.newConnection()
      let ui = try database.newConnection()
      let transactions: [() throws -> Void] = [
        { try ui.read { _ in } }, { try ui.readWrite { _ in } }, { try ui.readWrite { try $0.rollback() } },
        { try ui.incrementalVacuum() },
      ]
      for transaction in transactions {
        try set(2, writer)
        _ = database.sweepIdleConnections()
        try transaction()
        let seen = database.snapshot
        try set(3, writer)
        try #expect(begin(ui) == (1...3).map { seen + $0 })
        try ui.endLongLivedReadTransaction()
      }
    }
  }

  @Test func `commits that have yet to be returned keep no values and no snapshot`() throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectCodec = Instance.codec(Instance.self)
    options.defaultObjectPolicy = .share
    try withDatabase(options) { database in
      let writer = try database.newConnection(name: "writer")
      let idle = try database.newConnection(name: "idle")
      writer.objectCacheLimit = 1
      weak var stored: Instance?
      for number in 0..<20 {
        let instance = Instance("\(number)")
        if number == 0 { stored = instance }
        try writer.readWrite { try $0.setObject(instance, forKey: "\(number)") }
      }
      #expect(eventually { stored == nil })
      #expect(eventually { database.statistics.walBacklogFrames == 0 })
      #expect(eventually { database.sweepIdleConnections() })
      let found = try #require(database.statistics.connections.first { $0.name == "idle" })
      #expect(found.pinnedSnapshot == nil && found.pendingCommits == 0 && found.unseenCommits == 20)
      #expect((20 * Commit.bytes...20 * (Commit.bytes + CommitValues.bytes + 96)).contains(found.pendingBytes))
      try #expect(begin(idle) == Array(1...20))
      #expect(database.statistics.connections.first { $0.name == "idle" }?.pendingBytes == 0)
    }
  }

  @Test func `the commits that an idle connection has not seen become one`() throws {
    var options = YapDatabaseOptions.quick
    options.testHooks.unseenCommitLimit = 8
    try withDatabase(options) { database in
      let writer = try database.newConnection()
      let idle = try database.newConnection()
      for _ in 0..<20 {
        try set(5, writer)
        #expect(eventually { database.sweepIdleConnections() })
      }
      let jumped = try idle.beginLongLivedReadTransaction()
      #expect(jumped.flatMap { Array($0.snapshots) } == Array(1...100))
      #expect(jumped.first?.isFolded == true && jumped.count <= 9)
      #expect(idle.hasChange(forKey: "k", in: jumped) && !idle.hasChange(forKey: "other", in: jumped))
      // After a bookmark, commits are folded only on request.
      try set(100, writer)
      _ = database.sweepIdleConnections()
      try #expect(idle.beginLongLivedReadTransaction().allSatisfy { !$0.isFolded })
    }
  }
}
