internal import SQLiteBinding
internal import ThreadingPrimitives

/// Resets of the WAL, on the checkpointer's thread.
///
/// While a reader reads from the WAL, the WAL grows, however much of it is copied. Readers that move forward do so one
/// by one, beside commits, so there may never be a moment at which none of them reads from the WAL. A reset makes that
/// moment: writers wait until all readers are at the newest snapshot; the remaining frames are copied; and bookmarks
/// are pinned again, after which they read from the database file. `ResetBudget` says how long writers wait.
extension YapDatabase {
  /// How often readers are looked at that nobody tells of: those that were just beginning.
  private static let lookNanoseconds: UInt64 = 1_000_000

  func resetWAL() {
    let isTooLong = options.journalSizeLimit.map { WALFile.size(databasePath: path) > $0 } ?? false
    resetWAL(isTooLong ? .truncate : .restart, .limit) { [checkpointer] attempt, frames in
      let due = attempt.pin?.nanosecondsDue(at: attempt.startedAt)
      return checkpointer.readerWaitNanoseconds(frames: frames, due: due)
    }
  }

  /// - Parameters:
  ///   - mode: a full one copies everything, and the WAL continues.
  ///   - cause: why it is made.
  ///   - longestWait: nanoseconds that writers may wait for the reader that is now in the way, counted from the start
  ///     of the reset. It gets the attempt and the number of frames with which the reset began.
  func resetWAL(
    _ mode: SQLiteCheckpointMode,
    _ cause: CheckpointPlanner.Cause,
    longestWait: (_ attempt: CheckpointAttempt, _ frames: Int) -> UInt64
  ) {
    let asked = MonotonicClock.now
    withWriteLane(by: "checkpointer") {
      guard !writer.isClosed else { return }
      let began = MonotonicClock.now
      var attempt = CheckpointAttempt(mode: mode, cause: cause, startedAt: began, waitNanoseconds: began - asked)
      attempt.writesBefore = writer.writesOfThread
      let before = checkpointer.account
      var waited: UInt64 = 0
      isResettingWAL = true
      defer { isResettingWAL = false }
      options.testHooks.reach(.resetBegun, "checkpointer")
      do {
        while true {
          checkpointer.watchPins()
          if try tryReset(&attempt) { break }
          let now = MonotonicClock.now
          let deadline = began + longestWait(attempt, before.frames)
          // A call that closes the database waits for the write lane.
          if now >= deadline || checkpointer.isStopped { break }
          if cause == .limit { try copyWhileWaiting(attempt, frames: before.frames) }
          checkpointer.waitForPin(until: min(MonotonicClock.now + Self.lookNanoseconds, deadline))
          waited += MonotonicClock.now - now
        }
      } catch {
        attempt.failure = "\(error)"
      }
      attempt.end(at: MonotonicClock.now, writes: writer.writesOfThread)
      attempt.stalledWriters = writer.waitingCount
      checkpointer.resetEnded(attempt, before: before, waited: waited)
    }
  }

  /// Copies what the readers that have moved allow, so that less is left to copy when the last one has moved.
  private func copyWhileWaiting(_ attempt: CheckpointAttempt, frames: Int) throws {
    guard checkpointer.isWorthCopyingInReset(frames: frames, oldestPin: oldestPin()) else { return }
    let newest = registry.withLock { $0.newest }
    var copying = attempt
    copying.result = try checkpoint(.passive)
    checkpointer.copied(copying, snapshot: newest.snapshot)
  }

  /// - Returns: whether the WAL begins anew, or all of it is copied, if that was asked for. Otherwise `attempt` names
  ///   who is in the way, if that is known.
  private func tryReset(_ attempt: inout CheckpointAttempt) throws -> Bool {
    let newest = registry.withLock { $0.newest }
    let skips = options.testHooks.has(.resetsOldBookmarks)
    attempt.result = nil
    letKeptSnapshotsGo { $0.commit !== newest }
    attempt.pin = skips ? nil : firstPin { $0.commit !== newest }
    if attempt.pin != nil { return false }
    if attempt.mode == .full {
      attempt.result = try checkpoint(.passive)
      checkpointer.copied(attempt, snapshot: newest.snapshot)
      pinBookmarksAnew(newest)
      return attempt.isWhole
    }
    if checkpointer.account.backlog > 0 {
      var copying = attempt
      copying.result = try checkpoint(.passive)
      checkpointer.copied(copying, snapshot: newest.snapshot)
    }
    pinBookmarksAnew(newest)
    letKeptSnapshotsGo(where: \.readsWAL)
    attempt.result = try checkpoint(attempt.mode)
    if attempt.result?.isBusy == false { return true }
    attempt.pin = firstPin { $0.readsWAL }
    return false
  }

  private func firstPin(where isInTheWay: (CommitRegistry.Pin) -> Bool) -> PinnedSnapshot? {
    let pins = registry.withLock { Array($0.pins) }
    return pinned(
      pins.filter { isInTheWay($0.value) }.min {
        ($0.value.commit.snapshot, $0.key) < ($1.value.commit.snapshot, $1.key)
      }
    )
  }
}
