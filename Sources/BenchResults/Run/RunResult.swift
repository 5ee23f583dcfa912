public import LatencyMetrics

/// One run of one variant, as a tree: phases with their actors, which have operations. Results that belong to several
/// actors are beside the phases. Times are nanoseconds since the run's first phase began; sizes are bytes.
public struct RunResult: Codable, Sendable {
  public var runID = ""
  /// The variant's name; nil for a scenario without a matrix.
  public var variant: String?
  /// The number of this run among the variant's runs, from 1.
  public var repetition = 1
  public var scenario = ""
  public var summary = ""
  public var tags: [String] = []
  @PortableInteger public var seed: UInt64 = 0
  public var driver = ""
  /// The driver's library and settings.
  public var engine = EngineConfiguration(library: "")
  /// The start, before the dataset was loaded: ISO 8601, UTC.
  public var startedAt = ""
  public var isSmoke = false
  /// Whether the run ended before all phases had ended. The result has the measurements until then.
  public var isPartial = false
  public var environment = RunEnvironment()
  /// Remarks for the reader, such as that the database was in memory.
  public var notes: [String] = []
  /// The time of loading the dataset, until the engine had copied its WAL; nil for a driver that keeps no data.
  public var loadNanoseconds: UInt64?
  /// The inserts of that time; nil for a driver that keeps no data, and in records of older versions.
  public var load: LoadResult?
  public var pageSizeBytes = 0
  public var samplingNanoseconds: UInt64 = 0
  /// In the order in which they ran.
  public var phases: [PhaseResult] = []
  @SampleColumns public var samples: [EngineSample] = []
  public var checkpoints: [CheckpointResult] = []
  public var blame = BlameResult()
  /// nil if the WAL never stayed far above its limit, and for a driver without a limit.
  public var walExcess: WALExcessResult?
  public var expectations: [ExpectationResult] = []
  /// The figures that expectations compare between variants, in base units, by their text in the scenario. A figure
  /// without a value is missing.
  public var comparedFigures: [String: Double] = [:]
  public var invariants: [InvariantResult] = []
  public var harness = HarnessResult()
  /// The number of rows that must exist at the end according to the run's writes, by collection.
  public var rowsAtEnd: [String: Int] = [:]
  public var verdict = VerdictResult(exitCode: .passed, headline: "", reasons: [])

  public init() {}

  public func phase(named name: String) -> PhaseResult? { phases.first { $0.name == name } }
}

/// The inserts that loaded the dataset, made by one thread before the first phase.
public struct LoadResult: Codable, Sendable {
  /// The time until the last row was committed.
  public var nanoseconds: UInt64
  /// The times of the calls that stored the rows, one call for each row, without the commits.
  public var inserts: LatencyHistogram
  /// The times of the transactions with these calls, from the first one to the end of the commit.
  public var transactions: LatencyHistogram

  public init(nanoseconds: UInt64, inserts: LatencyHistogram, transactions: LatencyHistogram) {
    self.nanoseconds = nanoseconds
    self.inserts = inserts
    self.transactions = transactions
  }
}

/// The durations of one operation and kind, with the names that lead to them in the tree.
public struct Latency: Sendable {
  public var phase: PhaseResult
  public var actor: String
  /// With the outcome, if there is one: `get.reread`.
  public var operation: String
  public var kind: TimeKind
  /// The outcome that all the reads had; nil for the times of all of an operation.
  public var outcome: CacheOutcome?
  public var histogram: LatencyHistogram

  /// nil for a phase without a duration.
  public var ratePerSecond: Double? { phase.ratePerSecond(of: histogram.count, by: phase.actor(actor)) }
}

extension RunResult {
  /// Every histogram of operations and events, in the order of the tree.
  public var latencies: [Latency] { phases.flatMap(\.latencies) }
}

extension PhaseResult {
  public var latencies: [Latency] {
    actors.flatMap { latencies(of: $0.operations, actor: $0.name) }
      + latencies(of: eventTimes, actor: EventResult.actorName)
  }

  public func latencies(of operations: [OperationResult], actor: String) -> [Latency] {
    operations.flatMap { operation in
      func latency(_ histogram: LatencyHistogram, _ kind: TimeKind, outcome: CacheOutcome? = nil) -> Latency {
        let name = outcome?.name(of: operation.name) ?? operation.name
        return Latency(phase: self, actor: actor, operation: name, kind: kind, outcome: outcome, histogram: histogram)
      }
      let whole = TimeKind.allCases.compactMap { kind in operation.times[kind].map { latency($0, kind) } }
      let byOutcome = CacheOutcome.allCases.compactMap { outcome in
        operation.outcomes?[outcome].map { latency($0, .service, outcome: outcome) }
      }
      return whole + byOutcome
    }
  }
}

/// The machine and the build of a run.
public struct RunEnvironment: Codable, Sendable {
  /// The machine's name; nil in records of older versions.
  public var machine: String?
  public var cpu = ""
  /// The number of processors of the machine, whether or not the process may use them.
  public var coreCount = 0
  /// The limits of the process; nil without one, and in records of older versions.
  public var processorLimits: ProcessorLimits?
  public var memoryBytes = 0
  public var kernel = ""
  /// The file system of the database's folder, such as "ext4".
  public var fileSystem = ""
  public var sqliteVersion = ""
  public var sqliteHasWALResetDefect = false
  public var sqliteCompileOptions: [String] = []
  public var swiftVersion = ""
  /// "release" or "debug".
  public var buildMode = ""
  /// The commit of the checkout that contains the program; nil outside of a checkout, and if git does not answer.
  public var commit: String?
  /// The reason why the commit is not known; nil if it is, and in records of older versions.
  public var commitProblem: String?
  public var hasUncommittedChanges = false
  public var allocator = ""
  /// Load average over one minute when the run began.
  public var loadAverage = 0.0
  /// nil if they were not measured.
  public var costs: MachineCosts?

  public init() {}
}
