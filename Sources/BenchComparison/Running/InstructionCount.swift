internal import BenchResults
package import BenchScenario
internal import HarnessPrimitives

/// A scenario whose instructions can be counted.
package struct CountedScenario: Sendable, Equatable {
  /// A tenth of the operations is enough for repeatable counts, and Valgrind makes a program 50 times slower.
  private static let operationDivisor = 10
  /// The most transactions of a phase that ends by time, in turns. An open load has fewer if its rate is lower.
  private static let mostTransactions = 2_000.0

  /// The workload of its figures: scenario and phase, and the actor if there is only one.
  package let workload: String
  /// The changes to the scenario, in the form of `--set`. They reduce the work, and switch off the invariants and the
  /// checkpoints that the driver `yap` makes by time: with either, the counts of one build would differ between runs.
  package let settings: [String]
  /// Whether the workers take turns (`run --in-turns`), which builds from before that option cannot.
  package let takesTurns: Bool

  /// Returns nil unless the scenario has one variant and one recorded phase, and either its workers can take turns, or
  /// the phase ends by its number of operations and has one actor: with one thread, a closed load without think time,
  /// and the newest snapshot.
  package init?(_ loaded: LoadedScenario) {
    guard loaded.variants.count == 1 else { return nil }
    let scenario = loaded.scenario
    let recorded = scenario.phases.filter(\.records)
    guard recorded.count == 1, let phase = recorded.first else { return nil }
    let single = Self.singleActor(of: phase)
    guard single != nil || scenario.obstacleToTurns == nil else { return nil }
    takesTurns = single == nil
    workload = ([scenario.name, phase.name] + [single].compactMap { $0 }).joined(separator: "/")
    let checkpointsByTime = scenario.engine.driver == .yap && (takesTurns || scenario.engine.checkpoint == nil)
    settings =
      ["invariants=[]"] + (checkpointsByTime ? ["engine.checkpoint={mode: passive, every: 1h}"] : [])
      + scenario.phases.flatMap { Self.shortened($0, takesTurns: single == nil) }
  }

  /// Returns the name of the only actor of a phase if it needs no turns.
  private static func singleActor(of phase: PhaseSettings) -> String? {
    guard phase.events.isEmpty, phase.actors.count == 1, let actor = phase.actors.first?.settings, actor.threads == 1,
      actor.snapshot == .latest, actor.load == .closed(thinkNanoseconds: 0), phase.end.plannedNanoseconds == nil
    else { return nil }
    return actor.name
  }

  /// Returns the settings that reduce the work of a phase; empty if none is needed.
  private static func shortened(_ phase: PhaseSettings, takesTurns: Bool) -> [String] {
    let path = "phases.\(phase.name)"
    func reduced(_ count: Int) -> Int { max(1, count / operationDivisor) }
    var settings = PhaseEnd.Key.allCases.compactMap { key in
      phase.end.count(key).map { "\(path).\(key.rawValue)=\(reduced($0))" }
    }
    for actor in phase.actors {
      guard let count = actor.settings.operationCount else { continue }
      let owner = actor.overriddenKeys.contains("operationCount") ? "\(path).actors" : "actors"
      settings.append("\(owner).\(actor.name).operationCount=\(reduced(count))")
    }
    guard takesTurns, phase.end.until == nil, let nanoseconds = phase.end.nanoseconds else { return settings }
    let rate = phase.actors.reduce(0) { $0 + $1.settings.highestRateInTurns }
    let milliseconds = max(1, (1_000 * mostTransactions / rate).rounded())
    guard milliseconds * 1e6 < Double(nanoseconds) else { return settings }
    return settings + ["\(path).for=\(Int(milliseconds))ms"]
  }
}

/// The mean instructions of each kind of work, and of the parts of transactions, from the profile of a run.
package struct InstructionCount {
  /// Work that is counted: all that a function executes, with what it calls.
  enum Work: String, CaseIterable {
    /// In turns, the read transactions; without turns, all transactions.
    case reads
    case commits, moves, checkpoints

    /// The beginning of the function's symbol.
    var symbol: String {
      switch self {
      case .reads: "$s11BenchRunner6WorkerV19recordedTransaction"
      case .commits: "$s11BenchRunner6WorkerV14recordedCommit"
      case .moves: "$s11BenchRunner16BookmarkFollowerV12recordedMove"
      case .checkpoints: "$s9YapEngine19CheckpointExecutionV07performC0"
      }
    }

    var isTransaction: Bool { self == .reads || self == .commits }
  }

  /// A part of a transaction: functions of the engine with all that they call. Instructions of functions that the
  /// compiler has merged into their callers belong to the caller's part.
  private enum Part: String, CaseIterable {
    case lane, begin, statements, cache, commit

    private static let handleRun = "$s9YapEngine0B6HandleC3run"

    /// The beginnings of the symbols of its functions.
    var symbolPrefixes: [String] {
      switch self {
      case .lane:
        [
          "$s19ThreadingPrimitives4LaneC", "$s9YapEngine0A18DatabaseConnectionC5enter",
          "$s9YapEngine0A18DatabaseConnectionC14enterWriteLane",
        ]
      case .begin: ["$s9YapEngine6WriterC5begin", "$s9YapEngine0A18DatabaseConnectionC18showNewestSnapshot"]
      case .statements: ["$s13SQLiteBinding0A9StatementC"]
      case .cache:
        ["13AdaptiveCacheV", "9RowCachesC", "10ValueCacheV"].map { "$s9YapEngine" + $0 }
      case .commit: ["$s9YapEngine6WriterC6commit"]
      }
    }

    /// Callers whose calls are counted in other parts: `EngineHandle.run` executes BEGIN and COMMIT.
    var excludedCallers: [String] { self == .statements ? [Self.handleRun] : [] }
  }

  /// The beginnings of the symbols that a program must have for its instructions to be counted by part.
  package static var requiredSymbols: [String] {
    Work.allCases.map(\.symbol) + Part.allCases.flatMap { $0.symbolPrefixes + $0.excludedCallers }
  }

  private let profile: CallgrindProfile
  private let takesTurns: Bool

  /// - Parameter takesTurns: whether the workers took turns. Otherwise only the transactions of one actor are counted.
  init(_ profile: CallgrindProfile, takesTurns: Bool = false) {
    self.profile = profile
    self.takesTurns = takesTurns
  }

  /// Returns the figures of a run: for each kind of work, per call; for the parts, per transaction. None if there was
  /// no transaction, as with a program without the functions that the symbols name.
  func figures(of workload: String) -> [RunFigure] {
    let counts = Work.allCases.map { ($0, profile.calls(of: [$0.symbol])) }.filter { $0.1.count > 0 }
    let transactions = counts.filter(\.0.isTransaction).reduce(0) { $0 + $1.1.count }
    guard transactions > 0 else { return [] }
    func figure(
      _ metric: String,
      of workload: String,
      as role: FigureRole,
      _ calls: CallgrindProfile.Calls
    ) -> RunFigure {
      RunFigure(
        name: FigureName(workload: workload, metric: metric),
        role: role,
        unit: .number,
        value: Double(calls.instructions) / Double(calls.count)
      )
    }
    let work = counts.map { work, calls in
      figure("instructions", of: takesTurns ? "\(workload)/\(work.rawValue)" : workload, as: .instructions, calls)
    }
    let parts = Part.allCases.map { part in
      (part.rawValue, profile.calls(of: part.symbolPrefixes, exceptCallsBy: part.excludedCallers).instructions)
    }
    let rest = ("rest", profile.total - parts.reduce(0) { $0 + $1.1 })
    return work
      + (parts + [rest]).map { name, instructions in
        let calls = CallgrindProfile.Calls(count: transactions, instructions: instructions)
        return figure("instructions of \(name)", of: workload, as: .part, calls)
      }
  }
}
