internal import ThreadingPrimitives

extension YapDatabase {
  /// The state of the database at this moment, including the connections that pin the WAL. Waits for no transaction.
  public var statistics: YapDatabaseStatistics {
    let account = checkpointer.state.account
    let (checkpointCount, lastFailure) = checkpointer.state.withLedger { ($0.count, $0.lastFailure) }
    // An array, not the dictionary: while a copy of the dictionary exists, the next reader that pins has to copy it
    // too.
    let (newest, pinList) = registry.withLock { ($0.newest, Array($0.pins)) }
    var pins = Dictionary(uniqueKeysWithValues: pinList.map { ($0.key, $0.value) })
    let live = liveConnections()
    // A snapshot that an idle connection keeps for its next read is released as soon as it blocks anything.
    for connection in live where connection.isSnapshotKept && !connection.lane.isHeld { pins[connection.id] = nil }
    let alone = framesHeldAlone(pins, account: account)
    let droppedValues = writer.droppedValues
    let writing = writer.openTransaction
    let now = MonotonicClock.now
    let connections = live.map { connection in
      let pin = pins[connection.id]
      let age = pin?.commit.next.map { now > $0.committedAt ? now - $0.committedAt : 0 } ?? 0
      let place = connection.reached
      return YapDatabaseStatistics.Connection(
        number: connection.id.number,
        name: connection.name,
        snapshot: connection.snapshot,
        pinnedSnapshot: pin?.commit.snapshot,
        isInLongLivedRead: pin?.isLongLived ?? false,
        // A read on a kept snapshot began at the latest when the snapshot was the newest.
        pinnedNanoseconds: connection.isSnapshotKept ? age : pin.map { now > $0.since ? now - $0.since : 0 } ?? 0,
        snapshotAgeNanoseconds: age,
        pinnedFrame: pin.map { account.frame(of: $0.commit.position) } ?? 0,
        readsWAL: pin?.readsWAL ?? false,
        framesHeldAlone: alone?.holder == connection.id ? alone?.frames ?? 0 : 0,
        writingNanoseconds: writing.flatMap { writing in
          guard writing.connection == connection.id else { return nil }
          return now > writing.since ? now - writing.since : 0
        },
        pendingCommits: newest.snapshot - min(place.snapshot, newest.snapshot),
        unseenCommits: newest.snapshot - min(place.seen, newest.snapshot),
        pendingBytes: max(newest.cumulativeChangeBytes - place.seenChangeBytes, 0)
          + max(newest.cumulativeValueBytes - max(place.valueBytes, droppedValues.upTo), 0),
        caches: YapDatabaseStatistics.Caches(connection.counters)
      )
    }
    return YapDatabaseStatistics(
      snapshot: newest.snapshot,
      walBytes: WALFile.size(databasePath: path),
      walFrames: account.frames,
      walFramesCopied: account.copied,
      walRestarts: account.generation,
      pageSize: pageSize,
      connections: connections,
      droppedValueBytes: droppedValues.bytes,
      undecodableValues: undecodableValues.values,
      lockWaitCount: lockWaits.count,
      asyncFailureCount: asyncFailures.count,
      checkpointCount: checkpointCount,
      lastCheckpointFailure: lastFailure
    )
  }

  /// Only the connection with the oldest pin can hold frames alone: those up to the next oldest pin, or to the end.
  private func framesHeldAlone(
    _ pins: [ConnectionID: CommitRegistry.Pin],
    account: WALAccount
  ) -> (holder: ConnectionID, frames: Int)? {
    let frames = pins.map { (id: $0.key, frame: account.frame(of: $0.value.commit.position)) }
      .sorted { ($0.frame, $0.id) < ($1.frame, $1.id) }
    guard let oldest = frames.first else { return nil }
    let next = frames.dropFirst().first?.frame ?? account.frames
    return (oldest.id, max(next - max(oldest.frame, account.copied), 0))
  }
}
