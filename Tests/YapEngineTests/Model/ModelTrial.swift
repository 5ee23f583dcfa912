import HarnessPrimitives
import SQLiteBinding
import TestSupport

@testable import YapEngine

/// Random steps of several connections, one after the other, each compared with a model that has every snapshot. In
/// some steps several connections write in a joint commit.
///
/// The trial checks for any mix of caches, bookmarks, rollbacks and clearings that every read is from exactly the
/// snapshot of its transaction, and that every jump returns exactly the commits of other connections in between. It
/// does not check interleavings inside a transaction, which other tests force at named points.
final class ModelTrial {
  /// A connection and its state in the model.
  struct Follower {
    let connection: YapDatabaseConnection
    /// The state that its long-lived read sees; nil outside a long-lived read.
    var bookmark: ModelState?
    /// The last snapshot that the connection's client saw.
    var told: UInt64
  }

  struct Activity {
    /// Entries of caches: updated by a commit's values, copied, and dropped.
    var updated = 0, copied = 0, dropped = 0
    var givenUpBytes = 0
    /// Joint commits that failed, and the transactions that waited for a joint commit.
    var lost = 0, joined = 0
    var folded = 0
  }

  struct Deliberate: Error {}

  private let path: String
  private let options: YapDatabaseOptions
  private let answers: Answers
  let fault = CommitFault()
  private let joined = SharedList<Void>()
  var random: RandomStream
  var database: YapDatabase
  var followers: [Follower] = []
  /// The newest state, and all commits from number 1 on.
  var state = ModelState()
  var commits: [ModelCommit] = []
  var lastValue: UInt32 = 0
  var operationCount = 0

  /// Counts of what must occur in histories, so that a test can check that they cause it.
  var activity = Activity()

  var newest: UInt64 { UInt64(commits.count) }

  init(path: String, options: YapDatabaseOptions, seed: UInt64, answers: Answers = Answers()) throws {
    self.path = path
    self.answers = answers
    var options = options
    options.testHooks.joinsAlways = true
    fault.install(&options)
    options.testHooks.onReach = { [joined] point, _ in
      if point == .transactionJoined { joined.append(()) }
    }
    self.options = options
    random = RandomStream(seed: seed)
    database = try YapDatabase(path: path, options: options)
  }

  /// - Parameter operations: The number of reads, changes and moves of bookmarks.
  /// - Returns: The first difference between the engine and the model.
  func run(operations: Int) -> Discrepancy? {
    let found = Discrepancy.first {
      var rounds = 1
      while operationCount < operations {
        try step()
        if operationCount * 4 > rounds * operations {
          rounds += 1
          try reopen()
        }
      }
      try reopen()
      try database.close()
    }
    return found.map { Discrepancy("after \(operationCount) operations: \($0)") }
  }

  private func step() throws {
    operationCount += 1
    guard !followers.isEmpty else { return try connect() }
    let place = random.below(followers.count)
    switch random.below(42) {
    case 40...41: _ = database.sweepIdleConnections()
    case 0: if followers.count < 6 { try connect() }
    case 1: if followers.count > 2 { followers.remove(at: place) }
    case 2...3: changeSettings(place)
    case 4...7: try moveBookmark(place)
    case 8...9: try endBookmark(place)
    case 10...20: try write(place)
    case 21: try writeTogether()
    default: try read(place)
    }
  }

  private func connect() throws {
    followers.append(Follower(connection: try database.newConnection(), bookmark: nil, told: newest))
  }

  private func changeSettings(_ place: Int) {
    let connection = followers[place].connection
    let limits = [0, 1, 2, 10, 250]
    let policies: [YapDatabasePolicy?] = [nil, .containment, .share, .copy]
    switch random.below(8) {
    case 0: connection.objectCacheEnabled.toggle()
    case 1: connection.metadataCacheEnabled.toggle()
    case 2...3: connection.objectCacheLimit = limits[random.below(limits.count)]
    case 4: connection.metadataCacheLimit = limits[random.below(limits.count)]
    case 5: connection.objectPolicy = policies[random.below(policies.count)]
    case 6: connection.metadataPolicy = policies[random.below(policies.count)]
    default: connection.refusesToEndLongLivedReadImplicitly.toggle()
    }
  }

  // MARK: Reading

  private func read(_ place: Int) throws {
    let seen = followers[place].bookmark ?? state
    let snapshot = followers[place].bookmark == nil ? newest : followers[place].told
    let count = 1 + random.below(8)
    try followers[place].connection.read { transaction in
      try Discrepancy.check(answers.snapshot(transaction.snapshot), snapshot, "snapshot of a read")
      let reads = ModelReads(transaction: transaction, state: seen, answers: answers)
      for _ in 0..<count { try reads.check(&random) }
      try CacheCoherence(transaction: transaction).check()
    }
    operationCount += count
    followers[place].told = snapshot
    try Discrepancy.check(followers[place].connection.snapshot, snapshot, "snapshot of a connection after a read")
  }

  private func moveBookmark(_ place: Int) throws {
    let jumped = answers.jumped(try followers[place].connection.beginLongLivedReadTransaction())
    try check(jumped, place)
    followers[place].bookmark = state
    try Discrepancy.check(followers[place].connection.isInLongLivedReadTransaction, true, "in a long-lived read")
  }

  private func endBookmark(_ place: Int) throws {
    let jumped = answers.missed(try followers[place].connection.endLongLivedReadTransaction())
    try Discrepancy.check(jumped != nil, followers[place].bookmark != nil, "a long-lived read to end")
    guard let jumped else { return }
    try check(jumped, place)
    followers[place].bookmark = nil
  }

  /// Checks that a jump returned the commits from the last snapshot that the client saw up to the newest, each once and
  /// in order, whatever the sweep of idle connections did. Only the oldest may be folded, and only if the options
  /// request it.
  private func check(_ jumped: [YapDatabaseModification], _ place: Int) throws {
    let connection = followers[place].connection
    let expected = (followers[place].told..<newest).map { $0 + 1 }
    try Discrepancy.check(jumped.flatMap { Array($0.snapshots) }, expected, "commits that a jump returned")
    try Discrepancy.check(
      expected.contains { commits[Int($0) - 1].origin == connection.id.number },
      false,
      "a connection's own commits since its client last saw a snapshot"
    )
    try Discrepancy.check(jumped.dropFirst().contains(where: \.isFolded), false, "later commits that are folded")
    if jumped.first?.isFolded == true { activity.folded += 1 }
    let isExpected = options.bookmarkCommitLimit != nil || options.testHooks.unseenCommitLimit < expected.count
    try Discrepancy.check(jumped.contains(where: \.isFolded) && !isExpected, false, "commits folded unasked")
    let changes = jumped.map { $0.snapshots.map { commits[Int($0) - 1].changes } }
    try ModelInspection(connection: connection, modifications: jumped, commits: changes).check(&random)
    followers[place].told = newest
    try Discrepancy.check(connection.snapshot, newest, "snapshot of a connection after a jump")
  }

  // MARK: Writing

  enum Ending { case commit, rollback, error }

  func randomEnding() -> Ending {
    random.chance(oneIn: 10) ? .rollback : random.chance(oneIn: 10) ? .error : .commit
  }

  private func write(_ place: Int) throws {
    let connection = followers[place].connection
    if followers[place].bookmark != nil, connection.refusesToEndLongLivedReadImplicitly {
      return try checkRefusal(of: connection)
    }
    let ending = randomEnding()
    var made: ModelWrites?
    if TestHooks.areBuiltIn, random.chance(oneIn: 40) { fault.failNext() }
    do {
      try connection.readWrite { transaction in
        try Discrepancy.check(transaction.snapshot, newest + 1, "number of a commit to be")
        made = try change(transaction, state, ending)
      }
    } catch is Deliberate {
    } catch let error as YapDatabaseError where error.code == CommitFault.error.code { made = nil }
    fault.clear()
    followers[place].bookmark = nil
    if let made {
      if ending == .commit, made.isCommit {
        state = made.state
        commits.append(ModelCommit(origin: connection.id.number, changes: made.changes))
      }
    }
    followers[place].told = newest
    try Discrepancy.check(database.snapshot, newest, "number of the newest commit")
    try Discrepancy.check(connection.snapshot, newest, "snapshot of a connection after its write")
  }

  /// - Returns: The changes; nil if the block is to throw.
  func change(
    _ transaction: YapDatabaseReadWriteTransaction,
    _ state: ModelState,
    _ ending: Ending
  ) throws -> ModelWrites {
    var writes = ModelWrites(transaction: transaction, state: state, lastValue: lastValue)
    let count = random.below(7)
    let rollbackAt = random.below(count + 1)
    for index in 0...count {
      if index == rollbackAt, ending == .rollback { try transaction.rollback() }
      if index < count { try writes.make(&random) }
      operationCount += 1
      if random.chance(oneIn: 2) {
        try ModelReads(transaction: transaction, state: writes.state, answers: answers).check(&random)
        operationCount += 1
      }
    }
    lastValue = writes.lastValue
    try CacheCoherence(transaction: transaction).check()
    if ending == .error { throw Deliberate() }
    return writes
  }

  private func checkRefusal(of connection: YapDatabaseConnection) throws {
    do {
      try connection.readWrite { _ in }
      throw Discrepancy("a read-write transaction ended a long-lived read that it must not end")
    } catch let error as YapDatabaseError where error.code == .longLivedReadInTheWay {}
  }

  // MARK: Closing

  /// Closes and reopens the database, and checks that the file is sound and agrees with the model.
  private func reopen() throws {
    let left = followers
    let statistics = database.statistics
    for values in statistics.connections.flatMap({ [$0.caches.objects, $0.caches.metadata] }) {
      activity.updated += values.updatedByPolicy
      activity.copied += values.copied
      activity.dropped += values.dropped
    }
    activity.joined = joined.all.count
    activity.givenUpBytes += statistics.droppedValueBytes
    try database.close()
    for follower in left {
      do {
        try follower.connection.read { _ in }
        throw Discrepancy("a closed database was read from")
      } catch let error as YapDatabaseError where error.code == .closed {}
    }
    followers = []
    let handle = try SQLiteHandle(path: path)
    try Discrepancy.check(try handle.text("PRAGMA integrity_check"), "ok", "integrity of the file")
    try Discrepancy.check(try handle.integer("SELECT count(*) FROM data"), Int64(state.count), "rows in the file")
    try handle.close()
    database = try YapDatabase(path: path, options: options)
    try Discrepancy.check(database.snapshot, newest, "number of the newest commit after opening")
    try connect()
    try followers[0].connection.read { transaction in
      try ModelReads(transaction: transaction, state: state, answers: answers).checkEverything()
    }
  }
}
