internal import CommitLedger
internal import Glibc
internal import HarnessPrimitives
internal import Synchronization
internal import ThreadingPrimitives
internal import YapEngine

/// The threads of a child process: writers, a bookmark that moves, connections for one read each, and checkpoints.
final class CrashLoad: Sendable {
  /// The largest number of writers of one process, including the writer of `CrashLife`.
  static let mostWriters: UInt32 = 8

  private let order: CrashOrder
  private let database: YapDatabase
  private let commits = Atomic<Int>(0)
  private let enough = Parker()

  /// - Parameter database: A database whose newest commit has a ledger entry.
  init(_ order: CrashOrder, _ database: YapDatabase) {
    self.order = order
    self.database = database
  }

  /// Starts the threads, which run until the database is closed. An error ends the process.
  func start() throws -> [WorkerThread] {
    var threads = [
      try thread("bookmark") { [self] in try moveBookmark() },
      try thread("checkpoints") { [self] in try makeCheckpoints() },
    ]
    for index in 0..<UInt32(order.writers) {
      let writer = LedgeredWriter(
        try database.newConnection(name: "writer \(index)"),
        number: order.life * Self.mostWriters + index
      )
      threads.append(try thread("writer \(index)") { [self] in try write(with: writer, index) })
    }
    return threads
  }

  /// Returns after the number of commits that the order states; never without one.
  func waitForCommits() { enough.park() }

  private func thread(_ name: String, _ body: @escaping @Sendable () throws -> Void) throws -> WorkerThread {
    try WorkerThread(name: name) {
      do { try body() } catch let error as YapDatabaseError where error.code == .closed {} catch {
        CrashReporter.send(.wrong("\(name): \(error)"))
        _exit(1)
      }
    }
  }

  private func random(_ purpose: String) -> RandomStream {
    RandomStream(seed: order.seed, "life \(order.life)", purpose)
  }

  private func pause(_ random: inout RandomStream, upTo nanoseconds: Int) {
    MonotonicClock.sleep(until: MonotonicClock.now + UInt64(random.below(nanoseconds)))
  }

  // MARK: Threads

  private func write(with writer: LedgeredWriter, _ index: UInt32) throws {
    var random = random("writer \(index)")
    while true {
      if random.below(16) == 0 {
        do { try writer.rollBack(&random) } catch let error where order.fails && !Self.isClosed(error) {}
      }
      do {
        let commit = try writer.commit(&random)
        CrashReporter.send(.acknowledged(commit))
      } catch let error where order.fails && !Self.isClosed(error) {
        CrashReporter.send(.failed)
      }
      if commits.add(1, ordering: .relaxed).newValue == order.closesAfter { enough.unpark() }
      if random.below(4) == 0 { pause(&random, upTo: 400_000) }
    }
  }

  private static func isClosed(_ error: any Error) -> Bool { (error as? YapDatabaseError)?.code == .closed }

  private func moveBookmark() throws {
    var random = random("bookmark")
    let bookmark = try database.newConnection(name: "bookmark")
    try bookmark.beginLongLivedReadTransaction()
    // After the end of a long-lived read, a sweep may move the connection, so the last position is kept here.
    var before = try bookmark.read(\.snapshot)
    while true {
      pause(&random, upTo: 2_000_000)
      let ended = random.below(4) == 0 ? try bookmark.endLongLivedReadTransaction() ?? [] : []
      let passed = (ended + (try bookmark.beginLongLivedReadTransaction())).map(\.snapshot)
      // Closing ends the bookmark at any time, so only a read shows its position.
      let after = try bookmark.read { transaction in
        try checkNewestEntry(transaction)
        return transaction.snapshot
      }
      guard after >= before, passed == (before..<after).map({ $0 + 1 }) else {
        throw WrongResult("the bookmark moved from \(before) to \(after) over the commits \(passed)")
      }
      before = after
      CrashReporter.send(.moved)
      try database.newConnection(name: "visitor").read { try checkNewestEntry($0) }
    }
  }

  /// Checks that the newest commit of a snapshot has its ledger entry.
  private func checkNewestEntry(_ transaction: YapDatabaseReadTransaction) throws {
    let snapshot = transaction.snapshot
    if snapshot == 0 { return }
    let key = LedgerEntry.key(of: snapshot)
    guard try transaction.hasObject(forKey: key, inCollection: LedgerEntry.collection) else {
      throw WrongResult("a read sees commit \(snapshot), but not its ledger entry")
    }
  }

  private func makeCheckpoints() throws {
    var random = random("checkpoints")
    let modes = YapDatabaseCheckpoint.Mode.allCases
    while true {
      pause(&random, upTo: 4_000_000)
      CrashReporter.send(.checkpointBegun)
      try database.checkpoint(modes[random.below(modes.count)], timeout: .milliseconds(5))
      CrashReporter.send(.checkpointEnded)
    }
  }
}
