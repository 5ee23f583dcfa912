internal import SQLiteBinding
internal import ThreadingPrimitives

extension YapDatabase: CheckpointTarget {
  /// The checkpoints since the one with this number, oldest first; 0 for all that are remembered (the last 10,000).
  public func checkpoints(after number: Int = 0) -> [YapDatabaseCheckpoint] {
    checkpointer.withLedger { $0.entries(after: number) }
  }

  func oldestPin() -> (position: WALPosition, connection: String)? {
    let oldest = registry.withLock { registry in
      registry.pins.min { ($0.value.commit.snapshot, $0.key) < ($1.value.commit.snapshot, $1.key) }
    }
    guard let oldest else { return nil }
    let name = liveConnections().first { $0.id == oldest.key }?.name
    return (oldest.value.commit.position, name ?? "connection \(oldest.key.number)")
  }

  func performCheckpoint(_ cause: CheckpointPlanner.Cause) {
    let asked = MonotonicClock.now
    writer.lane.withLane {
      guard !writer.isClosed else { return }
      options.testHooks.reach(.checkpointBegun, "checkpointer")
      let pin = oldestPin()
      let expected = checkpointer.account.copyableFrame(oldestPin: pin?.position)
      let started = MonotonicClock.now
      var result: SQLiteCheckpointResult?
      var failure: String?
      do { result = try writer.checkpoint() } catch { failure = "\(error)" }
      let ended = MonotonicClock.now
      checkpointer.checkpointed(
        CheckpointAttempt(
          cause: cause,
          startedAt: started,
          waitNanoseconds: started - asked,
          durationNanoseconds: ended - started,
          expectedFrame: expected,
          isBusy: result?.isBusy ?? false,
          framesInWAL: result?.framesInWAL,
          framesCopied: result?.framesCopied,
          failure: failure,
          pinnedBy: pin?.connection
        ),
        at: ended
      )
    }
  }

  func sweepIdleConnections() -> Bool {
    handles.dropExpired(at: MonotonicClock.now)
    let newest = registry.withLock { $0.newest }
    var isEverythingFollowed = true
    for connection in liveConnections() {
      isEverythingFollowed = connection.followIfIdle(newest) && isEverythingFollowed
    }
    return isEverythingFollowed
  }
}
