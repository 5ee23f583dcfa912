import HarnessPrimitives
import LatencyMetrics

@testable import BenchResults

/// A run of the stalled reader: a warm-up of 5 s, 30 s in which `ui` does not move while `sync` commits with a burst
/// every 5 s, and a second in which the WAL drains. The figures are always the same. Its durations have two digits,
/// because without optimisation a histogram with three digits takes eight times as long.
struct StalledReaderRun {
  private static let framesPerCommit = 9
  private static let bytesPerCommit = 1_213
  private static let frameBytes = 4_096 + 24
  private static let second: UInt64 = 1_000_000_000

  private var random = RandomStream(seed: 42)
  private var samples: [EngineSample] = []
  private var checkpoints: [CheckpointResult] = []
  /// By phase and actor. The histograms are also by operation and kind.
  private var intervals: [String: [IntervalResult]] = [:]
  private var histograms: [String: LatencyHistogram] = [:]

  static let result: RunResult = {
    var run = StalledReaderRun()
    run.simulateWAL()
    run.simulateLatencies()
    return run.assembled()
  }()

  static let scenario = ScenarioResult(result)

  private static func phase(atTenth tenth: Int) -> String {
    tenth < 50 ? "warm" : tenth < 350 ? "stall" : "drain"
  }

  // MARK: WAL

  private mutating func simulateWAL() {
    var commit = 0
    var fileFrames = 0
    var backlog = 0
    var pinnedCommit = 0
    var finished: [String: Int] = [:]
    for tenth in 0...361 {
      let phase = Self.phase(atTenth: tenth)
      if tenth == 50 || tenth == 350 { finished = [:] }
      let commits = phase == "drain" ? 0 : (tenth % 50) < 5 ? 95 + random.below(10) : 8 + random.below(5)
      commit += commits
      backlog += commits * Self.framesPerCommit
      fileFrames = max(fileFrames, backlog)
      if phase != "stall" { pinnedCommit = commit }
      if tenth == 50 { pinnedCommit = commit - commits }
      checkpoint(atTenth: tenth, phase: phase, backlog: &backlog, pinnedCommit: pinnedCommit)
      finished["scroll", default: 0] += 200
      finished["import", default: 0] += commits
      let held = phase == "stall" ? (commit - pinnedCommit) * Self.framesPerCommit : 0
      append(atTenth: tenth, commit: commit, fileFrames: fileFrames, backlog: backlog, held: held, finished: finished)
    }
  }

  private mutating func checkpoint(atTenth tenth: Int, phase: String, backlog: inout Int, pinnedCommit: Int) {
    let isDue = phase == "warm" ? backlog > 1_000 : phase == "stall" ? tenth % 25 == 0 : backlog > 0
    guard isDue else { return }
    let isPinned = phase == "stall"
    let inWAL = backlog
    let copied = isPinned ? 0 : phase == "drain" ? min(backlog, 7_200) : backlog
    backlog -= copied
    checkpoints.append(
      CheckpointResult(
        number: checkpoints.count + 1,
        phase: phase,
        elapsedNanoseconds: UInt64(tenth) * Self.second / 10,
        mode: "passive",
        cause: phase == "drain" ? "rest" : "backlog",
        waitNanoseconds: UInt64(2_000 + random.below(60_000)),
        durationNanoseconds: UInt64(90_000 + copied * 11_000 + random.below(400_000)),
        framesInWAL: inWAL,
        framesCopied: copied,
        framesLeft: backlog,
        bytesCopied: copied * 4_096,
        outcome: isPinned ? .partialPinned : .complete,
        pinnedBy: isPinned ? "ui" : nil
      )
    )
  }

  private mutating func append(
    atTenth tenth: Int,
    commit: Int,
    fileFrames: Int,
    backlog: Int,
    held: Int,
    finished: [String: Int]
  ) {
    let age = held / Self.framesPerCommit
    samples.append(
      EngineSample(
        elapsedNanoseconds: UInt64(tenth) * Self.second / 10,
        phase: Self.phase(atTenth: tenth),
        commit: commit,
        wal: .init(
          bytes: 32 + fileFrames * Self.frameBytes,
          frames: max(backlog, 1),
          backlogFrames: backlog,
          heldFrames: held,
          pinnedBy: held > 0 ? "ui" : nil
        ),
        connections: [
          .init(
            name: "ui",
            ageCommits: age,
            ageNanoseconds: age > 0 ? UInt64(tenth - 49) * Self.second / 10 : 0,
            pinnedNanoseconds: held > 0 ? UInt64(tenth - 49) * Self.second / 10 : 8_000_000,
            framesHeldAlone: held,
            pendingCommits: age,
            pendingBytes: age * 2_400
          ),
          .init(
            name: "sync",
            ageCommits: 0,
            ageNanoseconds: 0,
            pinnedNanoseconds: nil,
            framesHeldAlone: 0,
            pendingCommits: 0,
            pendingBytes: 0
          ),
        ],
        finishedTransactions: finished,
        logicalBytes: ["scroll": 0, "import": finished["import", default: 0] * Self.bytesPerCommit],
        writes: writes(after: commit),
        residentBytes: 61_000_000 + tenth * 41_000,
        allocatedBytes: 34_000_000 + age * 2_600,
        userCPUNanoseconds: UInt64(tenth) * 31_000_000,
        systemCPUNanoseconds: UInt64(tenth) * 9_000_000
      )
    )
  }

  private func writes(after commit: Int) -> FileWrites {
    let copying = checkpoints.filter { $0.framesCopied > 0 }.count
    return FileWrites(
      wal: .init(bytes: commit * Self.framesPerCommit * Self.frameBytes, syncs: copying, syncNanoseconds: copying * 9),
      database: .init(
        bytes: checkpoints.reduce(0) { $0 + $1.bytesCopied },
        syncs: copying,
        syncNanoseconds: copying * 1_000_000
      )
    )
  }

  // MARK: Latencies

  private mutating func simulateLatencies() {
    for second in 0..<37 {
      let phase = Self.phase(atTenth: second * 10)
      let isBurst = second % 5 == 0
      // Reads become a little slower as the WAL grows, and commits wait for each other in a burst.
      let growth = phase == "stall" ? 1 + Double(second - 5) / 40 : 1
      interval(
        second,
        phase,
        "scroll",
        count: second == 36 ? 200 : 2_000,
        typical: 14_000 * growth,
        spread: isBurst ? 9 : 4
      )
      if phase != "drain" {
        interval(second, phase, "import", count: isBurst ? 550 : 100, typical: isBurst ? 900_000 : 310_000, spread: 5)
      }
    }
  }

  private mutating func interval(
    _ second: Int,
    _ phase: String,
    _ actor: String,
    count: Int,
    typical: Double,
    spread: Double
  ) {
    var own = LatencyHistogram(digits: 2)
    for _ in 0..<count {
      // Mostly near the typical time, and sometimes far beyond it.
      let unit = random.unit()
      let tail = 1 + spread * unit * unit * unit + (unit > 0.998 ? 40 * random.unit() : 0)
      let service = UInt64(typical * tail * (0.8 + 0.4 * random.unit()))
      let wait = UInt64(typical * 0.15 * random.unit())
      own.record(service + wait)
      for (kind, value) in [(TimeKind.wait, wait), (.service, service), (.response, service + wait)] {
        histograms["\(phase)/\(actor)/transaction/\(kind.rawValue)", default: LatencyHistogram(digits: 2)].record(value)
      }
      let operation = actor == "scroll" ? (unit < 0.95 ? "get" : "multiGet") : unit < 0.8 ? "set" : "replace"
      histograms["\(phase)/\(actor)/\(operation)/service", default: LatencyHistogram(digits: 2)].record(service * 3 / 4)
    }
    intervals["\(phase)/\(actor)", default: []].append(
      IntervalResult(
        startNanoseconds: UInt64(second) * Self.second,
        endNanoseconds: second == 36 ? 36_100_000_000 : UInt64(second + 1) * Self.second,
        count: count,
        p50Nanoseconds: own.value(atPercentile: 50),
        p99Nanoseconds: own.value(atPercentile: 99),
        maximumNanoseconds: own.maximum
      )
    )
  }

  private func actor(_ name: String, in phase: String, due: Int, begun: Int) -> ActorResult {
    var actor = ActorResult(name: name, load: .open)
    actor.dueArrivals = due
    actor.begunArrivals = begun
    actor.lateness = LatencyHistogram(digits: 2)
    for step in 1...2_000 { actor.lateness.record(UInt64(step * 31)) }
    for operation in ["transaction"] + (name == "scroll" ? ["get", "multiGet"] : ["replace", "set"]) {
      let times = TimeKind.allCases.compactMap { kind in
        histograms["\(phase)/\(name)/\(operation)/\(kind.rawValue)"].map { (kind, $0) }
      }
      actor.operations.append(OperationResult(name: operation, times: Dictionary(uniqueKeysWithValues: times)))
    }
    actor.intervals = [.response: IntervalSeries(intervals["\(phase)/\(name)"] ?? [])]
    return actor
  }
}

// MARK: The rest of the result

extension StalledReaderRun {
  private func assembled() -> RunResult {
    var run = RunResult()
    run.runID = "5f3c9a72"
    run.scenario = "stalled-reader"
    run.summary = "A UI connection bookmarks a snapshot and stops moving it while an importer commits in bursts."
    run.tags = ["wal", "long-lived"]
    run.seed = 42
    run.driver = "yap"
    run.engine = EngineConfiguration(library: "SQLite 3.40.1", options: [.init("synchronous", "normal")])
    run.startedAt = "2026-02-03T04:05:06Z"
    run.environment = Self.environment
    run.notes = ["synchronous is normal: a power loss may take the last commits, and none by halves."]
    run.pageSizeBytes = 4_096
    run.samplingNanoseconds = 100_000_000
    run.phases = phases
    run.samples = samples
    run.checkpoints = checkpoints
    run.blame = blame
    run.expectations = [
      .init(
        source: "stall/import response.p99 < 50ms",
        phase: "stall",
        actor: "import",
        comparison: .less,
        measured: MeasuredValue(5_120_000, text: "5.12 ms"),
        limit: MeasuredValue(50_000_000, text: "50ms")
      ),
      .init(
        source: "stall wal.bytes.max < 512MiB",
        phase: "stall",
        actor: nil,
        comparison: .less,
        measured: MeasuredValue(219_152_384, text: "209 MiB"),
        limit: MeasuredValue(536_870_912, text: "512MiB")
      ),
      .init(
        source: "drain duration < 5s",
        phase: "drain",
        actor: nil,
        comparison: .less,
        measured: MeasuredValue(1.1e9, text: "1.10 s"),
        limit: MeasuredValue(5e9, text: "5s")
      ),
    ]
    run.invariants = [
      .init(name: "knownAnswers", checks: 78_412, violations: []),
      .init(name: "snapshotStability", checks: 61_377, violations: []),
      .init(name: "monotonicSnapshots", checks: 11_904, violations: []),
      .init(name: "exactlyOnceNotifications", checks: 5_872, violations: []),
    ]
    run.harness.nullOperationNanoseconds = 41.7
    run.harness.recordingNanoseconds = 61
    run.harness.clockNanoseconds = 22.4
    run.harness.stealShare = 0.0031
    run.rowsAtEnd = ["messages": 49_713]
    run.verdict.headline = "3 of 3 expectations, no invariant violated"
    return run
  }

  private static let environment: RunEnvironment = {
    var environment = RunEnvironment()
    environment.cpu = "AMD EPYC 7B13"
    environment.coreCount = 2
    environment.memoryBytes = 8_321_499_136
    environment.kernel = "Linux 6.1.0-28-amd64"
    environment.fileSystem = "ext4"
    environment.sqliteVersion = "3.40.1"
    environment.sqliteHasWALResetDefect = true
    environment.sqliteCompileOptions = ["ENABLE_COLUMN_METADATA", "THREADSAFE=1"]
    environment.swiftVersion = "6.3.1"
    environment.buildMode = "release"
    environment.commit = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"
    environment.allocator = "jemalloc 5.3.0"
    environment.loadAverage = 0.31
    environment.costs = MachineCosts(sync: 1.2e6, write: 6_000, copy: 210, wakeup: 9_000, clock: 22.4)
    return environment
  }()

  private var phases: [PhaseResult] {
    [
      PhaseResult(
        name: "warm",
        isRecorded: false,
        endNanoseconds: 5 * Self.second,
        actors: [
          actor("scroll", in: "warm", due: 10_004, begun: 10_004), actor("import", in: "warm", due: 951, begun: 951),
        ]
      ),
      PhaseResult(
        name: "stall",
        isRecorded: true,
        startNanoseconds: 5 * Self.second,
        endNanoseconds: 35 * Self.second,
        actors: [
          actor("scroll", in: "stall", due: 60_012, begun: 60_012),
          actor("import", in: "stall", due: 5_704, begun: 5_701),
        ]
      ),
      PhaseResult(
        name: "drain",
        isRecorded: true,
        startNanoseconds: 35 * Self.second,
        endNanoseconds: 36 * Self.second + Self.second / 10,
        condition: "wal.backlogFrames == 0",
        actors: [actor("scroll", in: "drain", due: 2_204, begun: 2_204)]
      ),
    ]
  }

  private var blame: BlameResult {
    let recorded = samples.filter { $0.phase != "warm" }
    func area(_ frames: (EngineSample) -> Int) -> Double {
      recorded.reduce(0) { $0 + Double(frames($1) * Self.frameBytes) / 10 }
    }
    let ui = recorded.compactMap { $0.connections.first }
    var blame = BlameResult()
    blame.connections = [
      .init(
        name: "ui",
        aloneByteSeconds: area { $0.connections[0].framesHeldAlone },
        aloneMaximumBytes: (ui.map(\.framesHeldAlone).max() ?? 0) * Self.frameBytes,
        longestPinNanoseconds: ui.compactMap(\.pinnedNanoseconds).max() ?? 0,
        maximumAgeCommits: ui.map(\.ageCommits).max() ?? 0
      ),
      .init(name: "sync", longestPinNanoseconds: 4_100_000, maximumAgeCommits: 1),
    ]
    blame.notCopiedByteSeconds = area { max(0, ($0.wal?.backlogFrames ?? 0) - ($0.wal?.heldFrames ?? 0)) }
    blame.freeByteSeconds = area { (($0.wal?.bytes ?? 0) / Self.frameBytes) - ($0.wal?.backlogFrames ?? 0) }
    blame.walByteSeconds = recorded.reduce(0) { $0 + Double($1.wal?.bytes ?? 0) / 10 }
    return blame
  }
}

extension ScenarioResult {
  /// The result of a scenario without a matrix, which ran once.
  init(_ run: RunResult) {
    self.init(
      scenarioYAML: "format: 1\nname: stalled-reader\nseed: 42",
      variants: [Variant(name: nil, label: "", settings: [])],
      repetitions: 1,
      runs: [run],
      verdict: run.verdict
    )
  }
}
