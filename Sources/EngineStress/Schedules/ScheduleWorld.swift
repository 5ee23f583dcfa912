internal import CommitLedger
internal import Foundation
internal import HarnessPrimitives
internal import SQLiteBinding
internal import ThreadingPrimitives
internal import YapEngine

/// One execution of a program: its database, and everything that its threads share.
final class ScheduleWorld: Sendable {
  /// The shape of transactions: few rows, so that threads change the same ones.
  static let shape = LedgeredWriter.Shape(keys: 6, writes: 1...3, objectSize: 28...60)

  let database: YapDatabase
  /// A connection that all threads use.
  let shared: YapDatabaseConnection
  private let path: String
  private let program: ScheduleProgram
  private let seed: UInt64
  private let mailbox: NotificationMailbox
  private let notifications: NotificationCheck
  private let state = Guarded(State())

  private struct State {
    var acknowledged: UInt64 = 0
    var isClosing = false
    var outcome = CaseOutcome()
  }

  /// Opens the database.
  /// - Parameters:
  ///   - seed: Determines the contents of transactions.
  ///   - options: The program's options, with hooks.
  init(_ program: ScheduleProgram, at path: String, seed: UInt64, options: YapDatabaseOptions) throws {
    let mailbox = NotificationMailbox()
    var options = options
    options.testHooks.onNotificationJob = { mailbox.append($0) }
    self.program = program
    self.path = path
    self.seed = seed
    self.mailbox = mailbox
    database = try YapDatabase(path: path, options: options)
    database.connectionDefaults.refusesToEndLongLivedReadImplicitly = false
    database.connectionDefaults.objectCacheLimit = program.cacheLimit
    database.connectionDefaults.metadataCacheLimit = program.cacheLimit
    shared = try database.newConnection(name: "shared")
    notifications = NotificationCheck(on: try database.newConnection(name: "observer"))
  }

  // MARK: Facts that threads share

  /// The newest commit of which a thread knows that it has returned.
  var acknowledged: UInt64 { state.withLock { $0.acknowledged } }

  func acknowledge(_ commit: UInt64) {
    state.withLock { state in
      state.acknowledged = max(state.acknowledged, commit)
      state.outcome.count("commits")
    }
  }

  func count(_ name: String, _ added: Int = 1) { state.withLock { $0.outcome.count(name, added) } }

  func fail(_ text: String) { state.withLock { $0.outcome.failures.append(text) } }

  var isClosing: Bool { state.withLock { $0.isClosing } }

  /// Checks the snapshot of a transaction.
  /// - Parameter least: A commit that the transaction must see.
  func check(_ transaction: YapDatabaseReadTransaction, notBefore least: UInt64) throws {
    if program.checksWholeSnapshots {
      try SnapshotCheck.check(transaction, notBefore: least)
    } else {
      try SnapshotCheck.checkContains(least, transaction)
    }
    count("snapshots checked")
  }

  // MARK: Running the program

  /// Runs a program on a new database. An error is a failure of the outcome.
  /// - Returns: The counts and failures, and the digest of the newest entry of the ledger; 0 after an error.
  static func run(
    _ program: ScheduleProgram,
    at path: String,
    seed: UInt64,
    options: YapDatabaseOptions
  ) -> (outcome: CaseOutcome, ledger: UInt64) {
    do { return try ScheduleWorld(program, at: path, seed: seed, options: options).perform() } catch {
      return (CaseOutcome(failures: ["\(error)"]), 0)
    }
  }

  /// Runs the program on threads of its own, closes the database, and checks the file. Must be called once.
  /// - Returns: The counts and failures, and the digest of the newest entry of the ledger.
  private func perform() throws -> (outcome: CaseOutcome, ledger: UInt64) {
    let center = NotificationCenter.default
    let observer = center.addObserver(forName: .YapDatabaseModified, object: database, queue: nil) { [notifications] in
      if let modification = YapDatabaseModification($0) { notifications.receive(modification) }
    }
    defer { center.removeObserver(observer) }
    let posting = try WorkerThread(name: "notifications") { [mailbox] in mailbox.serve() }
    // All connections exist before the first commit, so that they are at commit 0.
    let members = try program.threads.indices.map { index in
      try ScheduleThread(self, index, random: RandomStream(seed: seed, "thread \(index)"))
    }
    let threads = try zip(members, program.threads).enumerated().map { index, member in
      let (thread, operations) = member
      return try WorkerThread(name: "thread \(index)") { [self] in
        do { for operation in operations where try !thread.perform(operation) { break } } catch {
          fail("thread \(index): \(error)")
        }
        thread.releaseConnections()
      }
    }
    for thread in threads { thread.join() }
    try close()
    mailbox.end()
    posting.join()
    for failure in notifications.end(newest: database.snapshot) { fail(failure) }
    count("notifications", notifications.count)
    let ledger = try checkFile()
    return (state.withLock { $0.outcome }, ledger)
  }

  /// Closes the database. The time of a schedule may jump beyond the timeout, so the call may have to be repeated.
  func close() throws {
    state.withLock { $0.isClosing = true }
    for attempt in 1... {
      do { return try database.close() } catch let error as YapDatabaseError where error.code == .timeout {
        if attempt == 20 { throw error }
        ScheduledThread.reach("close again")
      }
    }
  }

  /// Opens the file again, and checks that it contains every acknowledged commit.
  private func checkFile() throws -> UInt64 {
    let reopened = try YapDatabase(path: path, options: LedgeredDatabase.options(synchronous: .off))
    let (report, ledger) = try reopened.newConnection().read { transaction in
      let report = try LedgerCheck().check(transaction, acknowledged: acknowledged)
      return (report, try transaction.ledgerEntry(of: transaction.snapshot)?.digest ?? 0)
    }
    for error in report.errors { fail("after reopening: \(error)") }
    try reopened.close()
    for problem in try SQLiteHandle(path: path).integrityProblems() { fail(problem) }
    return ledger
  }
}

extension ScheduledThread {
  /// Makes a step of the calling thread's schedule, if it belongs to one.
  static func reach(_ place: String) {
    if let thread = current { thread.schedule.reach(thread.number, place) }
  }
}
