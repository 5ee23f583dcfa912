/// The state of the engine, the process and the actors at one moment.
public struct EngineSample: Sendable, Equatable {
  /// Counts of one cache since its connection was opened.
  public struct CacheCounts: Codable, Sendable, Equatable {
    public var hits: Int
    public var misses: Int
    /// Entries that received the new value of a row that another connection had changed.
    public var updatedByPolicy: Int
    /// Entries that were dropped because another connection had changed them.
    public var dropped: Int
    /// Values that were dropped and then requested again: each is read and decoded once more.
    public var readAgain: Int
    /// Values decoded from the file's bytes.
    public var decoded: Int
    /// Values copied, so that no two connections hold the same one.
    public var copied: Int

    public init(
      hits: Int = 0,
      misses: Int = 0,
      updatedByPolicy: Int = 0,
      dropped: Int = 0,
      readAgain: Int = 0,
      decoded: Int = 0,
      copied: Int = 0
    ) {
      self.hits = hits
      self.misses = misses
      self.updatedByPolicy = updatedByPolicy
      self.dropped = dropped
      self.readAgain = readAgain
      self.decoded = decoded
      self.copied = copied
    }

    public static func + (left: Self, right: Self) -> Self { left.combined(with: right, by: +) }
    public static func - (left: Self, right: Self) -> Self { left.combined(with: right, by: -) }

    private static let counts: [any WritableKeyPath<Self, Int> & Sendable] = [
      \.hits, \.misses, \.updatedByPolicy, \.dropped, \.readAgain, \.decoded, \.copied,
    ]

    private func combined(with other: Self, by combine: (Int, Int) -> Int) -> Self {
      var result = self
      for count in Self.counts { result[keyPath: count] = combine(self[keyPath: count], other[keyPath: count]) }
      return result
    }
  }

  /// The two caches of a connection.
  public struct Caches: Codable, Sendable, Equatable {
    public var object: CacheCounts
    public var metadata: CacheCounts

    public init(object: CacheCounts = CacheCounts(), metadata: CacheCounts = CacheCounts()) {
      self.object = object
      self.metadata = metadata
    }
  }

  /// One connection at that moment.
  public struct Connection: Codable, Sendable, Equatable {
    public var name: String
    /// The number of commits after the connection's snapshot.
    public var ageCommits: Int
    /// Nanoseconds since the first commit after its snapshot; 0 if there is none.
    public var ageNanoseconds: UInt64
    /// Nanoseconds since its snapshot was pinned; nil if none is pinned.
    public var pinnedNanoseconds: UInt64?
    /// Frames that cannot be checkpointed because of this connection alone.
    public var framesHeldAlone: Int
    /// Change sets in memory that the connection has yet to process.
    public var pendingCommits: Int
    public var pendingBytes: Int
    /// nil for a driver without counts.
    public var caches: Caches?

    public init(
      name: String,
      ageCommits: Int = 0,
      ageNanoseconds: UInt64 = 0,
      pinnedNanoseconds: UInt64? = nil,
      framesHeldAlone: Int = 0,
      pendingCommits: Int = 0,
      pendingBytes: Int = 0,
      caches: Caches? = nil
    ) {
      self.name = name
      self.ageCommits = ageCommits
      self.ageNanoseconds = ageNanoseconds
      self.pinnedNanoseconds = pinnedNanoseconds
      self.framesHeldAlone = framesHeldAlone
      self.pendingCommits = pendingCommits
      self.pendingBytes = pendingBytes
      self.caches = caches
    }
  }

  /// The WAL at that moment.
  public struct WAL: Codable, Sendable, Equatable {
    /// Size of the file.
    public var bytes: Int
    public var frames: Int
    /// Frames that are not in the database file yet.
    public var backlogFrames: Int
    /// The frames of the backlog that cannot be copied because of pinned snapshots.
    public var heldFrames: Int
    /// The connection that has pinned the oldest snapshot; nil if no frames are held.
    public var pinnedBy: String?

    public init(
      bytes: Int = 0,
      frames: Int = 0,
      backlogFrames: Int = 0,
      heldFrames: Int = 0,
      pinnedBy: String? = nil
    ) {
      self.bytes = bytes
      self.frames = frames
      self.backlogFrames = backlogFrames
      self.heldFrames = heldFrames
      self.pinnedBy = pinnedBy
    }
  }

  public var elapsedNanoseconds: UInt64
  public var phase: String
  /// The number of the newest commit.
  public var commit: Int
  /// nil for a driver without a WAL. Such a driver has no `connections` either.
  public var wal: WAL?
  public var connections: [Connection]
  /// The number of transactions that each actor has finished since the phase began.
  public var finishedTransactions: [String: Int]
  /// The number of nested transactions that were refused since the phase began, by actor and operation; empty if no
  /// actor begins any.
  public var deadlocks: [String: [String: Int]]
  /// Bytes of keys, objects and metadata that each actor's transactions have stored since the phase began.
  public var logicalBytes: [String: Int]
  /// nil for a driver without files, and while the engine's process is down.
  public var writes: FileWrites?
  public var residentBytes: Int
  /// nil without jemalloc.
  public var allocatedBytes: Int?
  /// User time of the process since it started, in nanoseconds.
  public var userCPUNanoseconds: UInt64
  /// System time of the process since it started, in nanoseconds.
  public var systemCPUNanoseconds: UInt64
  /// Context switches of the process since it started.
  public var contextSwitches: Int
  /// Steal time of all processors since the machine booted.
  public var stolenNanoseconds: UInt64
  /// Time in which a task on the machine waited for a disk, since the machine booted; nil if the kernel does not
  /// report it.
  public var ioPressureNanoseconds: UInt64?

  /// The maximum number of samples of a run.
  public static let mostInRun = 2_000_000

  public init(
    elapsedNanoseconds: UInt64 = 0,
    phase: String,
    commit: Int = 0,
    wal: WAL? = nil,
    connections: [Connection] = [],
    finishedTransactions: [String: Int] = [:],
    deadlocks: [String: [String: Int]] = [:],
    logicalBytes: [String: Int] = [:],
    writes: FileWrites? = nil,
    residentBytes: Int = 0,
    allocatedBytes: Int? = nil,
    userCPUNanoseconds: UInt64 = 0,
    systemCPUNanoseconds: UInt64 = 0,
    contextSwitches: Int = 0,
    stolenNanoseconds: UInt64 = 0,
    ioPressureNanoseconds: UInt64? = nil
  ) {
    self.elapsedNanoseconds = elapsedNanoseconds
    self.phase = phase
    self.commit = commit
    self.wal = wal
    self.connections = connections
    self.finishedTransactions = finishedTransactions
    self.deadlocks = deadlocks
    self.logicalBytes = logicalBytes
    self.writes = writes
    self.residentBytes = residentBytes
    self.allocatedBytes = allocatedBytes
    self.userCPUNanoseconds = userCPUNanoseconds
    self.systemCPUNanoseconds = systemCPUNanoseconds
    self.contextSwitches = contextSwitches
    self.stolenNanoseconds = stolenNanoseconds
    self.ioPressureNanoseconds = ioPressureNanoseconds
  }
}
