/// The steps of the engine at which a test can stop a thread.
package enum TestPoint: String, Sendable, CaseIterable {
  /// The read transaction has begun; SQLite has not taken a snapshot yet.
  case readBegun
  /// SQLite has taken a snapshot; it is not registered yet.
  case readPinned
  /// The snapshot is registered; the caches have not followed to it yet.
  case readRegistered
  /// The commit's number is stored; the commit is not announced yet.
  case commitNumbered
  /// The change set is announced; SQLite has not committed yet.
  case commitAnnounced
  /// A transaction has ended and waits to be committed with the next one; the write lane is about to be handed over.
  case transactionJoined
  /// SQLite has committed; the registry has not recorded it yet.
  case commitWritten
  /// The registry has recorded the commit; the write lane is still held.
  case commitRegistered
  /// The tables of a new file are committed; the file is not in WAL mode yet.
  case fileCreated
  /// A checkpoint is about to run under the write lane.
  case checkpointBegun
  /// A checkpoint is about to run alongside commits; its guard is held.
  case checkpointGuarded
  /// Within a checkpoint alongside commits, SQLite has read the length of the WAL, but not how much of it is copied.
  case checkpointInside
  /// A reset of the WAL holds the write lane and is about to read the readers' positions.
  case resetBegun
  /// A follower's caches have followed one more commit; further commits may remain.
  case commitFollowed
  /// A sweep holds the lane of an idle connection and is about to make it follow.
  case sweepBegun
  /// A new connection has its handle; it is not placed on a commit yet.
  case connectionOpened
  /// A new connection is placed on the newest commit; the database does not list it yet.
  case connectionPlaced
  /// The database lists a new connection; the connection has not been returned yet.
  case connectionListed
  /// A connection is ending: its snapshot, if any, is released, but still registered.
  case connectionEnding
  /// The ended connection is no longer registered; it still has its handle.
  case connectionUnpinned
  /// Closing has begun: new calls are rejected, and everything is still open. The name is the database's path.
  case closeBegun
  /// All connections are closed; the writer's handle is not.
  case closeConnectionsEnded
  /// The writer's handle is closed; the checkpointer has not ended.
  case closeWriterEnded
}

/// The test hooks of one database. Without the package trait `TestPoints`, only `unseenCommitLimit` has an effect.
package struct TestHooks: Sendable {
  /// Called on the thread that reaches a point, with the name of the connection or thread, or the path of the file.
  package var onReach: (@Sendable (TestPoint, String) -> Void)?
  /// Makes the checkpointer try without a pause, even if nothing can be copied.
  package var checkpointsAlways = false
  /// Makes a transaction wait for the next one whenever a writer waits, regardless of the options and durations.
  package var joinsAlways = false
  /// Called before each COMMIT. Returns the error with which it fails; nil to let it succeed.
  package var commitFailure: (@Sendable () -> (any Error)?)?
  /// Runs the jobs that post notifications, in order, in place of the notification queue. The jobs then never rest.
  package var onNotificationJob: (@Sendable (@escaping @Sendable () -> Void) -> Void)?
  /// Called before each sleep of SQLite's busy handler, on the thread that waits for the lock.
  package var onLockWait: (@Sendable () -> Void)?
  /// Receives the lines about asynchronous failures instead of standard error.
  package var onFailureLine: (@Sendable (String) -> Void)?
  /// The number of rows after which an enumeration first checks whether a scan of the table is faster.
  package var enumerationsLookAfter = EnumerationPlan.firstLook
  /// The maximum number of commits that wait individually behind a connection without a bookmark.
  package var unseenCommitLimit = CommitFollower.unseenCommitLimit

  package init() {}

  /// Whether this build calls the hooks.
  package static var areBuiltIn: Bool {
    #if TestPoints
      true
    #else
      false
    #endif
  }

  @inline(__always)
  func reach(_ point: @autoclosure () -> TestPoint, _ connection: @autoclosure () -> String) {
    #if TestPoints
      onReach?(point(), connection())
    #endif
  }
}
