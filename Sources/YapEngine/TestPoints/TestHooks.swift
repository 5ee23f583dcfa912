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
  /// The layout of an earlier file has been upgraded, so far only in the WAL.
  case layoutRaised
  /// A checkpoint is about to run under the write lane.
  case checkpointBegun
  /// A checkpoint is about to run alongside commits; its guard is held.
  case checkpointGuarded
  /// Within a checkpoint alongside commits, SQLite has determined the length of the WAL and is about to copy.
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
  /// A connection is ending: its snapshot is released, but still registered.
  case connectionEnding
  /// The ended connection is no longer listed or registered; it still has its handle.
  case connectionForgotten
  /// Closing has begun: new calls are rejected, and everything is still open. The name is the database's path.
  case closeBegun
  /// All connections are closed; the writer's handle is not.
  case closeConnectionsEnded
  /// The writer's handle is closed; the checkpointer has not ended.
  case closeWriterEnded
}

/// Bugs that tests can switch on to prove that a check finds them.
package enum PlantedBug: String, Sendable, CaseIterable {
  /// Some gets return the value of another key.
  case answersWithAnotherKey
  /// Caches keep values that other connections have changed.
  case forgetsToDropChangedValues
  /// A long-lived read releases SQLite's snapshot between two reads and takes a new one.
  case losesTheBookmark
  /// Some reads use an older snapshot than the connection's last.
  case goesBackInTime
  /// A jump over several commits omits one.
  case skipsANotification
  /// A jump returns a commit that an earlier jump has returned.
  case repeatsANotification
  /// The read transaction takes its snapshot lazily and trusts the registry's number.
  case pinsLazily
  /// The change set is announced only after SQLite has committed.
  case announcesTooLate
  /// The writer's caches keep rolled-back values.
  case keepsRolledBackValues
  /// Checkpoints run alongside commits without a guard.
  case checkpointsBesideCommits
  /// A reset of the WAL moves bookmarks that are behind, without reporting it.
  case resetsOldBookmarks
  /// After a reset of the WAL, a bookmark returns its last commit again.
  case repeatsAfterReset
  /// The writer keeps rowids that were rolled back.
  case keepsRolledBackRowids
  /// The policy copy returns the stored instance itself.
  case copyHandsOutTheOriginal
  /// Changed values are added to caches that did not hold them.
  case sharesWhatWasNotCached
  /// A commit that also removed a row is followed under containment.
  case losesThePolicyBesideRemovals
  /// A touch drops cached values.
  case dropsWhatWasTouched
  /// Bytes that any connection has decoded before return the same instance again.
  case decodesOnceForAll
  /// Values are cached and carried as the caller passed them, not as their codec normalizes them.
  case skipsNormalization
  /// Names that are equal in Swift but differ in bytes refer to the same collection.
  case takesEqualNamesForTheSame
  /// The change set does not record that a collection was cleared.
  case forgetsTheClearing
  /// A touch is not reported.
  case forgetsTouches
  /// The end of a long-lived read does not return the commits that it missed.
  case endsWithoutTelling
  /// Beginning a long-lived read does not return the commits that a sweep has made the connection follow.
  case forgetsWhatTheSweepPassed
  /// Folded commits lose a key.
  case losesAKeyWhenFolding
  /// Collections of five rows are counted as four.
  case miscounts
  /// A snapshot kept from the last read is used although there are newer commits.
  case readsOnFromAKeptSnapshot
  /// The checkpointer does not release the snapshots that idle connections keep.
  case keepsSnapshotsForEver
  /// A wait for a lane does not check for a deadlock.
  case waitsWithoutLooking
  /// A new connection misses a commit that is made while the connection is created.
  case newConnectionMissesACommit
  /// Closing does not wait for running transactions.
  case closesWithoutWaiting
  /// Closing discards calls that were queued before it.
  case discardsQueuedCallsAtClose
  /// The transaction of a cancelled task runs nevertheless.
  case runsCancelledCalls
  /// Some removed rows are not reported to views.
  case keepsRemovedRowsInViews
  /// Changed metadata is not reported to views.
  case ignoresMetadataInViews
  /// A view inserts a row before rows that its sorting treats as equal, not after them.
  case sortsBeforeEquals
  /// A view compares with a row's old value.
  case keepsOldLandmarks
  /// Some pages of a view are stored without their last row.
  case losesStoredRowsOfAView
  /// Every reader sees views as of the newest commit.
  case showsTheNewestView
  /// A connection that has used no view never sees views registered later.
  case missesLateViews
  /// A stored view is used regardless of its version tag.
  case ignoresVersionTags
  /// Rows that other rows push out of a range are not reported.
  case forgetsRowsThatARangePasses
  /// Rows that have moved within their group are reported as updated.
  case takesMovesForUpdates
  /// Cells that depend on a changed cell are not reported.
  case forgetsDependentCells
  /// A rolled-back transaction's changes of views are kept.
  case keepsRolledBackViews
  /// The changes of a rolled-back transaction that joined a joint commit are kept.
  case keepsRolledBackSavepoints
  /// A transaction's caches do not follow earlier transactions of the same joint commit.
  case staysBehindJointCommits
  /// A transaction sees views without the changes of earlier transactions of the same joint commit.
  case joinsWithOldViews
  /// A call returns while its transaction still waits to be committed.
  case returnsBeforeTheJointCommit
  /// The caches keep the values of a joint commit that failed.
  case keepsLostJointCommits
  /// The name of a collection is taken for stored although its transaction was rolled back.
  case keepsRolledBackNames
  /// Commits that a crash has left in the WAL are lost.
  case opensWithoutTheWAL
  /// A WAL of another database is accepted as the file's own.
  case adoptsForeignWALs
  /// A commit during a rest of the job that posts notifications is not posted until a later commit.
  case forgetsCommitsDuringARest
  /// An enumeration that continues with a scan of the table visits rows again.
  case scansFromTheBeginning
  /// Frames that only one connection keeps from being copied are reported for every connection.
  case countsHeldFramesTwice
  /// Frames that several connections hold are reported as held by one alone.
  case takesSharedFramesForHeldAlone
  /// A checkpoint is reported to have copied all frames that are copied when it ends, including those copied before.
  case tellsAllCopiedFrames
  /// The ledger omits commits made during a checkpoint.
  case forgetsOverlappingCommits
  /// The ledger omits writers that waited for a checkpoint.
  case forgetsStalledWriters
  /// A checkpoint under the write lane is reported as one alongside commits.
  case forgetsTheHeldLane
  /// A checkpoint alongside commits is reported as one under the write lane.
  case tellsAFreeLaneAsHeld
  /// A replacement from the handler of undecodable values is cached as if it were stored.
  case cachesReplacements
}

/// The test hooks of one database. They have no effect without the package trait `TestPoints`.
package struct TestHooks: Sendable {
  /// Called on the thread that reaches a point, with the connection's name.
  package var onReach: (@Sendable (TestPoint, String) -> Void)?
  package var plantedBugs: Set<PlantedBug> = []
  /// Makes the checkpointer try without a pause, even if nothing can be copied.
  package var checkpointsAlways = false
  /// Makes a transaction wait for the next one whenever a writer waits, regardless of the synchronous setting.
  package var joinsAlways = false
  /// Called before each COMMIT. Returns the error with which it fails; nil to let it succeed.
  package var commitFailure: (@Sendable () -> (any Error)?)?
  /// Receives the lines about asynchronous failures instead of standard error.
  package var onFailureLine: (@Sendable (String) -> Void)?
  /// The number of rows after which an enumeration checks whether a scan of the table is faster.
  package var enumerationsLookAfter = EnumerationPlan.firstLook
  /// The maximum number of commits that wait individually behind a connection without a bookmark.
  package var unseenCommitLimit = YapDatabaseConnection.unseenCommitLimit
  #if TestPoints
    let decodedOnce = DecodedOnce()
  #endif

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

  @inline(__always)
  func has(_ bug: @autoclosure () -> PlantedBug) -> Bool {
    #if TestPoints
      plantedBugs.contains(bug())
    #else
      false
    #endif
  }
}
