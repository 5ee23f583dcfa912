public import LatencyMetrics

/// Everything that is known of one run of one variant.
///
/// Times are nanoseconds since the run's first phase began, unless a name says otherwise; sizes are bytes.
public struct RunResult: Codable, Sendable {
  public var runID: String
  /// The variant's name; nil for a scenario without a matrix.
  public var variant: String?
  /// Which of the variant's runs it is, from 1.
  public var repetition = 1
  public var scenario: String
  public var summary: String
  public var tags: [String]
  public var seed: UInt64
  public var driver: String
  /// ISO 8601, UTC.
  public var startedAt: String
  public var isSmoke: Bool
  /// The run was interrupted: what stands here is what was measured until then.
  public var isPartial: Bool
  public var environment: RunEnvironment
  /// What the reader should know, such as settings that the engine does not follow yet.
  public var notes: [String]
  public var pageSizeBytes: Int
  public var samplingNanoseconds: UInt64
  public var phases: [PhaseResult]
  public var latencies: [LatencyResult]
  /// Of each operation that begins transactions inside of others; nil in results of older versions.
  public var deadlocks: [DeadlockResult]?
  /// Of each actor in each phase; nil in results of older versions. Empty without jemalloc.
  public var allocations: [AllocationResult]?
  /// Of each actor that has committed something, where the driver tells; nil in results of older versions.
  public var commitTimes: [CommitTimesResult]?
  /// Waits inside the engine, where the driver tells; nil in results of older versions.
  public var waits: [WaitResult]?
  /// Second by second; nil in results of older versions.
  public var waitIntervals: PackedIntervals<WaitIntervalResult>?
  @PackedIntervals public var intervals: [IntervalResult]
  @PackedSamples public var samples: [EngineSample]
  public var checkpoints: [CheckpointResult]
  /// In the order in which they were due; nil in results of older versions.
  public var events: [EventResult]?
  public var blame: BlameResult
  /// nil where the WAL never stayed far above its limit, for an engine without one, and in results of older versions.
  public var walExcess: WALExcessResult?
  public var expectations: [ExpectationResult]
  public var invariants: [InvariantResult]
  public var harness: HarnessResult
  /// Rows that must be there at the end by what the run wrote, by collection.
  public var rowsAtEnd: [String: Int]
  /// Of each worker in each phase; nil in results of older versions.
  public var digests: [DigestResult]?
  public var verdict: VerdictResult

  public init(
    runID: String,
    variant: String? = nil,
    repetition: Int = 1,
    scenario: String,
    summary: String,
    tags: [String],
    seed: UInt64,
    driver: String,
    startedAt: String,
    isSmoke: Bool,
    isPartial: Bool,
    environment: RunEnvironment,
    notes: [String],
    pageSizeBytes: Int,
    samplingNanoseconds: UInt64,
    phases: [PhaseResult],
    latencies: [LatencyResult],
    deadlocks: [DeadlockResult]? = nil,
    allocations: [AllocationResult]? = nil,
    commitTimes: [CommitTimesResult]? = nil,
    waits: [WaitResult]? = nil,
    waitIntervals: [WaitIntervalResult]? = nil,
    intervals: [IntervalResult],
    samples: [EngineSample],
    checkpoints: [CheckpointResult],
    events: [EventResult]? = nil,
    blame: BlameResult,
    expectations: [ExpectationResult],
    invariants: [InvariantResult],
    harness: HarnessResult,
    rowsAtEnd: [String: Int],
    digests: [DigestResult]? = nil,
    verdict: VerdictResult
  ) {
    self.runID = runID
    self.variant = variant
    self.repetition = repetition
    self.scenario = scenario
    self.summary = summary
    self.tags = tags
    self.seed = seed
    self.driver = driver
    self.startedAt = startedAt
    self.isSmoke = isSmoke
    self.isPartial = isPartial
    self.environment = environment
    self.notes = notes
    self.pageSizeBytes = pageSizeBytes
    self.samplingNanoseconds = samplingNanoseconds
    self.phases = phases
    self.latencies = latencies
    self.deadlocks = deadlocks
    self.allocations = allocations
    self.commitTimes = commitTimes
    self.waits = waits
    self.waitIntervals = waitIntervals.map { PackedIntervals(wrappedValue: $0) }
    self.intervals = intervals
    self.samples = samples
    self.checkpoints = checkpoints
    self.events = events
    self.blame = blame
    self.expectations = expectations
    self.invariants = invariants
    self.harness = harness
    self.rowsAtEnd = rowsAtEnd
    self.digests = digests
    self.verdict = verdict
  }
}

/// Where and with what a run was made.
public struct RunEnvironment: Codable, Sendable {
  public var cpu: String
  public var coreCount: Int
  public var memoryBytes: Int
  public var kernel: String
  /// Of the folder that held the database, such as "ext4".
  public var fileSystem: String
  public var sqliteVersion: String
  public var sqliteHasWALResetDefect: Bool
  public var sqliteCompileOptions: [String]
  public var swiftVersion: String
  /// "release" or "debug".
  public var buildMode: String
  /// nil outside of a checkout.
  public var commit: String?
  public var hasUncommittedChanges: Bool
  public var allocator: String
  /// Load average over one minute when the run began.
  public var loadAverage: Double

  public init(
    cpu: String,
    coreCount: Int,
    memoryBytes: Int,
    kernel: String,
    fileSystem: String,
    sqliteVersion: String,
    sqliteHasWALResetDefect: Bool,
    sqliteCompileOptions: [String],
    swiftVersion: String,
    buildMode: String,
    commit: String?,
    hasUncommittedChanges: Bool,
    allocator: String,
    loadAverage: Double
  ) {
    self.cpu = cpu
    self.coreCount = coreCount
    self.memoryBytes = memoryBytes
    self.kernel = kernel
    self.fileSystem = fileSystem
    self.sqliteVersion = sqliteVersion
    self.sqliteHasWALResetDefect = sqliteHasWALResetDefect
    self.sqliteCompileOptions = sqliteCompileOptions
    self.swiftVersion = swiftVersion
    self.buildMode = buildMode
    self.commit = commit
    self.hasUncommittedChanges = hasUncommittedChanges
    self.allocator = allocator
    self.loadAverage = loadAverage
  }
}

/// One phase, as it went.
public struct PhaseResult: Codable, Sendable {
  public enum End: String, Codable, Sendable {
    /// Its time was over, or its operations were done, or its condition held.
    case reached
    /// Its condition did not hold within its time.
    case notReached
    /// The run was interrupted, or ended by a violation, in it.
    case cutShort
  }

  public var name: String
  public var isRecorded: Bool
  public var startNanoseconds: UInt64
  public var endNanoseconds: UInt64
  /// When the last transaction ended that had begun in the phase, if that was after the phase's end. What is divided by
  /// time is divided by the time until then.
  public var lastTransactionEndNanoseconds: UInt64
  public var end: End
  /// What the phase waited for, as it is written; nil for a phase of fixed length.
  public var condition: String?

  public init(
    name: String,
    isRecorded: Bool,
    startNanoseconds: UInt64,
    endNanoseconds: UInt64,
    lastTransactionEndNanoseconds: UInt64 = 0,
    end: End,
    condition: String?
  ) {
    self.name = name
    self.isRecorded = isRecorded
    self.startNanoseconds = startNanoseconds
    self.endNanoseconds = endNanoseconds
    self.lastTransactionEndNanoseconds = lastTransactionEndNanoseconds
    self.end = end
    self.condition = condition
  }

  public var durationNanoseconds: UInt64 { endNanoseconds - startNanoseconds }
  /// The time that the phase's transactions had: its duration, or more where the last of them ended later.
  public var workSeconds: Double {
    Double(max(endNanoseconds, lastTransactionEndNanoseconds) - startNanoseconds) / 1e9
  }
}

/// Which of an operation's times.
public enum TimeKind: String, Codable, Sendable, CaseIterable {
  /// Intended start to actual start.
  case wait
  /// Actual start to end.
  case service
  /// Intended start to end.
  case response
}

/// All durations of one kind, of one operation of one actor in one phase.
public struct LatencyResult: Codable, Sendable {
  /// The name that stands for whole transactions.
  public static let transaction = "transaction"
  /// The name that stands for the move of a long-lived snapshot.
  public static let advance = "advance"

  public var phase: String
  public var actor: String
  public var operation: String
  public var kind: TimeKind
  public var histogram: LatencyHistogram

  public init(phase: String, actor: String, operation: String, kind: TimeKind, histogram: LatencyHistogram) {
    self.phase = phase
    self.actor = actor
    self.operation = operation
    self.kind = kind
    self.histogram = histogram
  }
}

/// One second of one actor's transactions.
public struct IntervalResult: Codable, Sendable {
  public var phase: String
  public var actor: String
  public var kind: TimeKind
  public var startNanoseconds: UInt64
  public var endNanoseconds: UInt64
  public var count: Int
  public var p50Nanoseconds: UInt64
  public var p99Nanoseconds: UInt64
  public var maximumNanoseconds: UInt64

  public init(
    phase: String,
    actor: String,
    kind: TimeKind,
    startNanoseconds: UInt64,
    endNanoseconds: UInt64,
    count: Int,
    p50Nanoseconds: UInt64,
    p99Nanoseconds: UInt64,
    maximumNanoseconds: UInt64
  ) {
    self.phase = phase
    self.actor = actor
    self.kind = kind
    self.startNanoseconds = startNanoseconds
    self.endNanoseconds = endNanoseconds
    self.count = count
    self.p50Nanoseconds = p50Nanoseconds
    self.p99Nanoseconds = p99Nanoseconds
    self.maximumNanoseconds = maximumNanoseconds
  }
}
