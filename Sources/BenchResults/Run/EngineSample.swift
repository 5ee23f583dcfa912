/// The state of the engine, the process and the actors at one moment.
public struct EngineSample: Codable, Sendable, Equatable {
  /// Counts of one cache since its connection was opened.
  public struct CacheCounts: Codable, Sendable, Equatable {
    public var hits = 0
    public var misses = 0
    public var updatedByPolicy = 0
    public var dropped = 0
    public var readAgain = 0
    public var decoded = 0
    public var copied = 0

    public static let zero = Self()

    /// All reads of the cache.
    public var reads: Int { hits + misses }

    /// A row of the table of counts: its name in metrics, its meaning, and its property.
    struct Count: Sendable {
      let name: String
      let meaning: String
      let path: any WritableKeyPath<CacheCounts, Int> & Sendable
      /// Whether it counts some of the reads.
      var isPartOfReads = false
    }

    static let all = [
      Count(name: "hits", meaning: "Reads served from the cache.", path: \.hits, isPartOfReads: true),
      Count(
        name: "misses",
        meaning: "Reads of values that were not in the cache.",
        path: \.misses,
        isPartOfReads: true
      ),
      Count(name: "updatedByPolicy", meaning: "Entries updated with a commit's new value.", path: \.updatedByPolicy),
      Count(name: "dropped", meaning: "Entries dropped because another connection changed the row.", path: \.dropped),
      Count(
        name: "readAgain",
        meaning: "Reads of rows whose entry had been dropped: each value is read and decoded once more.",
        path: \.readAgain,
        isPartOfReads: true
      ),
      Count(name: "decoded", meaning: "Values decoded from the bytes of the file.", path: \.decoded),
      Count(name: "copied", meaning: "Values copied under the policy `copy`, so that none is shared.", path: \.copied),
    ]
  }

  /// The two caches of a connection.
  public struct Caches: Codable, Sendable, Equatable {
    public var object = CacheCounts()
    public var metadata = CacheCounts()

    public static let zero = Self()

    /// Returns the increments of both caches together.
    public func increments(since earlier: Self) -> CacheCounts {
      CacheCounts.all.map(\.path).reduce(into: CacheCounts()) { sum, count in
        sum[keyPath: count] = object[keyPath: count] - earlier.object[keyPath: count]
        sum[keyPath: count] += metadata[keyPath: count] - earlier.metadata[keyPath: count]
      }
    }
  }

  /// One connection at the moment of the sample.
  public struct Connection: Codable, Sendable, Equatable {
    public var name: String
    /// The number of commits after the connection's pinned snapshot; 0 if none is pinned.
    public var ageCommits = 0
    /// Nanoseconds since the first commit after the pinned snapshot; 0 without one. Except in the driver `yap`, since
    /// the pin if it came after that commit.
    public var ageNanoseconds: UInt64 = 0
    /// Nanoseconds since the snapshot was pinned; nil if none is pinned.
    public var pinnedNanoseconds: UInt64?
    /// Frames that cannot be checkpointed because of this connection alone.
    public var framesHeldAlone = 0
    /// Commits that the connection's caches have not followed yet.
    public var pendingCommits = 0
    /// The memory in bytes of the commits and values that wait for the connection.
    public var pendingBytes = 0
    /// nil for a driver without counts.
    public var caches: Caches?
  }

  /// The WAL at the moment of the sample.
  public struct WAL: Codable, Sendable, Equatable {
    /// Size of the file.
    public var bytes = 0
    public var frames = 0
    /// Frames that are not in the database file yet.
    public var backlogFrames = 0
    /// The frames of the backlog that cannot be copied because of pinned snapshots.
    public var heldFrames = 0
    /// The connection that has pinned the oldest snapshot; nil if no frames are held.
    public var pinnedBy: String?

    public static let zero = Self()
  }

  public var elapsedNanoseconds: UInt64 = 0
  public var phase: String
  /// The number of the newest commit.
  public var commit = 0
  /// nil for a driver without SQLite's WAL, and while the engine's process is down.
  public var wal: WAL?
  /// The size of all files of the database; nil for a driver without files, and while the engine's process is down.
  public var storageBytes: Int?
  /// The figures that only this engine has, by the names of their metrics.
  public var figures: [String: Int] = [:]
  public var connections: [Connection] = []
  /// The number of transactions that each actor has finished since the phase began.
  public var finishedTransactions: [String: Int] = [:]
  /// The number of arrivals of each actor with an open load that were due since the phase began, and the part of them
  /// that was dropped. Independent arrivals (`poisson`) that were not taken are counted with the integral of the rate.
  public var dueArrivals: [String: Int] = [:]
  public var droppedArrivals: [String: Int] = [:]
  /// The number of nested transactions that were refused since the phase began, by actor and operation; empty if no
  /// actor begins any.
  public var deadlocks: [String: [String: Int]] = [:]
  /// Bytes of keys, objects and metadata that each actor's transactions have stored since the phase began.
  public var logicalBytes: [String: Int] = [:]
  /// nil for a driver that does not count them, and while the engine's process is down.
  public var writes: FileWrites?
  public var residentBytes = 0
  /// nil without jemalloc.
  public var allocatedBytes: Int?
  /// User time of the process since it started, in nanoseconds.
  public var userCPUNanoseconds: UInt64 = 0
  /// System time of the process since it started, in nanoseconds.
  public var systemCPUNanoseconds: UInt64 = 0
  /// Context switches of the process since it started.
  public var contextSwitches = 0
  /// Steal time of all processors since the machine booted.
  public var stolenNanoseconds: UInt64 = 0
  /// The time of all processors in which they ran a task or an interrupt, since the machine booted.
  public var busyNanoseconds: UInt64 = 0
  /// Processor time of the engine's own process, since the run began; nil if the engine runs in this process.
  public var engineCPUNanoseconds: UInt64?
  /// The sum over the threads of this process and the engine's of the time for which they were ready to run and waited
  /// for a processor, since the run began; nil if the kernel does not report it.
  public var runDelayNanoseconds: UInt64?
  /// The number of periods in which CPU quotas stopped the process's control groups, since these were created, and the
  /// time for which they did, summed over the processors; nil without such groups.
  public var throttledPeriods: Int?
  public var throttledNanoseconds: UInt64?
  /// Time in which a task on the machine waited for a disk, since the machine booted; nil if the kernel does not
  /// report it.
  public var ioPressureNanoseconds: UInt64?
  /// Bytes that were read from the database's disk or written to it, but not for this process; only increases mean
  /// something. nil if they are not known.
  public var foreignDiskBytes: Int?
  /// Syncs of the database's disk since the machine booted; nil if they are not known.
  public var diskSyncs: Int?

  /// The processor time of this process and the engine's.
  package var cpuNanoseconds: UInt64 { userCPUNanoseconds + systemCPUNanoseconds + (engineCPUNanoseconds ?? 0) }

  /// The maximum number of samples of a run.
  public static let mostInRun = 2_000_000
}

extension EngineSample {
  public init(phase: String) { self.phase = phase }

  /// Creates a sample of what a driver knows: without the phase, and without the figures of the process and the actors.
  public init(
    commit: Int,
    storageBytes: Int? = nil,
    wal: WAL? = nil,
    connections: [Connection] = [],
    writes: FileWrites? = nil,
    figures: [String: Int] = [:]
  ) {
    self.init(phase: "")
    (self.commit, self.storageBytes, self.wal) = (commit, storageBytes, wal)
    (self.connections, self.writes, self.figures) = (connections, writes, figures)
  }
}

extension EngineSample.Connection {
  public init(name: String) { self.name = name }

  /// The separator between the name of a pool and the number of one of its connections.
  package static let numberMark: Character = "#"

  /// Returns the name under which the scenario declares a connection, or the pool that it belongs to.
  package static func declaredName(of name: String) -> String { String(name.prefix { $0 != numberMark }) }
}
