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
    /// The time for which that snapshot has been pinned.
    public let pinnedNanoseconds: UInt64
    /// The time for which the pinned snapshot has not been the newest: since the commit after it.
    public let snapshotAgeNanoseconds: UInt64
    /// The last frame of the WAL that the pinned snapshot reads; later frames cannot be copied. Also 0 for a snapshot
    /// that reads from the database file alone.
    public let pinnedFrame: Int
    /// Whether the pinned snapshot is read from the WAL, at least in part. If so, the WAL cannot restart, even if the
    /// snapshot is the newest and all of the WAL is copied.
    public let readsWAL: Bool
    /// Frames that a checkpoint would copy if only this connection moved to the newest snapshot.
    public let framesHeldAlone: Int
    /// The time for which the read-write transaction has been open; nil outside one. Its frames cannot be copied before
    /// it ends.
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
