internal import SQLiteBinding
internal import ThreadingPrimitives

/// Copying frames of the WAL, on the checkpointer's thread.
extension YapDatabase: CheckpointTarget {
  /// More frames than these are not copied while writers wait: 4 MiB of the usual pages, about 15 ms of copying, with
  /// room for slow syncs in the 50 ms that are promised. A mark is put behind them, so that a guard covers them.
  private static let longestCopyOnLane = 1024

  /// The checkpoints since the one with this number, oldest first; 0 for all that are remembered (the last 10,000).
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

  /// Beside commits where a guard can be had, otherwise with the write lane held.
  func performCheckpoint(_ cause: CheckpointPlanner.Cause) {
    if copyBesideCommits(cause) { return }
    letOldSnapshotsGo()
    let account = checkpointer.account
    let gain = account.copyableFrame(oldestPin: oldestPin()?.position) - account.copied
    if gain > Self.longestCopyOnLane, writeMarker(), copyBesideCommits(cause) { return }
    copyOnLane(cause)
  }

  /// - Returns: whether it was tried; false if nothing guards it.
  private func copyBesideCommits(_ cause: CheckpointPlanner.Cause) -> Bool {
    var attempt = CheckpointAttempt(cause: cause, startedAt: MonotonicClock.now, holdsLane: false)
    attempt.writesBefore = guardReader.writesOfThread
    let account = checkpointer.account
    let newest = self.snapshot
    /// Snapshots older than the guard's are in the way of the copy; those that idle connections keep are let go.
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
      // Commits may have come during the wait for the lane, so that more kept snapshots are old.
      letOldSnapshotsGo()
      let newest = registry.withLock { $0.newest }
      attempt.lookAt(oldestPin(), before: newest.snapshot, checkpointer.account)
      do { attempt.result = try checkpoint(.passive) } catch { attempt.failure = "\(error)" }
      attempt.end(at: MonotonicClock.now, writes: writer.writesOfThread)
      attempt.stalledWriters = writer.waitingCount
      checkpointer.checkpointed(attempt, snapshot: newest.snapshot)
      // Bookmarks that need nothing of the WAL any more would still keep it from beginning anew.
      guard attempt.isWhole else { return }
      pinBookmarksAnew(newest)
      letKeptSnapshotsGo(where: \.readsWAL)
    }
  }

  /// With the write lane held.
  func checkpoint(_ mode: SQLiteCheckpointMode) throws -> SQLiteCheckpointResult {
    var result: SQLiteCheckpointResult?
    defer { guardReader.followed(result) }
    let told = try writer.checkpoint(mode, busyTimeout: options.busyTimeoutNanoseconds)
    result = told
    return told
  }

  /// With the write lane held. A bookmark that is lost over it, which takes a failing disk, says so at its next read.
  func pinBookmarksAnew(_ newest: Commit) {
    let pins = registry.withLock { Array($0.pins) }
    let reading = Set(pins.filter { $0.value.isLongLived && $0.value.readsWAL }.map(\.key))
    for connection in liveConnections() where reading.contains(connection.id) {
      try? connection.pinAnewIfIdle(newest)
    }
  }

  /// Puts a frame behind all commits that no checkpoint has copied, so that whoever begins to read from now on reads
  /// from the WAL. If it fails the checkpoint that comes instead tells why.
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

  /// A commit was written. With the write lane held.
  /// - Parameter wasCopied: whether all of the WAL was known to be copied before.
  /// - Returns: where it ends in the WAL.
  func accountForCommit(wasCopied: Bool, at now: UInt64) -> WALPosition {
    let hasRestarted = hasRestarted(wasCopied: wasCopied)
    return checkpointer.committed(framesInWAL: writer.framesInWAL, hasRestarted: hasRestarted, at: now)
  }

  /// Only a WAL of which all is copied begins anew. A checkpoint beside the commit may have found that out before
  /// COMMIT, or told of it since.
  private func hasRestarted(wasCopied: Bool) -> Bool {
    (wasCopied || checkpointer.account.backlog == 0) && writer.hasRestartedWAL()
  }

  /// Lets idle connections follow, and drops values that every connection has followed: the commits themselves may be
  /// kept for longer, by connections that are still to return them.
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
    // A new connection begins after it. Its writer may not have put its values on the list yet.
    if isEverythingFollowed { newest.values?.drop() }
    return isEverythingFollowed
  }
}
