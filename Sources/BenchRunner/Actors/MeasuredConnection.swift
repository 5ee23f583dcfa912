internal import BenchDrivers
internal import BenchModel
internal import Synchronization
internal import ThreadingPrimitives

/// A connection of the scenario, and what its snapshots are held against.
///
/// It outlives the phases: a bookmark that one phase takes may be kept through the next.
final class MeasuredConnection: Sendable {
  let connection: any DriverConnection
  let settings: ConnectionSettings
  /// Tells it from the others of the run, from 1.
  let number: UInt64
  /// Whether it may be handed the instances of others.
  let sharesObjects: Bool
  private let violations: ViolationLog
  /// One bookmark's moves are told in their order.
  private let moves: Lane
  /// Raised by each commit, until the bookmark moves.
  private let hasNews = Atomic<Bool>(false)
  private let sleepers = Guarded<[Parker]>([])
  private let hasSleepers = Atomic<Bool>(false)
  private let isBookmarked = Atomic<Bool>(false)
  private let bookmark = Atomic<UInt64>(0)
  /// The newest snapshot that a transaction of this connection has seen.
  private let lastSeen = Atomic<UInt64>(0)

  init(
    _ connection: any DriverConnection,
    _ settings: ConnectionSettings? = nil,
    number: Int = 1,
    sharesObjects: Bool = false,
    violations: ViolationLog,
    pool: WorkerPool
  ) {
    self.connection = connection
    self.settings = settings ?? ConnectionSettings(name: connection.name)
    self.number = UInt64(number)
    self.sharesObjects = sharesObjects
    self.violations = violations
    moves = Lane(name: "the moves of \(connection.name)", pool: pool)
  }

  var name: String { connection.name }
  /// Whether what it shows can be checked by reads beside the actors' own.
  var permitsChecks: Bool { settings.permitted?.contains(.syncRead) ?? true }
  /// Where the bookmark is; 0 before the first.
  var bookmarkedSnapshot: UInt64 { bookmark.load(ordering: .relaxed) }
  var holdsBookmark: Bool { isBookmarked.load(ordering: .acquiring) }

  /// - Returns: nanoseconds that it has waited for the connection's turn; nil where nobody tells.
  func read(by call: TransactionCall, _ body: (any DriverTransaction) throws -> Void) throws -> UInt64? {
    if call == .sync { return try connection.read(body) }
    try connection.asyncRead(body)
    return nil
  }

  /// - Returns: where its time went; nil where nobody tells.
  func readWrite(by call: TransactionCall, _ body: (any DriverTransaction) throws -> Void) throws -> CommitTimes? {
    if call == .sync { return try connection.readWrite(body) }
    try connection.asyncReadWrite(body)
    return nil
  }

  /// Somebody has committed.
  func noticeCommit() {
    hasNews.store(true, ordering: .releasing)
    guard hasSleepers.load(ordering: .acquiring) else { return }
    sleepers.withLock { sleepers in
      for sleeper in sleepers { sleeper.unpark() }
    }
  }

  /// Wakes the sleeper at each commit, because a bookmark has to follow.
  func wake(_ sleeper: Parker) {
    sleepers.withLock { sleepers in
      if !sleepers.contains(where: { $0 === sleeper }) { sleepers.append(sleeper) }
      hasSleepers.store(true, ordering: .releasing)
    }
  }

  func wakeNoMore(_ sleeper: Parker) {
    sleepers.withLock { sleepers in
      sleepers.removeAll { $0 === sleeper }
      hasSleepers.store(!sleepers.isEmpty, ordering: .releasing)
    }
  }

  /// Whether anybody has committed since the bookmark moved last. Cheap enough to be asked all the time.
  var mayMove: Bool { hasNews.load(ordering: .relaxed) }

  /// Bookmarks the newest snapshot, and checks that each commit on the way was told once, in order.
  /// - Parameter floor: what had been committed, and acknowledged to its writer, before.
  func advance(_ checks: inout CheckCounts, atLeast floor: UInt64) throws {
    try moves.withLane {
      hasNews.store(false, ordering: .relaxed)
      let before = holdsBookmark ? bookmark.load(ordering: .relaxed) : nil
      isBookmarked.store(true, ordering: .releasing)
      let advance = try connection.advance()
      bookmark.store(advance.snapshot, ordering: .relaxed)
      checks.exactlyOnceNotifications += 1
      if let fault = Self.fault(in: advance, since: before) {
        violations.report(.exactlyOnceNotifications, "connection \"\(name)\" \(fault)")
      }
      see(advance.snapshot, &checks)
      if advance.snapshot < floor {
        violations.report(
          .monotonicSnapshots,
          "the bookmark of connection \"\(name)\" moved to snapshot \(advance.snapshot), and commit \(floor) had been "
            + "acknowledged before"
        )
      }
    }
  }

  func endLongLivedRead() throws {
    try moves.withLane {
      guard holdsBookmark else { return }
      try connection.endLongLivedRead()
      isBookmarked.store(false, ordering: .releasing)
    }
  }

  /// The engine's process has ended, and the bookmark with it.
  func loseBookmark() {
    isBookmarked.store(false, ordering: .releasing)
    noticeCommit()
  }

  /// What is wrong with the commits that a move was told of.
  ///
  /// From one bookmark to the next they are all those in between. A first bookmark follows plain reads, which have
  /// followed some commits already; still there is no gap, and the last is the one it stands on.
  static func fault(in advance: DriverAdvance, since before: UInt64?) -> String? {
    let first = before.map { $0 + 1 } ?? advance.jumped.first ?? advance.snapshot + 1
    if first > advance.snapshot + 1 { return "moved back from snapshot \(first - 1) to \(advance.snapshot)" }
    guard !advance.jumped.elementsEqual(first..<advance.snapshot + 1) else { return nil }
    let from = before.map { "from snapshot \($0) " } ?? ""
    let told = advance.jumped.prefix(20).map(String.init).joined(separator: ", ")
    return "moved \(from)to snapshot \(advance.snapshot) and was told of the commits [\(told)"
      + (advance.jumped.count > 20 ? ", …" : "") + "] instead of each of \(first) to \(advance.snapshot) once"
  }

  /// Checks the snapshot of a transaction, inside of it.
  /// - Parameter floor: what had been committed, and acknowledged to its writer, before the transaction began.
  func check(_ snapshot: UInt64, atLeast floor: UInt64, _ checks: inout CheckCounts) {
    see(snapshot, &checks)
    if snapshot < floor, !holdsBookmark {
      violations.report(
        .monotonicSnapshots,
        "a read on connection \"\(name)\" saw snapshot \(snapshot), and commit \(floor) had been acknowledged before"
      )
    }
  }

  /// The connection's transactions take turns, so that no other sets the mark meanwhile.
  private func see(_ snapshot: UInt64, _ checks: inout CheckCounts) {
    checks.monotonicSnapshots += 1
    let last = lastSeen.load(ordering: .relaxed)
    if snapshot < last {
      violations.report(
        .monotonicSnapshots,
        "connection \"\(name)\" went back from snapshot \(last) to \(snapshot)"
      )
    }
    lastSeen.store(max(snapshot, last), ordering: .relaxed)
  }
}
