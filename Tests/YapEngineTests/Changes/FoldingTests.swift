import Glibc
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// The memory of the commits behind a bookmark, and folding, which bounds it.
@Suite struct FoldingTests {
  private func folding(_ limit: Int?) -> YapDatabaseOptions {
    var options = YapDatabaseOptions.quick
    options.bookmarkCommitLimit = limit
    return options
  }

  private func withTwo(
    _ options: YapDatabaseOptions,
    _ body: (YapDatabase, YapDatabaseConnection, YapDatabaseConnection) throws -> Void
  ) throws {
    try withDatabase(options) { database in
      let writer = try database.newConnection(name: "writer")
      let ui = try database.newConnection(name: "ui")
      try ui.beginLongLivedReadTransaction()
      try body(database, writer, ui)
    }
  }

  private func set(_ key: String, _ connection: YapDatabaseConnection, in collection: String = "") throws {
    try connection.readWrite { try $0.setObject(bytes("v"), forKey: key, inCollection: collection) }
  }

  private func statistics(of name: String, _ database: YapDatabase) throws -> YapDatabaseStatistics.Connection {
    try #require(database.statistics.connections.first { $0.name == name })
  }

  // MARK: Memory

  @Test func `a commit of one row takes at most 120 bytes, and the same change is kept once`() throws {
    try withTwo(folding(nil)) { database, writer, ui in
      for number in 0..<300 { try set("key \(number % 3)", writer) }
      let usableSize = try #require(dlsym(nil, "malloc_usable_size"))
      let allocated = unsafeBitCast(usableSize, to: (@convention(c) (UnsafeMutableRawPointer?) -> Int).self)
      var sizes: [Int] = []
      var rows: Set<ObjectIdentifier> = []
      var current = ui.follower.commit.next
      while let commit = current {
        sizes.append(allocated(Unmanaged.passUnretained(commit).toOpaque()))
        guard case .rows(let row) = commit.changes else { throw Discrepancy("commit \(commit.snapshot) is no row") }
        rows.insert(ObjectIdentifier(row.storage))
        current = commit.next
      }
      // An allocator sometimes returns a larger free block.
      #expect(sizes.sorted()[sizes.count / 2] <= Commit.bytes)
      // Each key was inserted once and changed later.
      #expect(rows.count == 6)
      try #expect(statistics(of: "ui", database).pendingBytes == 300 * 96 + 6 * 96)
    }
  }

  @Test(arguments: [2, 10, ChangedRows.most])
  func `the rows of a small commit take one allocation besides the commit`(_ count: Int) throws {
    try withTwo(folding(nil)) { database, writer, _ in
      let allocated = Allocation.bytes(56 + 32 * count)
      for number in 1...3 {
        try writer.readWrite { transaction in
          for key in 0..<count { try transaction.setObject(bytes("\(number)"), forKey: "\(key)") }
        }
        try #expect(statistics(of: "ui", database).pendingBytes == number * (96 + allocated))
      }
    }
  }

  @Test func `the size classes agree with the allocator`() {
    #expect([1, 16, 17, 112, 113, 128].map(Allocation.bytes) == [16, 16, 32, 112, 128, 128])
    #expect([129, 160, 161, 257, 320, 1_025].map(Allocation.bytes) == [160, 160, 192, 320, 320, 1_280])
  }

  @Test func `behind a bookmark that folds, memory is bounded`() throws {
    try withTwo(folding(10)) { database, writer, ui in
      for number in 0..<500 {
        try set("\(number % 7)", writer)
        if number % 10 == 9 { #expect(eventually { self.isFolded(ui, database) }) }
      }
      let held = try statistics(of: "ui", database)
      #expect(held.pendingCommits == 500 && held.unseenCommits == 500)
      #expect(held.pendingBytes < 12 * 96 + 2_500)
      #expect(ui.lane.withLane { waiting(behind: ui) } <= 11)
      // The pin is unchanged, and its age is that of the first commit after it.
      #expect(held.pinnedSnapshot == 0 && held.isInLongLivedRead && held.snapshotAgeNanoseconds > 0)
      #expect(database.statistics.walPinnedBy?.name == "ui")
      try #expect(ui.read { try $0.numberOfKeysInAllCollections() } == 0)
      let jumped = try ui.beginLongLivedReadTransaction()
      #expect(jumped.flatMap { Array($0.snapshots) } == Array(1...500))
      #expect(jumped.map(\.isFolded) == [true] + jumped.dropFirst().map { _ in false })
      #expect(ui.hasChange(forAnyKeys: ["6"], in: jumped) && !ui.hasChange(forKey: "7", in: jumped))
      try #expect(ui.read { try $0.numberOfKeysInAllCollections() } == 7)
      try #expect(statistics(of: "ui", database).pendingBytes == 0)
      #expect(eventually { database.statistics.walBacklogFrames == 0 })
    }
  }

  /// Sweeps, and returns whether the connection's commits are folded. A sweep skips a connection that another one uses.
  private func isFolded(_ connection: YapDatabaseConnection, _ database: YapDatabase) -> Bool {
    _ = database.sweepIdleConnections()
    return connection.lane.withLane { waiting(behind: connection) } <= 11
  }

  /// The number of pending commits, where a folded list counts as one. The connection's lane must be held.
  private func waiting(behind connection: YapDatabaseConnection) -> Int {
    var count = 0
    var current = connection.follower.commit.next
    while let commit = current {
      count += 1
      current = commit.next
    }
    return count
  }

  @Test func `a connection that reads without a pause folds at the end of a read`() throws {
    try withTwo(folding(4)) { database, writer, ui in
      try ui.read { _ in
        for number in 0..<50 { try set("\(number % 2)", writer) }
        _ = database.sweepIdleConnections()
        #expect(ui.follower.commit.next?.changes.foldedFrom == nil)
      }
      #expect(ui.lane.withLane { ui.follower.commit.next?.changes.foldedFrom } == 1)
      try #expect(ui.beginLongLivedReadTransaction().first?.snapshots == 1...47)
    }
  }

  // MARK: Answers

  @Test func `folded commits give the same answers as single commits`() throws {
    try withTwo(folding(nil)) { database, writer, ui in
      try set("gone", writer, in: "cleared")
      try set("kept", writer, in: "cleared")
      try writer.readWrite { try $0.removeAllObjects(inCollection: "cleared") }
      try set("after", writer, in: "cleared")
      try writer.readWrite { try $0.touchMetadata(forKey: "after", inCollection: "cleared") }
      try set("a", writer)
      try writer.readWrite { try $0.removeObject(forKey: "a") }
      try writer.readWrite { transaction in
        try transaction.setObject(bytes("1"), forKey: "b", inCollection: "two")
        try transaction.setObject(bytes("1"), forKey: "c", inCollection: "two")
        try transaction.setCustomObject("first")
      }
      try writer.readWrite { try $0.setCustomObject("last") }
      try set("z", writer)
      let folded = try #require(ui.follower.shown.folded(upTo: database.registry.withLock { $0.newest }, limit: 1))
      let one = YapDatabaseModification(commit: try #require(folded.next))
      let all = try ui.beginLongLivedReadTransaction().dropLast()
      #expect(one.snapshots == 1...9 && all.count == 9 && one.isFolded && one.customObject as? String == "last")
      for collection in ["", "cleared", "two", "none"] {
        #expect(answers(ui, [one], collection) == answers(ui, Array(all), collection))
      }
      #expect(changedKeys(ui, [one]) == changedKeys(ui, Array(all)))
    }
  }

  private func answers(
    _ ui: YapDatabaseConnection,
    _ list: [YapDatabaseModification],
    _ collection: String
  ) -> [Bool] {
    let keys = ["gone", "kept", "after", "a", "b", "c", "z", "never"]
    return [
      ui.hasChange(forCollection: collection, in: list), ui.hasObjectChange(forCollection: collection, in: list),
      ui.hasMetadataChange(forCollection: collection, in: list), ui.didClearCollection(collection, in: list),
      ui.didClearAllCollections(in: list), ui.hasChange(forAnyKeys: keys, inCollection: collection, in: list),
    ]
      + keys.flatMap { key in
        [
          ui.hasChange(forKey: key, inCollection: collection, in: list),
          ui.hasObjectChange(forKey: key, inCollection: collection, in: list),
          ui.hasMetadataChange(forKey: key, inCollection: collection, in: list),
        ]
      }
  }

  private func changedKeys(_ ui: YapDatabaseConnection, _ list: [YapDatabaseModification]) -> Set<String> {
    var keys: Set<String> = []
    ui.enumerateChangedCollectionKeys(in: list) { collection, key, _ in keys.insert(collection + "/" + key) }
    return keys
  }

  @Test func `a row that was inserted and removed in folded commits has changed its group`() throws {
    try withDatabase(folding(1)) { database in
      let writer = try database.newConnection()
      try database.register(ViewSamples.byBytes(), withName: "view")
      let ui = try database.newConnection()
      try ui.beginLongLivedReadTransaction()
      try set("a", writer)
      let group = try writer.read { try ($0.ext("view") as? YapDatabaseViewTransaction)?.allGroups().first }
      try writer.readWrite { try $0.removeObject(forKey: "a") }
      try set("b", writer, in: "another")
      try writer.readWrite { try $0.removeObject(forKey: "b", inCollection: "another") }
      #expect(
        eventually {
          self.isFolded(ui, database) && ui.lane.withLane { ui.follower.commit.next?.changes.foldedFrom != nil }
        }
      )
      let jumped = try ui.beginLongLivedReadTransaction()
      #expect(jumped[0].isFolded)
      #expect(ui.hasChange(forView: "view", in: [jumped[0]]))
      try #expect(ui.hasChange(forGroup: #require(group), inView: "view", in: [jumped[0]]))
    }
  }

  @Test func `connections with the same last snapshot share a folded list`() throws {
    try withTwo(folding(nil)) { database, writer, ui in
      for number in 0..<10 { try set("\(number)", writer) }
      var lists = FoldedLists(upTo: database.registry.withLock { $0.newest })
      let copies = [4, 4, 10, 5].map { lists.list(after: ui.follower.shown, limit: $0) }
      #expect(copies[0]?.next?.changes.foldedFrom == 1 && copies[0]?.next?.snapshot == 7)
      #expect(copies[1] === copies[0])
      #expect(copies[2] == nil)
      #expect(copies[3] !== copies[0])
    }
  }

  @Test func `a limit below one is rejected`() {
    #expect(code { try withDatabase(folding(0)) { _ in } } == .invalidArgument)
  }
}
