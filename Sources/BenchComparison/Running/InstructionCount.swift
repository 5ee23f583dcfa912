internal import BenchResults
package import BenchScenario

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
      + scenario.phases.compactMap { Self.shortened($0, takesTurns: single == nil) }
  }

  /// Returns the name of the only actor of a phase if it needs no turns.
  private static func singleActor(of phase: PhaseSettings) -> String? {
    guard phase.events.isEmpty, phase.actors.count == 1, let actor = phase.actors.first?.settings, actor.threads == 1,
      actor.snapshot == .latest, actor.load == .closed(thinkNanoseconds: 0), case .operations = phase.end
    else { return nil }
    return actor.name
  }

  /// Returns the setting that reduces the work of a phase; nil if none is needed.
  private static func shortened(_ phase: PhaseSettings, takesTurns: Bool) -> String? {
    switch phase.end {
    case .operations(let count): return "phases.\(phase.name).operations=\(max(1, count / operationDivisor))"
    case .duration(let nanoseconds) where takesTurns:
      let rate = phase.actors.reduce(0) { $0 + $1.settings.highestRateInTurns }
      let milliseconds = max(1, (1_000 * mostTransactions / rate).rounded())
      guard milliseconds * 1e6 < Double(nanoseconds) else { return nil }
      return "phases.\(phase.name).for=\(Int(milliseconds))ms"
    case .duration, .until: return nil
    }
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

/// The instructions of a run, as Valgrind's tool Callgrind writes them.
///
/// Format: https://valgrind.org/docs/manual/cl-format.html, with one event, the executed instructions.
struct CallgrindProfile: Equatable {
  /// Calls of one function by another, or sums of such calls.
  struct Calls: Equatable {
    var count = 0
    /// Instructions of the called function and of all that it called.
    var instructions = 0
  }

  struct Edge: Hashable {
    /// Symbols, as the linker knows them.
    var caller: String
    var callee: String
  }

  private(set) var edges: [Edge: Calls] = [:]
  /// The counted instructions of all functions.
  private(set) var total = 0

  init(_ text: String) {
    var reader = Reader()
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) { reader.read(Substring(line)) }
    edges = reader.edges
    total = reader.total
  }

  /// Returns the calls of the functions whose symbols begin with one of the prefixes. Calls between these functions
  /// are not counted.
  /// - Parameter exceptions: callers whose calls are left out, by the beginnings of their symbols.
  func calls(of prefixes: [String], exceptCallsBy exceptions: [String] = []) -> Calls {
    func begins(_ symbol: String, with prefixes: [String]) -> Bool { prefixes.contains { symbol.hasPrefix($0) } }
    return edges.reduce(into: Calls()) { sum, edge in
      guard begins(edge.key.callee, with: prefixes), !begins(edge.key.caller, with: prefixes + exceptions) else {
        return
      }
      sum.count += edge.value.count
      sum.instructions += edge.value.instructions
    }
  }

  /// Parses the lines. A name is written with its number where it first appears, and only as its number afterwards.
  private struct Reader {
    private var names: [Substring: String] = [:]
    private var function = ""
    private var callee = ""
    /// The number of calls whose cost is on the next line.
    private var pendingCalls: Int?
    private(set) var edges: [Edge: Calls] = [:]
    private(set) var total = 0

    mutating func read(_ line: Substring) {
      if line.hasPrefix("fn=") {
        function = name(line.dropFirst(3))
      } else if line.hasPrefix("cfn=") {
        callee = name(line.dropFirst(4))
      } else if line.hasPrefix("calls=") {
        pendingCalls = Int(line.dropFirst(6).prefix { $0.isNumber })
      } else if let first = line.first, first.isNumber || "+-*".contains(first) {
        addCost(line)
      }
    }

    /// Parses a line of costs: a position and the instructions, of the function itself or of the preceding calls.
    private mutating func addCost(_ line: Substring) {
      let fields = line.split(separator: " ")
      let cost = fields.count > 1 ? Int(fields[1]) ?? 0 : 0
      guard let calls = pendingCalls else {
        total += cost
        return
      }
      pendingCalls = nil
      edges[Edge(caller: function, callee: callee), default: Calls()].count += calls
      edges[Edge(caller: function, callee: callee), default: Calls()].instructions += cost
    }

    private mutating func name(_ text: Substring) -> String {
      guard text.hasPrefix("("), let end = text.firstIndex(of: ")") else { return String(text) }
      let number = text[...end]
      let written = text[text.index(after: end)...].drop { $0 == " " }
      if !written.isEmpty { names[number] = String(written) }
      return names[number] ?? ""
    }
  }
}
