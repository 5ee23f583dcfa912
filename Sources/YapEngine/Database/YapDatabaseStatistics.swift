internal import ThreadingPrimitives

/// The state of the database and its connections. Commits may be made between the readings of two values.
public struct YapDatabaseStatistics: Sendable {
  /// One connection.
  public struct Connection: Sendable {
    /// Distinguishes connections of the same name.
    public let number: UInt64
    public let name: String
    /// The snapshot that the caches reflect.
    public let snapshot: UInt64
    /// The snapshot that the connection has pinned; nil without a read transaction and without a bookmark.
    public let pinnedSnapshot: UInt64?
    /// Whether the pin belongs to a long-lived read transaction.
    public let isInLongLivedRead: Bool
    /// The time since the pin; for a snapshot kept from an earlier read, `snapshotAgeNanoseconds`. 0 without a pin.
    public let pinnedNanoseconds: UInt64
    /// The time since the commit after the pinned snapshot; 0 if that is the newest, and without a pin.
    public let snapshotAgeNanoseconds: UInt64
    /// The last frame of the WAL up to the pinned snapshot; later frames cannot be copied. 0 without a pin, and for a
    /// snapshot from before the last restart of the WAL.
    public let pinnedFrame: Int
    /// Whether the pinned snapshot is read from the WAL, at least in part. If so, the WAL cannot restart, even if the
    /// snapshot is the newest and all of the WAL is copied.
    public let readsWAL: Bool
    /// Further frames that a checkpoint could copy if only this connection moved to the newest snapshot.
    public let framesHeldAlone: Int
    /// The time since the start of the connection's read-write transaction, whose frames cannot be copied before it
    /// ends; nil outside one. In a joint commit, only the last transaction has a time.
    public let writingNanoseconds: UInt64?
    /// Commits that the caches have not followed yet.
    public let pendingCommits: UInt64
    /// Commits since the last snapshot that the client saw. The next `beginLongLivedReadTransaction` returns the
    /// commits of other connections.
    public let unseenCommits: UInt64
    /// The memory in bytes of the unseen commits, and of the values that the connection has not followed yet. Memory
    /// that several connections share counts for each of them.
    public let pendingBytes: Int
    public let caches: Caches
  }

  /// The number of stored objects and metadata that could not be decoded, by the answer of
  /// `YapDatabaseOptions.undecodableValueHandler`. Each read of a value counts, except reads of single rows by key.
  public struct UndecodableValues: Sendable, Equatable {
    /// The call threw the error.
    public internal(set) var stopped = 0
    /// The row was left out; calls for one row of a view threw the error.
    public internal(set) var skipped = 0
    /// The call continued with another value.
    public internal(set) var replaced = 0
  }

  /// The number of the newest commit.
  public let snapshot: UInt64
  /// The size of the WAL file in bytes. It does not shrink when the WAL restarts, unless the file is truncated.
  public let walBytes: Int
  /// Frames in the WAL, of a page and 24 bytes each; an upper bound until the first commit or checkpoint.
  public let walFrames: Int
  /// The number of these frames that are in the database file.
  public let walFramesCopied: Int
  /// The number of times that the WAL has restarted since open.
  public let walRestarts: Int
  public let pageSize: Int
  public let connections: [Connection]
  /// Bytes of changed values that were dropped since open because of `waitingValuesLimit`. A connection that follows
  /// the values' commits later drops the changed rows from its caches.
  public let droppedValueBytes: Int
  /// The undecodable values since open.
  public let undecodableValues: UndecodableValues
  /// The number of times that SQLite slept and tried again because a lock was held outside the engine.
  public let lockWaitCount: Int
  /// Asynchronous calls that failed since open and had no completion to receive the error.
  public let asyncFailureCount: Int
  /// Checkpoints since open, including those that were blocked or failed.
  public let checkpointCount: Int
  /// The error message of the last checkpoint that failed; nil if none has failed.
  public let lastCheckpointFailure: String?

  /// Frames that are only in the WAL.
  public var walBacklogFrames: Int { walFrames - walFramesCopied }

  /// The connection that keeps the WAL from restarting: of several, the one with the oldest snapshot; nil if there is
  /// none. Even a connection at the newest snapshot may do so, with all of the WAL copied.
  public var walHeldOpenBy: Connection? {
    guard walFrames > 0 else { return nil }
    let readers = connections.filter { $0.readsWAL || $0.pinnedSnapshot ?? snapshot < snapshot }
    return readers.min { ($0.pinnedSnapshot ?? 0, $0.number) < ($1.pinnedSnapshot ?? 0, $1.number) }
  }

  /// The connection with the oldest pinned snapshot, if it keeps frames from being copied; otherwise nil.
  public var walPinnedBy: Connection? {
    guard walBacklogFrames > 0 else { return nil }
    let oldest = connections.filter { $0.pinnedSnapshot != nil }.min { $0.pinnedFrame < $1.pinnedFrame }
    return oldest.flatMap { $0.pinnedFrame < walFrames ? $0 : nil }
  }

  /// The frames of the backlog that cannot be copied because of pinned snapshots.
  public var walFramesHeld: Int { walPinnedBy.map { walFrames - max($0.pinnedFrame, walFramesCopied) } ?? 0 }
}

extension YapDatabase {
  /// The state of the database, including the connections that pin the WAL. Reading it waits for no transaction.
  public var statistics: YapDatabaseStatistics {
    let account = checkpointer.state.account
    let (checkpointCount, lastFailure) = checkpointer.state.withLedger { ($0.count, $0.lastFailure) }
    // An array: while a copy shares the dictionary's storage, the next pin would have to copy the storage under the
    // lock.
    let (newest, pinList) = registry.withLock { ($0.newest, Array($0.pins)) }
    var pins = Dictionary(uniqueKeysWithValues: pinList.map { ($0.key, $0.value) })
    let live = self.connections.live
    // Snapshots that idle connections keep for the next read are left out: they are released once they block anything.
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
        // The start of a read on a kept snapshot is unknown. It was before the next commit, so this is a lower bound.
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
      walBytes: file.walBytes,
      walFrames: account.frames,
      walFramesCopied: account.copied,
      walRestarts: account.generation,
      pageSize: pageSize,
      connections: connections,
      droppedValueBytes: droppedValues.bytes,
      undecodableValues: undecodableValues.withLock { $0 },
      lockWaitCount: lockWaits.count,
      asyncFailureCount: asyncFailures.count,
      checkpointCount: checkpointCount,
      lastCheckpointFailure: lastFailure
    )
  }

  /// Returns the connection with the oldest pin, and the number of uncopied frames from its pin to the next pin or to
  /// the end of the WAL; nil without pins.
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
