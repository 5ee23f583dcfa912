/// What the database holds, and who holds it, at one moment.
public struct YapDatabaseStatistics: Sendable {
  /// One connection.
  public struct Connection: Sendable {
    /// Tells connections of one name apart.
    public let number: UInt64
    public let name: String
    /// The snapshot that its caches reflect.
    public let snapshot: UInt64
    /// The snapshot that it has pinned; nil outside a read transaction.
    public let pinnedSnapshot: UInt64?
    /// Whether that is a long-lived read transaction.
    public let isInLongLivedRead: Bool
    /// For how long that snapshot has been pinned.
    public let pinnedNanoseconds: UInt64
    /// For how long the pinned snapshot has not been the newest: since the commit after it.
    public let snapshotAgeNanoseconds: UInt64
    /// The last frame of the WAL that the pinned snapshot reads; frames after it cannot be copied. 0 also for a
    /// snapshot that reads from the database file alone.
    public let pinnedFrame: Int
    /// Whether the pinned snapshot is read from the WAL, at least in part. The WAL cannot begin anew as long as it is,
    /// even if the snapshot is the newest and all of the WAL is copied.
    public let readsWAL: Bool
    /// Frames that would be copied by a checkpoint if this connection, and it alone, moved to the newest snapshot.
    public let framesHeldAlone: Int
    /// For how long its read-write transaction has been open; nil outside of one. What it writes cannot be copied
    /// before it ends.
    public let writingNanoseconds: UInt64?
    /// Commits that it has not followed yet.
    public let pendingCommits: UInt64
    /// Commits since the last snapshot that its client saw. The next beginning of a long-lived read returns those of
    /// other connections.
    public let unseenCommits: UInt64
    /// The memory that unseen commits take, in bytes, with the values that it has not followed yet. Connections share
    /// commits that they all wait for.
    public let pendingBytes: Int
    public let caches: Caches
  }

  /// What a connection's caches did since it was made.
  public struct Caches: Sendable {
    /// One of the two.
    public struct Values: Sendable {
      /// Asked for, and answered from the cache.
      public let hits: Int
      public let misses: Int
      /// Made from bytes of the database.
      public let decoded: Int
      /// Copies made by `databaseCopy`, for others and from others.
      public let copied: Int
      /// Cached values in whose place came one that another connection stored: under share and copy.
      public let updatedByPolicy: Int
      /// Cached values that were dropped because another connection had changed or removed the row.
      public let dropped: Int
      /// Misses of rows whose values had been dropped because another connection had changed them: what dropping
      /// costs, as each is read and decoded again. Of the last rows that were dropped, as many as the cache's limit.
      public let readAgain: Int
    }

    public let objects: Values
    public let metadata: Values
  }

  /// Stored objects and metadata that could not be decoded, by the answer of
  /// `YapDatabaseOptions.undecodableValueHandler`. A value counts each time it is read; reads by key do not count.
  public struct UndecodableValues: Sendable, Equatable {
    /// The call threw the error.
    public let stopped: Int
    /// The row was left out.
    public let skipped: Int
    /// The call continued with another value.
    public let replaced: Int
  }

  /// The newest commit's number.
  public let snapshot: UInt64
  /// Size of the WAL file. It does not shrink when the WAL is written from its beginning again.
  public let walBytes: Int
  /// Frames that are valid in it; a frame is a page and 24 bytes.
  public let walFrames: Int
  /// Frames that are in the database file already.
  public let walFramesCopied: Int
  /// How often the WAL was written from its beginning.
  public let walRestarts: Int
  public let pageSize: Int
  public let connections: [Connection]
  /// Bytes of changed values that were given up for `waitingValuesLimit` since open: whoever had yet to follow their
  /// commits reads anew what they changed.
  public let droppedValueBytes: Int
  /// Since the database was opened.
  public let undecodableValues: UndecodableValues
  /// How often a statement found a lock of somebody outside of the engine in its way, and waited.
  public let lockWaitCount: Int
  /// Asynchronous calls that failed since open and had no completion to receive the error.
  public let asyncFailureCount: Int
  /// Checkpoints made since open.
  public let checkpointCount: Int
  /// What SQLite said of the last checkpoint that failed; nil if none has.
  public let lastCheckpointFailure: String?

  /// Frames that are only in the WAL.
  public var walBacklogFrames: Int { walFrames - walFramesCopied }

  /// The connection that keeps the WAL from beginning anew, the one with the oldest snapshot if there are several; nil
  /// if there is none. It may be at the newest snapshot, and all of the WAL be copied.
  public var walHeldOpenBy: Connection? {
    guard walFrames > 0 else { return nil }
    let readers = connections.filter { $0.readsWAL || $0.pinnedSnapshot ?? snapshot < snapshot }
    return readers.min { ($0.pinnedSnapshot ?? 0, $0.number) < ($1.pinnedSnapshot ?? 0, $1.number) }
  }

  /// The connection that has pinned the oldest snapshot, if it keeps frames from being copied.
  public var walPinnedBy: Connection? {
    guard walBacklogFrames > 0 else { return nil }
    let oldest = connections.filter { $0.pinnedSnapshot != nil }.min { $0.pinnedFrame < $1.pinnedFrame }
    return oldest.flatMap { $0.pinnedFrame < walFrames ? $0 : nil }
  }
}
