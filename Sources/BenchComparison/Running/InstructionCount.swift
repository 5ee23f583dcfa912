internal import BenchResults
package import BenchScenario

/// A scenario whose instructions can be counted: in its only recorded phase, one thread makes a fixed number of
/// operations.
package struct CountedScenario: Sendable, Equatable {
  /// A tenth of the operations is enough for repeatable counts, and Valgrind makes a program 50 times slower.
  private static let operationDivisor = 10

  /// The name of the figure's workload: scenario, phase and actor.
  package let workload: String
  /// The changes to the scenario, in the form of `--set`. They reduce the number of operations, and switch off the
  /// invariants. Unless the scenario has a `checkpoint`, they also switch off the checkpoints of the driver `yap`.
  /// Checks and checkpoints depend on time, so the counts of one build would differ between runs.
  package let settings: [String]

  /// Returns nil unless the scenario has one variant and one recorded phase, which ends by its number of operations,
  /// has no events, and has one actor: with one thread, a closed load without think time, and the newest snapshot.
  package init?(_ loaded: LoadedScenario) {
    guard loaded.variants.count == 1 else { return nil }
    let scenario = loaded.scenario
    let recorded = scenario.phases.filter(\.records)
    guard recorded.count == 1, let phase = recorded.first, phase.events.isEmpty, phase.actors.count == 1,
      let actor = phase.actors.first?.settings, actor.threads == 1, actor.snapshot == .latest,
      actor.load == .closed(thinkNanoseconds: 0), case .operations = phase.end
    else { return nil }
    workload = "\(scenario.name)/\(phase.name)/\(actor.name)"
    let checkpointsByTime = scenario.engine.driver == .yap && scenario.engine.checkpoint == nil
    settings =
      ["invariants=[]"] + (checkpointsByTime ? ["engine.checkpoint={mode: passive, every: 1h}"] : [])
      + scenario.phases.compactMap { phase in
        guard case .operations(let count) = phase.end else { return nil }
        return "phases.\(phase.name).operations=\(max(1, count / Self.operationDivisor))"
      }
  }
}

/// The instructions of a transaction, in total and by part, from the profile of a run.
package struct InstructionCount {
  /// The beginning of the symbol of `Worker.recordedTransaction`, which runs the transactions of a closed load.
  static let transactionSymbol = "$s11BenchRunner6WorkerV19recordedTransaction"

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
    [transactionSymbol] + Part.allCases.flatMap { $0.symbolPrefixes + $0.excludedCallers }
  }

  /// The number of transactions; 0 for a program without the function that `transactionSymbol` names.
  let transactions: Int
  private let profile: CallgrindProfile

  init(_ profile: CallgrindProfile) {
    self.profile = profile
    transactions = profile.calls(of: [Self.transactionSymbol]).count
  }

  /// Returns the figures of a run, per transaction; none if there was no transaction.
  func figures(of workload: String) -> [RunFigure] {
    guard transactions > 0 else { return [] }
    func figure(_ metric: String, _ instructions: Int, as role: FigureRole) -> RunFigure {
      RunFigure(
        name: FigureName(workload: workload, metric: metric),
        role: role,
        unit: .number,
        value: Double(instructions) / Double(transactions)
      )
    }
    let parts = Part.allCases.map { part in
      (part.rawValue, profile.calls(of: part.symbolPrefixes, exceptCallsBy: part.excludedCallers).instructions)
    }
    let rest = ("rest", profile.total - parts.reduce(0) { $0 + $1.1 })
    return [figure("instructions", profile.total, as: .instructions)]
      + (parts + [rest]).map { figure("instructions of \($0.0)", $0.1, as: .part) }
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
