internal import SQLiteBinding
internal import ThreadingPrimitives

/// Resets the WAL, on the checkpointer's thread.
///
/// While any reader reads from the WAL, the WAL grows, even if it is completely copied. Readers move forward one by
/// one, alongside commits, so there may never be a moment at which none of them reads from the WAL. A reset creates
/// that moment: writers wait until all readers are at the newest snapshot; the remaining frames are copied; and
/// bookmarks are pinned again, after which they read from the database file. `ResetBudget` limits how long writers
/// wait.
extension YapDatabase {
  /// The interval at which pins are checked again. Readers that were just beginning cause no wake-up, so they are
  /// polled.
  private static let lookNanoseconds: UInt64 = 1_000_000

  func resetWAL() {
    let isTooLong = options.journalSizeLimit.map { WALFile.size(databasePath: path) > $0 } ?? false
    resetWAL(isTooLong ? .truncate : .restart, .limit) { [checkpointer] attempt, frames in
      let due = attempt.pin?.nanosecondsDue(at: attempt.startedAt)
      return checkpointer.readerWaitNanoseconds(frames: frames, due: due)
    }
  }

  /// - Parameters:
  ///   - mode: A full checkpoint copies everything, and the WAL continues.
  ///   - cause: The reason for the checkpoint.
  ///   - longestWait: Returns the nanoseconds that writers may wait for the reader that blocks the reset now, counted
  ///     from the start of the reset. It receives the attempt and the number of frames in the WAL at the start.
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

  /// Copies the frames that the pins allow, so that less is left to copy when the last reader has moved.
  private func copyWhileWaiting(_ attempt: CheckpointAttempt, frames: Int) throws {
    guard checkpointer.isWorthCopyingInReset(frames: frames, oldestPin: oldestPin()) else { return }
    let newest = registry.withLock { $0.newest }
    var copying = attempt
    copying.result = try checkpoint(.passive)
    checkpointer.copied(copying, snapshot: newest.snapshot)
  }

  /// - Returns: Whether the WAL will restart or, for a full checkpoint, is completely copied. If false, `attempt` names
  ///   the connection that blocks it, if it is known.
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
