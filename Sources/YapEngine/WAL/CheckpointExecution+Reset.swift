internal import SQLiteBinding
internal import ThreadingPrimitives

/// Resets of the WAL, and full checkpoints.
///
/// While any reader reads from the WAL, the WAL grows, even if it is completely copied. Readers move forward one by
/// one, alongside commits, so there may never be a moment at which none of them reads from the WAL. A reset creates
/// such a moment: writers wait until all readers are at the newest snapshot; the remaining frames are copied; and
/// bookmarks are pinned again, after which they read from the database file. `ResetBudget` limits the wait for readers,
/// except in a reset that a program requests, for which the program sets the limit.
extension CheckpointExecution {
  /// The interval at which pins are checked again. The release of a pin wakes the thread only if no pin of the same or
  /// an older snapshot is left, so other changes of pins have to be polled.
  private static let lookNanoseconds: UInt64 = 1_000_000

  /// Resets a WAL that has reached `aggressiveCheckpointAt`. Truncates its file if that exceeds `journalSizeLimit`.
  func resetWAL() {
    let size = database.file.walBytes
    let isTooLong = database.options.journalSizeLimit.map { size > $0 } ?? false
    resetWAL(isTooLong ? .truncate : .restart, cause: .limit) { attempt, frames in
      let due = attempt.pin?.nanosecondsDue(at: attempt.startedAt)
      return state.readerWaitNanoseconds(frames: frames, due: due)
    }
  }

  /// Waits for readers with the write lane held, copies all frames, and records the outcome.
  /// - Parameters:
  ///   - mode: After `full` the WAL continues; after `restart` and `truncate` it restarts. Not `passive`.
  ///   - longestWait: Returns the nanoseconds that writers may wait for the reader that blocks the reset now, counted
  ///     from the start of the reset. Receives the attempt and the number of frames in the WAL at the start.
  func resetWAL(
    _ mode: YapDatabaseCheckpoint.Mode,
    cause: YapDatabaseCheckpoint.Cause,
    longestWait: (_ attempt: CheckpointAttempt, _ frames: Int) -> UInt64
  ) {
    let asked = MonotonicClock.now
    withWriteLane {
      let began = MonotonicClock.now
      var attempt = CheckpointAttempt(
        mode: mode,
        cause: cause,
        startedAt: began,
        waitNanoseconds: began - asked,
        writesBefore: writer.writesOfThread
      )
      let before = state.account
      var waited: UInt64 = 0
      database.isResettingWAL = true
      defer { database.isResettingWAL = false }
      hooks.reach(.resetBegun, "checkpointer")
      do {
        while true {
          signals.watchPins()
          if try tryReset(&attempt) { break }
          let now = MonotonicClock.now
          let deadline = began + longestWait(attempt, before.frames)
          // If the checkpointer is asked to stop, a call that closes the database waits for the write lane.
          if now >= deadline || signals.isStopped { break }
          if cause == .limit { try copyWhileWaiting(attempt, frames: before.frames) }
          signals.waitForPin(until: min(MonotonicClock.now + Self.lookNanoseconds, deadline))
          waited += MonotonicClock.now - now
        }
      } catch {
        attempt.failure = "\(error)"
      }
      attempt.end(at: MonotonicClock.now, onLaneOf: writer)
      state.recordReset(attempt, before: before, waited: waited)
    }
  }

  /// Copies the frames that the pins allow if they are worth a copy. Less is then left to copy at the end of the wait.
  private func copyWhileWaiting(_ attempt: CheckpointAttempt, frames: Int) throws {
    guard state.isWorthCopyingInReset(frames: frames, oldestPin: oldestPin()) else { return }
    var copying = attempt
    try copy(&copying, newest: newest)
  }

  /// Copies the frames that the pins allow, as a part of a reset or of a full checkpoint.
  private func copy(_ attempt: inout CheckpointAttempt, newest: Commit) throws {
    attempt.result = try checkpoint(.passive)
    state.recordCopyInReset(attempt, snapshot: newest.snapshot)
  }

  /// - Returns: Whether the WAL will restart or, for a full checkpoint, is completely copied. If false, `attempt.pin`
  ///   is the snapshot whose pin blocks the attempt; nil if it is not known.
  private func tryReset(_ attempt: inout CheckpointAttempt) throws -> Bool {
    let newest = self.newest
    attempt.result = nil
    database.releaseKeptSnapshots { $0.commit !== newest }
    attempt.pin = oldestPin { $0.commit !== newest }
    if attempt.pin != nil { return false }
    if attempt.mode == .full {
      try copy(&attempt, newest: newest)
      database.renewBookmarks(at: newest)
      return attempt.isWhole
    }
    if state.account.backlog > 0 {
      var copying = attempt
      try copy(&copying, newest: newest)
    }
    database.renewBookmarks(at: newest)
    database.releaseKeptSnapshots(where: \.readsWAL)
    attempt.result = try checkpoint(attempt.mode)
    if attempt.result?.isBusy == false { return true }
    attempt.pin = oldestPin { $0.readsWAL }
    return false
  }
}
