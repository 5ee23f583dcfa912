internal import SQLiteBinding
internal import ThreadingPrimitives

/// Making the WAL begin anew, on the checkpointer's thread.
///
/// As long as anybody reads from the WAL it only grows, however much of it is copied; and readers that move forward do
/// so one by one, while commits go on, so that there may never be a moment at which none of them does. Here that moment
/// is made: writers wait until all readers have come to the newest snapshot, what is left is copied, and bookmarks are
/// pinned anew, which takes them out of the WAL.
extension YapDatabase {
  /// How often readers are looked at that nobody tells of: those that were just beginning.
  private static let lookNanoseconds: UInt64 = 1_000_000

  func resetWAL() {
    let isTooLong = options.journalSizeLimit.map { WALFile.size(databasePath: path) > $0 } ?? false
    resetWAL(isTooLong ? .truncate : .restart, .limit, longestWaitNanoseconds: checkpointer.readerWaitNanoseconds)
  }

  /// - Parameters:
  ///   - mode: a full one copies everything, and leaves the WAL to go on.
  ///   - cause: why it is made.
  ///   - longestWaitNanoseconds: how long writers may be kept waiting for readers.
  func resetWAL(_ mode: SQLiteCheckpointMode, _ cause: CheckpointPlanner.Cause, longestWaitNanoseconds: UInt64) {
    let asked = MonotonicClock.now
    withWriteLane(by: "checkpointer") {
      guard !writer.isClosed else { return }
      let began = MonotonicClock.now
      var attempt = CheckpointAttempt(mode: mode, cause: cause, startedAt: began, waitNanoseconds: began - asked)
      attempt.writesBefore = writer.writesOfThread
      let before = checkpointer.account
      let deadline = began + longestWaitNanoseconds
      var waited: UInt64 = 0
      isResettingWAL = true
      defer { isResettingWAL = false }
      options.testHooks.reach(.resetBegun, "checkpointer")
      do {
        while true {
          checkpointer.watchPins()
          if try tryReset(&attempt) { break }
          let now = MonotonicClock.now
          // Who closes the database waits for the write lane.
          if now >= deadline || checkpointer.isStopped { break }
          checkpointer.waitForPin(until: min(now + Self.lookNanoseconds, deadline))
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
