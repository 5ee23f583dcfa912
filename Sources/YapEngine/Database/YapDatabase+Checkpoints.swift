internal import SQLiteBinding
internal import ThreadingPrimitives

/// Copies frames of the WAL, on the checkpointer's thread.
extension YapDatabase: CheckpointTarget {
  /// The largest number of frames that is copied while writers wait: 4 MiB at the default page size. Copying takes
  /// about 15 ms, which leaves time for slow syncs within the promised 50 ms. If there are more frames, a marker frame
  /// is written behind them, so that a guard covers them.
  private static let longestCopyOnLane = 1024

  /// Returns the checkpoints after the given number, oldest first; 0 returns all that are kept (the last 10,000).
  public func checkpoints(after number: Int = 0) -> [YapDatabaseCheckpoint] {
    checkpointer.withLedger { $0.entries(after: number) }
  }

  func letOldSnapshotsGo() {
    letKeptSnapshotsGo { !$0.commit.isLast }
  }

  func oldestPin() -> PinnedSnapshot? {
    pinned(
      registry.withLock { registry in
        registry.pins.min { ($0.value.commit.snapshot, $0.key) < ($1.value.commit.snapshot, $1.key) }
      }
    )
  }

  func pinnedSnapshot(of connection: ConnectionID) -> UInt64? {
    registry.withLock { $0.pins[connection]?.commit.snapshot }
  }

  func pinned(_ pin: (key: ConnectionID, value: CommitRegistry.Pin)?) -> PinnedSnapshot? {
    guard let pin else { return nil }
    return PinnedSnapshot(
      connection: pin.key,
      name: liveConnections().first { $0.id == pin.key }?.name ?? "connection \(pin.key.number)",
      snapshot: pin.value.commit.snapshot,
      position: pin.value.commit.position,
      dueSince: pin.value.commit.next?.committedAt ?? pin.value.since
    )
  }

  /// Copies alongside commits if a guard can be proven, otherwise with the write lane held.
  func performCheckpoint(_ cause: CheckpointPlanner.Cause) {
    if copyBesideCommits(cause) { return }
    letOldSnapshotsGo()
    let account = checkpointer.account
    let gain = account.copyableFrame(oldestPin: oldestPin()?.position) - account.copied
    if gain > Self.longestCopyOnLane, writeMarker(), copyBesideCommits(cause) { return }
    copyOnLane(cause)
  }

  /// - Returns: Whether the copy was tried; false if no guard could be proven.
  private func copyBesideCommits(_ cause: CheckpointPlanner.Cause) -> Bool {
    var attempt = CheckpointAttempt(cause: cause, startedAt: MonotonicClock.now, holdsLane: false)
    attempt.writesBefore = guardReader.writesOfThread
    let account = checkpointer.account
    let newest = self.snapshot
    /// Snapshots older than the guard's limit the copy. Idle connections release theirs.
    func lookAtPins(_ guarded: UInt64) {
      letKeptSnapshotsGo { $0.commit.snapshot < guarded }
      attempt.lookAt(oldestPin(), before: guarded, account)
    }
    var isTold = false
    func tell(_ snapshot: UInt64) {
      isTold = true
      attempt.end(at: MonotonicClock.now, writes: guardReader.writesOfThread)
      attempt.overlappingCommits = Int(self.snapshot - newest)
      checkpointer.checkpointed(attempt, snapshot: snapshot)
    }
    do {
      return try guardReader.copyBesideCommits(guarded: lookAtPins) { result, snapshot in
        attempt.result = result
        tell(snapshot)
      }
    } catch {
      attempt.failure = "\(error)"
      if !isTold { tell(0) }
      return true
    }
  }

  private func copyOnLane(_ cause: CheckpointPlanner.Cause) {
    let asked = MonotonicClock.now
    withWriteLane(by: "checkpointer") {
      guard !writer.isClosed else { return }
      options.testHooks.reach(.checkpointBegun, "checkpointer")
      let now = MonotonicClock.now
      var attempt = CheckpointAttempt(cause: cause, startedAt: now, waitNanoseconds: now - asked)
      attempt.writesBefore = writer.writesOfThread
      // More commits may have been made during the wait for the lane, so more kept snapshots may be old.
      letOldSnapshotsGo()
      let newest = registry.withLock { $0.newest }
      attempt.lookAt(oldestPin(), before: newest.snapshot, checkpointer.account)
      do { attempt.result = try checkpoint(.passive) } catch { attempt.failure = "\(error)" }
      attempt.end(at: MonotonicClock.now, writes: writer.writesOfThread)
      attempt.stalledWriters = writer.waitingCount
      checkpointer.checkpointed(attempt, snapshot: newest.snapshot)
      // Bookmarks that no longer need the WAL would still prevent its restart.
      guard attempt.isWhole else { return }
      pinBookmarksAnew(newest)
      letKeptSnapshotsGo(where: \.readsWAL)
    }
  }

  /// Must be called with the write lane held.
  func checkpoint(_ mode: SQLiteCheckpointMode) throws -> SQLiteCheckpointResult {
    var result: SQLiteCheckpointResult?
    defer { guardReader.followed(result) }
    let told = try writer.checkpoint(mode, busyTimeout: options.busyTimeoutNanoseconds)
    result = told
    return told
  }

  /// Must be called with the write lane held. If a bookmark is lost, which only a failing disk causes, its next read
  /// throws.
  func pinBookmarksAnew(_ newest: Commit) {
    let pins = registry.withLock { Array($0.pins) }
    let reading = Set(pins.filter { $0.value.isLongLived && $0.value.readsWAL }.map(\.key))
    for connection in liveConnections() where reading.contains(connection.id) {
      try? connection.pinAnewIfIdle(newest)
    }
  }

  /// Writes a frame behind all commits that no checkpoint has copied, so that readers that begin from now on read from
  /// the WAL. If this fails, the checkpoint under the write lane that follows reports the error.
  private func writeMarker() -> Bool {
    withWriteLane(by: "checkpointer") {
      guard !writer.isClosed else { return false }
      let wasCopied = checkpointer.account.backlog == 0
      guard (try? writer.writeMarker()) != nil else { return false }
      checkpointer.marked(framesInWAL: writer.framesInWAL, hasRestarted: hasRestarted(wasCopied: wasCopied))
      guardReader.marked()
      return true
    }
  }

  /// Records a written commit. Must be called with the write lane held.
  /// - Parameter wasCopied: Whether the whole WAL was known to be copied before the commit.
  /// - Returns: The position of the commit's end in the WAL.
  func accountForCommit(wasCopied: Bool, at now: UInt64) -> WALPosition {
    let hasRestarted = hasRestarted(wasCopied: wasCopied)
    return checkpointer.committed(framesInWAL: writer.framesInWAL, hasRestarted: hasRestarted, at: now)
  }

  /// Only a completely copied WAL restarts. A checkpoint alongside the commit may have completed the copy before
  /// COMMIT, or reported it since.
  private func hasRestarted(wasCopied: Bool) -> Bool {
    (wasCopied || checkpointer.account.backlog == 0) && writer.hasRestartedWAL()
  }

  /// Makes idle connections follow, and drops values that every connection has followed. The commits themselves may be
  /// kept longer, by connections that have not returned them to their clients yet.
  func sweepIdleConnections() -> Bool {
    handles.dropExpired(at: MonotonicClock.now)
    let newest = registry.withLock { $0.newest }
    var isEverythingFollowed = true
    var followed = newest.snapshot
    var lists = FoldedLists(upTo: newest)
    for connection in liveConnections() {
      isEverythingFollowed = connection.followIfIdle(newest, &lists) && isEverythingFollowed
      followed = min(followed, connection.snapshot)
    }
    writer.dropValues(through: followed)
    // A new connection begins after the newest commit. The commit's writer may not have added the values to
    // `waitingValues` yet.
    if isEverythingFollowed { newest.values?.drop() }
    return isEverythingFollowed
  }
}
