/// The steps of a transaction at which a test may hold it.
package enum TestPoint: String, Sendable, CaseIterable {
  /// The read transaction has begun; SQLite has not taken a snapshot yet.
  case readBegun
  /// SQLite has taken a snapshot; the registry does not know of it yet.
  case readPinned
  /// The registry knows of the snapshot; the caches have not caught up yet.
  case readRegistered
  /// The commit's number is stored; nobody knows of the commit yet.
  case commitNumbered
  /// The change set is announced; SQLite has not committed yet.
  case commitAnnounced
  /// A transaction has ended and waits to be committed with the next one; the write lane is about to be passed on.
  case transactionJoined
  /// SQLite has committed; the registry does not know it yet.
  case commitWritten
  /// The registry knows of the commit; the write lane is still held.
  case commitRegistered
  /// The tables of a new file are committed; the file is not in WAL mode yet.
  case fileCreated
  /// The layout of an earlier file was raised; only the WAL has it.
  case layoutRaised
  /// A checkpoint is about to run, with the write lane held.
  case checkpointBegun
  /// A checkpoint is about to run beside commits, and its guard is held.
  case checkpointGuarded
  /// SQLite has found out how long the WAL is, inside of a checkpoint beside commits, and copies next.
  case checkpointInside
  /// A reset of the WAL has the write lane and is about to look where the readers are.
  case resetBegun
  /// One commit more is in the caches of a connection that follows; there may be others.
  case commitFollowed
  /// A sweep has the lane of an idle connection, and is about to let it follow.
  case sweepBegun
  /// A new connection has its handle; it stands on no commit yet.
  case connectionOpened
  /// A new connection stands on the newest commit; the database does not know of the connection yet.
  case connectionPlaced
  /// The database knows of a new connection; nobody has it yet.
  case connectionListed
  /// A connection ends: its snapshot is let go, and the registry does not know that yet.
  case connectionEnding
  /// Nobody knows of the connection any more; it still has its handle.
  case connectionForgotten
  /// Closing has begun: nothing new is let in, and everything is open still. The name is the database's path.
  case closeBegun
  /// Every connection is closed, and the writing handle is not.
  case closeConnectionsEnded
  /// The writing handle is closed, and the checkpointer has not ended.
  case closeWriterEnded
}

/// Defects that can be put into the engine, to see whether a check finds them.
package enum PlantedBug: String, Sendable, CaseIterable {
  /// A get answers with the value of another key now and then.
  case answersWithAnotherKey
  /// Caches keep values that other connections have changed.
  case forgetsToDropChangedValues
  /// A long-lived read lets SQLite's snapshot go between two reads and takes a new one.
  case losesTheBookmark
  /// A read now and then works on a snapshot that is older than the connection's last.
  case goesBackInTime
  /// A jump over several commits leaves one out.
  case skipsANotification
  /// A jump tells a commit that an earlier jump has told.
  case repeatsANotification
  /// The read transaction takes its snapshot lazily, and trusts the registry's number.
  case pinsLazily
  /// The change set becomes known only after SQLite has committed.
  case announcesTooLate
  /// Rolled back values stay in the writer's caches.
  case keepsRolledBackValues
  /// Checkpoints run beside commits without a guard.
  case checkpointsBesideCommits
  /// A reset of the WAL moves bookmarks that are behind, and tells nobody.
  case resetsOldBookmarks
  /// After a reset of the WAL a bookmark is told again of its last commit.
  case repeatsAfterReset
  /// The writer goes on to know where rows lie that it has rolled back.
  case keepsRolledBackRowids
  /// The policy copy hands out the very instance that was stored.
  case copyHandsOutTheOriginal
  /// Changed values are put into caches that had not held them.
  case sharesWhatWasNotCached
  /// A commit that also removed something is followed under containment.
  case losesThePolicyBesideRemovals
  /// A touch drops what is cached.
  case dropsWhatWasTouched
  /// Bytes that were decoded before, on whatever connection, give the same instance again.
  case decodesOnceForAll
  /// Values are cached and carried as the caller passed them, and not as their codec returns them.
  case skipsNormalization
  /// Names that Swift takes for equal, and the database does not, lead to the same collection.
  case takesEqualNamesForTheSame
  /// The change set does not say that a collection was cleared.
  case forgetsTheClearing
  /// A touch is told to nobody.
  case forgetsTouches
  /// The end of a long-lived read does not tell what it missed.
  case endsWithoutTelling
  /// A long-lived read that begins does not return the commits that a sweep let the connection follow.
  case forgetsWhatTheSweepPassed
  /// Folded commits have lost a key.
  case losesAKeyWhenFolding
  /// Collections of five rows are counted as having four.
  case miscounts
  /// A snapshot that is kept from the last read is used although something was committed since.
  case readsOnFromAKeptSnapshot
  /// The checkpointer does not let go of the snapshots that idle connections keep.
  case keepsSnapshotsForEver
  /// A wait for a lane does not look whether it closes a circle.
  case waitsWithoutLooking
  /// A new connection leaves out the commit that came while it was made.
  case newConnectionMissesACommit
  /// Closing does not wait for who is in a transaction.
  case closesWithoutWaiting
  /// Closing ends calls that were queued before it.
  case discardsQueuedCallsAtClose
  /// A task that is cancelled has its transaction run nevertheless.
  case runsCancelledCalls
  /// A view is not told of every removed row.
  case keepsRemovedRowsInViews
  /// A view is not told of changed metadata.
  case ignoresMetadataInViews
  /// A view puts a row in front of those that are the same to its sorting.
  case sortsBeforeEquals
  /// A view compares with a row as it was before it changed.
  case keepsOldLandmarks
  /// Some pages of a view are stored without their last row.
  case losesStoredRowsOfAView
  /// Every reader sees a view as the newest commit has left it.
  case showsTheNewestView
  /// A connection that has seen no view never sees one that is registered.
  case missesLateViews
  /// A stored view is taken as it is, whatever its version tag.
  case ignoresVersionTags
  /// Rows that leave a range because others came are not told.
  case forgetsRowsThatARangePasses
  /// Rows that have moved in their group are told as changed.
  case takesMovesForUpdates
  /// Cells that are drawn with a changed cell are not told.
  case forgetsDependentCells
  /// What a rolled back transaction did to views stays.
  case keepsRolledBackViews
  /// A transaction behind others that wait to be committed stays when it is rolled back.
  case keepsRolledBackSavepoints
  /// The caches of a transaction do not follow others that wait to be committed with it.
  case staysBehindJointCommits
  /// A transaction sees views without the changes of others that wait to be committed with it.
  case joinsWithOldViews
  /// A call returns while its transaction waits to be committed.
  case returnsBeforeTheJointCommit
  /// The caches keep what a joint commit has lost.
  case keepsLostJointCommits
  /// The name of a collection that was rolled back with its transaction is taken for stored.
  case keepsRolledBackNames
  /// What a crash has left in the WAL is lost.
  case opensWithoutTheWAL
  /// A WAL of another database is taken for a file's own.
  case adoptsForeignWALs
  /// What is committed while the job that posts notifications rests is not told, until something else is.
  case forgetsCommitsDuringARest
  /// An enumeration that goes on by a scan of the table visits again what it had visited.
  case scansFromTheBeginning
  /// What one connection alone keeps from being copied is told of every connection.
  case countsHeldFramesTwice
  /// What others hold, too, is told as held alone.
  case takesSharedFramesForHeldAlone
  /// A checkpoint is told to have copied all that is copied when it has ended.
  case tellsAllCopiedFrames
  /// The ledger does not tell of commits beside a checkpoint.
  case forgetsOverlappingCommits
  /// The ledger does not tell who has waited for a checkpoint.
  case forgetsStalledWriters
  /// A checkpoint that held the write lane is told as one beside commits.
  case forgetsTheHeldLane
  /// A checkpoint beside commits is told as one that held the write lane.
  case tellsAFreeLaneAsHeld
  /// A value that the handler of undecodable values gave is cached as if it were stored.
  case cachesReplacements
}

/// What a test does to one database. Without the package trait `TestPoints` it is never asked.
package struct TestHooks: Sendable {
  /// Called on the thread that reaches a point, with the connection's name.
  package var onReach: (@Sendable (TestPoint, String) -> Void)?
  package var plantedBugs: Set<PlantedBug> = []
  /// The checkpointer tries without a pause, and also where nothing can be copied.
  package var checkpointsAlways = false
  /// A transaction waits for the next one whenever somebody waits to write, however the commit is synced.
  package var joinsAlways = false
  /// Asked before each COMMIT: why it is to fail.
  package var commitFailure: (@Sendable () -> (any Error)?)?
  /// Receives the lines about asynchronous failures that would go to standard error.
  package var onFailureLine: (@Sendable (String) -> Void)?
  /// After how many rows an enumeration looks whether a scan of the table is faster.
  package var enumerationsLookAfter = EnumerationPlan.firstLook
  /// The number of commits that may wait one by one behind a connection without a bookmark.
  package var unseenCommitLimit = YapDatabaseConnection.unseenCommitLimit
  #if TestPoints
    let decodedOnce = DecodedOnce()
  #endif

  package init() {}

  /// Whether this build asks the hooks at all.
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
