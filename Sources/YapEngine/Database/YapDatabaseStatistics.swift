internal import ThreadingPrimitives

/// The state of the database and its connections at one moment.
public struct YapDatabaseStatistics: Sendable {
  /// One connection.
  public struct Connection: Sendable {
    /// Distinguishes connections of the same name.
    public let number: UInt64
    public let name: String
    /// The snapshot that the caches reflect.
    public let snapshot: UInt64
    /// The snapshot that the connection has pinned; nil outside a read transaction.
    public let pinnedSnapshot: UInt64?
    /// Whether the pin belongs to a long-lived read transaction.
    public let isInLongLivedRead: Bool
    /// The time for which `pinnedSnapshot` has been pinned.
    public let pinnedNanoseconds: UInt64
    /// The time for which the pinned snapshot has not been the newest: since the commit after it.
    public let snapshotAgeNanoseconds: UInt64
    /// The last frame of the WAL that the pinned snapshot reads; later frames cannot be copied. 0 without a pin, and
    /// for a snapshot that reads from the database file alone.
    public let pinnedFrame: Int
    /// Whether the pinned snapshot is read from the WAL, at least in part. If so, the WAL cannot restart, even if the
    /// snapshot is the newest and all of the WAL is copied.
    public let readsWAL: Bool
    /// Frames that a checkpoint would copy if only this connection moved to the newest snapshot.
    public let framesHeldAlone: Int
    /// The time for which the connection's read-write transaction has been open; nil outside one. Its frames cannot be
    /// copied before it ends.
    public let writingNanoseconds: UInt64?
    /// Commits that the caches have not followed yet.
    public let pendingCommits: UInt64
    /// Commits since the last snapshot that the client saw. The next beginning of a long-lived read returns those of
    /// other connections.
    public let unseenCommits: UInt64
    /// The memory in bytes of the unseen commits, and of the values that the connection has not followed yet.
    /// Connections that wait for the same commits share their memory.
    public let pendingBytes: Int
    public let caches: Caches
  }

  /// The number of stored objects and metadata that could not be decoded, by the answer of
  /// `YapDatabaseOptions.undecodableValueHandler`. A value counts each time it is read; reads by key do not count.
  public struct UndecodableValues: Sendable, Equatable {
    /// The call threw the error.
    public let stopped: Int
    /// The row was left out.
    public let skipped: Int
    /// The call continued with another value.
    public let replaced: Int
  }

  /// The number of the newest commit.
  public let snapshot: UInt64
  /// The size of the WAL file in bytes. It does not shrink when the WAL restarts, unless the file is truncated.
  public let walBytes: Int
  /// Valid frames in the WAL; a frame is a page and 24 bytes.
  public let walFrames: Int
  /// Frames that are already in the database file.
  public let walFramesCopied: Int
  /// How often the WAL has restarted.
  public let walRestarts: Int
  public let pageSize: Int
  public let connections: [Connection]
  /// Bytes of changed values that were dropped since open because of `waitingValuesLimit`. Connections that had not
  /// followed their commits read the changed rows again.
  public let droppedValueBytes: Int
  /// The undecodable values since open.
  public let undecodableValues: UndecodableValues
  /// How often a statement waited for a lock that was held outside the engine.
  public let lockWaitCount: Int
  /// Asynchronous calls that failed since open and had no completion to receive the error.
  public let asyncFailureCount: Int
  /// Checkpoints made since open.
  public let checkpointCount: Int
  /// SQLite's message for the last checkpoint that failed; nil if none has.
  public let lastCheckpointFailure: String?

  /// Frames that are only in the WAL.
  public var walBacklogFrames: Int { walFrames - walFramesCopied }

  /// The connection that keeps the WAL from restarting, the one with the oldest snapshot if there are several; nil if
  /// there is none. It may be at the newest snapshot, with all of the WAL copied.
  public var walHeldOpenBy: Connection? {
    guard walFrames > 0 else { return nil }
    let readers = connections.filter { $0.readsWAL || $0.pinnedSnapshot ?? snapshot < snapshot }
    return readers.min { ($0.pinnedSnapshot ?? 0, $0.number) < ($1.pinnedSnapshot ?? 0, $1.number) }
  }

  /// The connection with the oldest pinned snapshot, if it keeps frames from being copied.
  public var walPinnedBy: Connection? {
    guard walBacklogFrames > 0 else { return nil }
    let oldest = connections.filter { $0.pinnedSnapshot != nil }.min { $0.pinnedFrame < $1.pinnedFrame }
    return oldest.flatMap { $0.pinnedFrame < walFrames ? $0 : nil }
  }
}

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
    for connection in live where connection.pin.isKept && !connection.lane.isHeld { pins[connection.id] = nil }
    let alone = framesHeldAlone(pins, account: account)
    let droppedValues = writer.values.dropped
    let writing = writer.openTransaction
    let now = MonotonicClock.now
    let connections = live.map { connection in
      let pin = pins[connection.id]
      let age = pin?.commit.next.map { now > $0.committedAt ? now - $0.committedAt : 0 } ?? 0
      let progress = connection.follower.progress
      return YapDatabaseStatistics.Connection(
        number: connection.id.number,
        name: connection.name,
        snapshot: connection.snapshot,
        pinnedSnapshot: pin?.commit.snapshot,
        isInLongLivedRead: pin?.isLongLived ?? false,
        // A read on a kept snapshot began at the latest when the snapshot was the newest.
        pinnedNanoseconds: connection.pin.isKept ? age : pin.map { now > $0.since ? now - $0.since : 0 } ?? 0,
        snapshotAgeNanoseconds: age,
        pinnedFrame: pin.map { account.frame(of: $0.commit.position) } ?? 0,
        readsWAL: pin?.readsWAL ?? false,
        framesHeldAlone: alone?.holder == connection.id ? alone?.frames ?? 0 : 0,
        writingNanoseconds: writing.flatMap { writing in
          guard writing.connection == connection.id else { return nil }
          return now > writing.since ? now - writing.since : 0
        },
        pendingCommits: newest.snapshot - min(progress.snapshot, newest.snapshot),
        unseenCommits: newest.snapshot - min(progress.shown, newest.snapshot),
        pendingBytes: max(newest.cumulativeChangeBytes - progress.shownChangeBytes, 0)
          + max(newest.cumulativeValueBytes - max(progress.valueBytes, droppedValues.upTo), 0),
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
