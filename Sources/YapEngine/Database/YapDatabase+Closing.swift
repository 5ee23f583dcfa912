public import Foundation
internal import Synchronization
internal import ThreadingPrimitives

extension YapDatabase {
  /// Closes the database: rejects new calls immediately, waits for calls that were made earlier, ends long-lived reads,
  /// and closes the file.
  ///
  /// Earlier calls are running transactions and all calls that wait for their turn on a connection, such as the blocks
  /// of `asyncReadWrite`. All of them run to their end. Later calls for a transaction, a checkpoint or a connection
  /// fail with `closed`, even inside a block that is still running.
  ///
  /// If calls are pending at the timeout, this throws, and nothing is lost: the pending calls continue, new ones are
  /// still rejected, and `close` can be called again, from any thread. Closing a closed database has no effect. Without
  /// `close`, the database closes when it and all its connections are released. `Notification.Name.YapDatabaseClosed`
  /// is posted at the end, whichever way the database was closed.
  /// - Parameters:
  ///   - discardingQueued: Whether to wait for running transactions only. Calls that wait for their turn then end with
  ///     `closed`, including those for which an earlier `close` has waited.
  ///   - timeout: The longest wait for pending calls, for connections that other threads are opening or releasing, and
  ///     for the write lane. If a checkpoint is running beside commits, its end is awaited without a limit.
  /// - Throws: `timeout` if connections are busy, with their names and numbers of pending calls, if another thread is
  ///   opening or releasing a connection, or if a checkpoint holds the write lane; `nestedTransaction` inside a
  ///   transaction of this database; SQLite's error.
  public func close(discardingQueued: Bool = false, timeout: Duration = .seconds(5)) throws {
    for connection in connections.live { try connection.refuseNesting("close") }
    file.beginClosing()
    closing.begin(discardingQueued: discardingQueued)
    options.testHooks.reach(.closeBegun, path)
    let nanoseconds = timeout.waitNanoseconds
    let deadline = MonotonicClock.now + nanoseconds
    try closeConnections(deadline: deadline, timeout: timeout)
    options.testHooks.reach(.closeConnectionsEnded, path)
    handles.close()
    // The checkpointer stops only now: while calls are pending, the WAL needs checkpoints.
    checkpointer.signals.askToStop()
    try writer.close(deadline: deadline)
    options.testHooks.reach(.closeWriterEnded, path)
    // The thread is joined last, because joining has no deadline. Callers of `close` pass one at a time, so that a
    // second one does not close handles that the thread still uses.
    try endOfCheckpoints.withLane {
      checkpointer.stop()
      try checkpointer.closeHandles()
    }
    finishClosing()
  }

  /// Closes each connection in turn once its pending calls have ended. Busy connections stay open at the deadline.
  /// Afterwards no connection has an open handle.
  private func closeConnections(deadline: UInt64, timeout: Duration) throws {
    let isSettled = try connections.settle(by: deadline) { try close($0, deadline: deadline, timeout: timeout) }
    guard !isSettled else { return }
    throw YapDatabaseError(
      .timeout,
      "\(path) was not closed within \(timeout), because another thread is opening or releasing a connection; close it "
        + "again"
    )
  }

  private func close(_ connections: [YapDatabaseConnection], deadline: UInt64, timeout: Duration) throws {
    var busy: [String] = []
    for connection in connections {
      let pending = try connection.close(deadline: deadline)
      if pending > 0 {
        busy.append("\"\(connection.name)\" (\(pending) pending \(pending == 1 ? "call" : "calls"))")
      }
    }
    guard !busy.isEmpty else { return }
    throw YapDatabaseError(
      .timeout,
      "\(path) was not closed within \(timeout), because connections are busy: \(busy.joined(separator: ", ")). Their "
        + "calls continue: close again to wait for them, or with discardingQueued to discard those that have not begun."
    )
  }

  /// Performs the last step of closing, after which the file can be opened again. Later calls do nothing.
  func finishClosing() {
    guard file.release() else { return }
    delivery.notifyClosed(files)
  }

  /// Checks, at the start of a call, that new calls are accepted.
  /// - Throws: `closed`.
  func checkIsOpen() throws {
    if refusesNewCalls { throw closedError }
  }

  /// Whether the database is closed or closing.
  var refusesNewCalls: Bool { closing.refusesNewCalls }

  /// Whether calls that were accepted but have not started are refused.
  var discardsQueuedCalls: Bool { closing.discardsQueuedCalls }

  var closedError: YapDatabaseError {
    YapDatabaseError(.closed, "\(path) has been closed: open it again with a new YapDatabase")
  }
}

/// The progress of closing a database. It only advances; any thread may read it.
struct ClosingState: ~Copyable, Sendable {
  private enum Step {
    static let open: UInt8 = 0
    static let draining: UInt8 = 1
    static let discarding: UInt8 = 2
  }

  private let step = Atomic<UInt8>(Step.open)

  /// Whether new calls are refused.
  var refusesNewCalls: Bool { step.load(ordering: .acquiring) != Step.open }

  /// Whether calls that were accepted earlier but have not started are refused as well.
  var discardsQueuedCalls: Bool { step.load(ordering: .acquiring) == Step.discarding }

  /// Refuses new calls from now on and, if `discardingQueued`, accepted calls that have not started.
  func begin(discardingQueued: Bool) {
    step.max(discardingQueued ? Step.discarding : Step.draining, ordering: .acquiringAndReleasing)
  }
}

/// The files of a database. After the database is closed, the client may delete those that SQLite has not deleted.
public struct YapDatabaseFiles: Sendable, Equatable {
  public let database: URL
  public let wal: URL
  public let sharedMemory: URL

  init(path: String) {
    database = URL(fileURLWithPath: path)
    wal = URL(fileURLWithPath: path + "-wal")
    sharedMemory = URL(fileURLWithPath: path + "-shm")
  }
}

extension Notification.Name {
  /// Posted on the database's notification queue when a database has closed and released its resources. The
  /// notification has no object, because the database may no longer exist; `YapDatabaseFiles(notification)` identifies
  /// it.
  // The name matches YapDatabaseModified.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static let YapDatabaseClosed = Notification.Name("YapDatabaseClosed")
}

extension YapDatabaseFiles {
  /// The key of the files in a notification's `userInfo`.
  public static let userInfoKey = "files"

  /// Reads the files from a notification; nil if it carries none.
  public init?(_ notification: Notification) {
    guard let found = notification.userInfo?[Self.userInfoKey] as? YapDatabaseFiles else { return nil }
    self = found
  }
}

extension Duration {
  /// The duration in whole nanoseconds: 0 if it is negative, and about 95 years if it is longer than that. The maximum
  /// leaves room in 64 bits to add the current time.
  var waitNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < 3_000_000_000 else { return 3_000_000_000_000_000_000 }
    return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000
  }
}
