internal import BenchDrivers
internal import BenchResults
internal import BenchScenario
internal import Synchronization
internal import ThreadingPrimitives

/// A connection that actors use, with the state that its snapshots are checked against.
///
/// The scenario's connections outlive the phases, because a bookmark may be kept from one phase to the next.
final class MeasuredConnection: Sendable {
  let connection: any DriverConnection
  let settings: ConnectionSettings
  /// The connection's number in the run, from 1. A connection that is opened like another one has the other's number.
  let number: UInt64
  /// Whether its reads may return instances that other connections hold too.
  let sharesObjects: Bool
  /// nil without a ledger.
  let changes: ReportedChanges?
  private let violations: ViolationLog
  /// Held while the bookmark moves or ends, so that the commits that moves report are checked in order.
  private let moves: Lane
  /// Set by each commit and by the loss of the bookmark, cleared when the bookmark moves.
  private let hasNewCommit = Atomic<Bool>(false)
  private let sleepers = Guarded<[Parker]>([])
  private let hasSleepers = Atomic<Bool>(false)
  private let isBookmarked = Atomic<Bool>(false)
  private let bookmark = Atomic<UInt64>(0)
  /// The newest snapshot that a transaction or a move of this connection has seen.
  private let lastSeen = Atomic<UInt64>(0)

  init(
    _ connection: any DriverConnection,
    _ settings: ConnectionSettings? = nil,
    number: Int = 1,
    sharesObjects: Bool = false,
    violations: ViolationLog,
    pool: WorkerPool,
    changes: ReportedChanges? = nil
  ) {
    self.connection = connection
    self.settings = settings ?? .plain(connection.name)
    self.number = UInt64(number)
    self.sharesObjects = sharesObjects
    self.violations = violations
    self.changes = changes
    moves = Lane(name: "the moves of \(connection.name)", pool: pool)
  }

  var name: String { connection.name }
  /// Whether checks may read on this connection in addition to the actors.
  var permitsChecks: Bool { settings.permitted?.contains(.syncRead) ?? true }
  /// The snapshot of the bookmark, or of the last one if there is none now; 0 before the first one.
  var bookmarkedSnapshot: UInt64 { bookmark.load(ordering: .relaxed) }
  var holdsBookmark: Bool { isBookmarked.load(ordering: .acquiring) }

  /// - Returns: the wait for the connection's lane in nanoseconds; nil for an asynchronous call, and if the driver does
  ///   not report it.
  @inline(__always)
  func read(by call: TransactionCall, _ body: (any DriverTransaction) throws -> Void) throws -> UInt64? {
    if call == .sync { return try connection.read(body) }
    try connection.asyncRead(body)
    return nil
  }

  /// - Returns: the parts of the transaction's time; nil for an asynchronous call, and if the driver does not report
  ///   them.
  func readWrite(by call: TransactionCall, _ body: (any DriverTransaction) throws -> Void) throws -> CommitTimes? {
    if call == .sync { return try connection.readWrite(body) }
    try connection.asyncReadWrite(body)
    return nil
  }

  /// Records that there was a commit, and wakes the threads that are registered with `wake(_:)`.
  func noticeCommit() {
    hasNewCommit.store(true, ordering: .releasing)
    guard hasSleepers.load(ordering: .acquiring) else { return }
    sleepers.withLock { sleepers in
      for sleeper in sleepers { sleeper.unpark() }
    }
  }

  /// Registers a thread that each commit wakes, so that the thread moves a bookmark.
  func wake(_ sleeper: Parker) {
    sleepers.withLock { sleepers in
      if !sleepers.contains(where: { $0 === sleeper }) { sleepers.append(sleeper) }
      hasSleepers.store(true, ordering: .releasing)
    }
  }

  func stopWaking(_ sleeper: Parker) {
    sleepers.withLock { sleepers in
      sleepers.removeAll { $0 === sleeper }
      hasSleepers.store(!sleepers.isEmpty, ordering: .releasing)
    }
  }

  /// Whether there was a commit, or the bookmark was lost, since its last move. This property costs one relaxed load,
  /// so it can be read before every transaction.
  var mayMove: Bool { hasNewCommit.load(ordering: .relaxed) }

  /// Takes a bookmark of the newest snapshot, or moves it there, and checks the commits that the engine reports.
  /// - Parameters:
  ///   - floor: the newest commit that had been acknowledged to its writer before the call.
  ///   - collection: the collection whose changed keys are returned; nil for none.
  /// - Returns: the changes of the commits in between, in the collection.
  @discardableResult
  func advance(
    _ checks: inout CheckCounts,
    atLeast floor: UInt64,
    changesIn collection: String? = nil
  ) throws -> [DriverAdvance.Changes] {
    try moves.withLane {
      hasNewCommit.store(false, ordering: .relaxed)
      let before = holdsBookmark ? bookmark.load(ordering: .relaxed) : nil
      // Read before the engine's call: when the call returns, a transaction on the connection may already have seen a
      // later snapshot, after a write that ended the bookmark.
      let seen = lastSeen.load(ordering: .relaxed)
      isBookmarked.store(true, ordering: .releasing)
      let checked = collection ?? changes?.nextCollection()
      let advance = try connection.advance(changesIn: checked)
      bookmark.store(advance.snapshot, ordering: .relaxed)
      checks.exactlyOnceNotifications += 1
      if let fault = Self.fault(in: advance, since: before) {
        violations.report(.exactlyOnceNotifications, "connection \"\(name)\" \(fault)")
      }
      if let checked { changes?.ledger.check(advance, in: checked, onConnection: name, &checks) }
      see(advance.snapshot, after: seen, &checks)
      if advance.snapshot < floor {
        violations.report(
          .monotonicSnapshots,
          "the bookmark of connection \"\(name)\" moved to snapshot \(advance.snapshot), but commit \(floor) had been "
            + "acknowledged before"
        )
      }
      return collection == nil ? [] : advance.changes
    }
  }

  func endLongLivedRead() throws {
    try moves.withLane {
      guard holdsBookmark else { return }
      try connection.endLongLivedRead()
      isBookmarked.store(false, ordering: .releasing)
    }
  }

  /// Records that the bookmark was lost with the engine's process, and wakes the registered threads.
  func loseBookmark() {
    isBookmarked.store(false, ordering: .releasing)
    noticeCommit()
  }

  /// Returns the error in the commits that a move reports; nil if they are correct.
  ///
  /// A move must report each commit after the earlier bookmark once, in order. Without an earlier bookmark, plain reads
  /// may have seen some commits already; those reported must still be without a gap, and end with the new snapshot.
  static func fault(in advance: DriverAdvance, since before: UInt64?) -> String? {
    let first = before.map { $0 + 1 } ?? advance.jumped.first ?? advance.snapshot + 1
    if first > advance.snapshot + 1 { return "moved back from snapshot \(first - 1) to \(advance.snapshot)" }
    guard !advance.jumped.elementsEqual(first..<advance.snapshot + 1) else { return nil }
    let from = before.map { "from snapshot \($0) " } ?? ""
    let reported = advance.jumped.prefix(20).map(String.init).joined(separator: ", ")
    return "moved \(from)to snapshot \(advance.snapshot) and reported the commits [\(reported)"
      + (advance.jumped.count > 20 ? ", …" : "") + "] instead of each of \(first) to \(advance.snapshot) once"
  }

  /// Checks the snapshot of a transaction. Must be called inside the transaction.
  /// - Parameter floor: a commit that the transaction must see unless the connection has a bookmark.
  func check(_ snapshot: UInt64, atLeast floor: UInt64, _ checks: inout CheckCounts) {
    see(snapshot, after: lastSeen.load(ordering: .relaxed), &checks)
    guard !holdsBookmark else { return }
    checks.freshReads += 1
    guard snapshot < floor else { return }
    for invariant in [Invariant.monotonicSnapshots, .freshReads] {
      violations.report(
        invariant,
        "a read on connection \"\(name)\" saw snapshot \(snapshot), but commit \(floor) had been acknowledged before"
      )
    }
  }

  /// Checks that a snapshot is not older than `last`, which an earlier transaction or move has seen, and records it.
  private func see(_ snapshot: UInt64, after last: UInt64, _ checks: inout CheckCounts) {
    checks.monotonicSnapshots += 1
    if snapshot < last {
      violations.report(
        .monotonicSnapshots,
        "connection \"\(name)\" went back from snapshot \(last) to \(snapshot)"
      )
    } else if snapshot > last {
      // A move may set `lastSeen` at the same time, and the number must not decrease.
      lastSeen.max(snapshot, ordering: .relaxed)
    }
  }
}
