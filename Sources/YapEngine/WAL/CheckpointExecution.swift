internal import SQLiteBinding
internal import ThreadingPrimitives

/// Makes checkpoints, on the checkpointer's thread.
///
/// A value exists for one round of the thread, and retains the database for that time. `CheckpointExecution+Reset`
/// resets the WAL.
struct CheckpointExecution {
  let database: YapDatabase
  let state: CheckpointState
  let signals: CheckpointerSignals
  let guardReader: GuardReader

  /// Returns the largest number of frames that `performCheckpoint` copies while writers wait, unless a marker frame
  /// cannot be written. If there are more frames, a marker frame is written behind them, so that a guard covers them
  /// and they are copied beside commits.
  ///
  /// While commits are made, writers would wait for the copying and its syncs, which take longer than a marker. At
  /// other times no writer is expected to wait for 4 MiB at the default page size.
  private func longestCopyOnLane(_ cause: YapDatabaseCheckpoint.Cause) -> Int {
    cause == .backlog || cause == .limit ? CheckpointPlanner.framesWorthCopyingFirst : 1024
  }

  var writer: Writer { database.writer }
  private var pacing: WriterPacing { database.checkpointer.pacing }
  var hooks: TestHooks { database.options.testHooks }
  /// The newest commit.
  var newest: Commit { database.registry.withLock { $0.newest } }

  /// Makes the checkpoint that a caller waits for, and passes the result to the caller.
  func perform(_ request: CheckpointRequest) {
    let last = state.withLedger { $0.count }
    if request.mode == .passive {
      performCheckpoint(.call)
    } else {
      resetWAL(request.mode, cause: .call) { _, _ in request.longestWaitNanoseconds }
    }
    let (made, failure) = state.withLedger { ($0.entries(after: last).last, $0.lastFailure) }
    guard let made else { return request.end(.failure(.closedBeforeCheckpoint(of: database.path))) }
    guard made.outcome == .failed else { return request.end(.success(made)) }
    let error = YapDatabaseError(
      .storage,
      "a checkpoint (\(made.mode)) of \(database.path) failed: \(failure ?? "SQLite gave no reason"). No data is "
        + "lost, because all frames are still in the WAL. Check the disk, and try again."
    )
    request.end(.failure(database.damage ?? error))
  }

  /// Copies frames beside commits, under a guard. Copies them with the write lane held if no guard can be proven and
  /// they are few, or if no marker frame can be written.
  func performCheckpoint(_ cause: YapDatabaseCheckpoint.Cause) {
    if copyBesideCommits(cause) { return }
    releaseOldSnapshots()
    let account = state.account
    let gain = account.copyableFrame(oldestPin: oldestPin()?.position) - account.copied
    if gain > longestCopyOnLane(cause), writeMarker(), copyBesideCommits(cause) { return }
    copyOnLane(cause)
  }

  /// - Returns: Whether an attempt was recorded, even if it failed; false if no guard could be proven.
  private func copyBesideCommits(_ cause: YapDatabaseCheckpoint.Cause) -> Bool {
    var attempt = CheckpointAttempt(
      cause: cause,
      startedAt: MonotonicClock.now,
      holdsLane: false,
      writesBefore: guardReader.writesOfThread
    )
    let account = state.account
    let newest = database.snapshot
    let isPaced = cause == .limit && database.options.synchronous == .normal
    if isPaced { pacing.begin() }
    defer { if isPaced { pacing.end() } }
    func record(snapshot: UInt64) {
      attempt.end(at: MonotonicClock.now, writes: guardReader.writesOfThread)
      attempt.entry.overlappingCommits = Int(database.snapshot - newest)
      state.recordCheckpoint(attempt, snapshot: snapshot)
    }
    do {
      return try guardReader.withGuard { snapshot in
        // A kept snapshot that is older than the guard's snapshot would limit the copy.
        database.releaseKeptSnapshots { $0.commit.snapshot < snapshot }
        attempt.determineLimits(oldestPin: oldestPin(), before: snapshot, account: account)
        let result = try guardReader.checkpoint()
        attempt.result = result
        if isPaced {
          // SQLite leaves the sync to a later copy if commits were made during this one. The copy of the following
          // reset, for which writers wait, now has less to sync.
          do { try guardReader.syncFile() } catch { attempt.failure = "\(error)" }
        }
        // Recorded while the guard is held, so that the WAL has not restarted since the checkpoint.
        record(snapshot: snapshot)
        return result
      }
    } catch {
      attempt.failure = "\(error)"
      record(snapshot: 0)
      return true
    }
  }

  private func copyOnLane(_ cause: YapDatabaseCheckpoint.Cause) {
    let asked = MonotonicClock.now
    withWriteLane {
      hooks.reach(.checkpointBegun, "checkpointer")
      let now = MonotonicClock.now
      var attempt = CheckpointAttempt(
        cause: cause,
        startedAt: now,
        waitNanoseconds: now - asked,
        writesBefore: writer.writesOfThread
      )
      // More commits may have been made during the wait for the lane, so more kept snapshots may be old.
      releaseOldSnapshots()
      let newest = self.newest
      attempt.determineLimits(oldestPin: oldestPin(), before: newest.snapshot, account: state.account)
      do { attempt.result = try checkpoint(.passive) } catch { attempt.failure = "\(error)" }
      attempt.end(at: MonotonicClock.now, onLaneOf: writer)
      state.recordCheckpoint(attempt, snapshot: newest.snapshot)
      // Bookmarks that no longer need the WAL would still prevent its restart.
      guard attempt.isWhole else { return }
      database.renewBookmarks(at: newest)
      database.releaseKeptSnapshots(where: \.readsWAL)
    }
  }

  /// Writes a marker frame behind all commits. Readers that begin before a checkpoint has copied it read from the WAL.
  /// - Returns: Whether the frame was written.
  private func writeMarker() -> Bool {
    withWriteLane {
      let wasCopied = state.account.backlog == 0
      guard (try? writer.writeMarker()) != nil else { return false }
      state.recordMarker(by: writer, wasCopied: wasCopied)
      guardReader.markerWritten()
      return true
    } ?? false
  }

  // MARK: With the write lane held

  /// Runs `body` with the write lane held.
  /// - Returns: The result of `body`; nil if the writer is closed, and `body` was not run.
  @discardableResult
  func withWriteLane<Result>(_ body: () -> Result) -> Result? {
    database.withWriteLane(by: "checkpointer") { writer.isClosed ? nil : body() }
  }

  /// Makes a checkpoint with the writer's handle. Must be called with the write lane held.
  func checkpoint(_ mode: YapDatabaseCheckpoint.Mode) throws -> SQLiteCheckpointResult {
    var result: SQLiteCheckpointResult?
    defer { guardReader.checkpointEnded(with: result) }
    let made = try writer.checkpoint(mode.sqlite, busyTimeout: database.options.busyTimeoutNanoseconds)
    result = made
    return made
  }

  // MARK: Pins

  /// Releases snapshots that idle connections keep and that are no longer the newest.
  func releaseOldSnapshots() {
    database.releaseKeptSnapshots { !$0.commit.isLast }
  }

  /// Returns the oldest of the pinned snapshots that satisfy the condition; nil if none does.
  func oldestPin(where isIncluded: (CommitRegistry.Pin) -> Bool = { _ in true }) -> PinnedSnapshot? {
    let pins = database.registry.withLock { Array($0.pins) }
    let oldest = pins.filter { isIncluded($0.value) }.min {
      ($0.value.commit.snapshot, $0.key) < ($1.value.commit.snapshot, $1.key)
    }
    guard let (connection, pin) = oldest else { return nil }
    return PinnedSnapshot(
      connection: connection,
      name: database.connections.live.first { $0.id == connection }?.name ?? "connection \(connection.number)",
      snapshot: pin.commit.snapshot,
      position: pin.commit.position,
      dueSince: pin.commit.next?.committedAt ?? pin.since
    )
  }

  /// Returns the state of the reader that made the last automatic reset give up; nil stands for an unknown reader.
  func condition(of blocker: PinnedSnapshot?) -> CheckpointPlanner.Blocker {
    guard let blocker else { return .gone }
    let pinned = database.registry.withLock { $0.pins[blocker.connection]?.commit.snapshot }
    guard let pinned else { return .gone }
    return pinned == blocker.snapshot ? .stays : .moved
  }
}

extension YapDatabaseCheckpoint.Mode {
  fileprivate var sqlite: SQLiteCheckpointMode {
    switch self {
    case .passive: .passive
    case .full: .full
    case .restart: .restart
    case .truncate: .truncate
    }
  }
}
