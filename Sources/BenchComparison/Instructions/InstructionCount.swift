internal import BenchModel

/// The instructions of a transaction, in total and by part, from the profile of a run.
package struct InstructionCount {
  /// The beginning of the symbol of `Worker.recordedTransaction`, a function around each transaction that counts.
  static let markedFunction = "$s11BenchRunner6WorkerV19recordedTransaction"

  /// A part of a transaction: functions of the engine with all that they call. Instructions of functions that the
  /// compiler has merged into their callers belong to the caller's part.
  private enum Part: String, CaseIterable {
    case lane, begin, statements, cache, commit

    private static let handleRun = "$s9YapEngine0B6HandleC3run"

    /// The beginnings of the symbols of its functions.
    var functions: [String] {
      switch self {
      case .lane:
        [
          "$s19ThreadingPrimitives4LaneC", "$s9YapEngine0A18DatabaseConnectionC5enter",
          "$s9YapEngine0A18DatabaseConnectionC14enterWriteLane",
        ]
      case .begin: ["$s9YapEngine6WriterC5begin", "$s9YapEngine0A18DatabaseConnectionC9pinNewest"]
      case .statements: ["$s13SQLiteBinding0A9StatementC"]
      case .cache:
        ["8LRUCacheV", "9RowCachesC", "10ValueCacheV", "10RowidCacheV"].map { "$s9YapEngine" + $0 }
      case .commit: ["$s9YapEngine6WriterC6commit"]
      }
    }

    /// Callers whose calls belong to other parts: a handle runs BEGIN and COMMIT.
    var exceptions: [String] { self == .statements ? [Self.handleRun] : [] }
  }

  /// The beginnings of the symbols that a program must have.
  package static var functions: [String] {
    [markedFunction] + Part.allCases.flatMap { $0.functions + $0.exceptions }
  }

  /// The number of transactions; 0 for a program without the marked function.
  let transactions: Int
  private let profile: CallgrindProfile

  init(_ profile: CallgrindProfile) {
    self.profile = profile
    transactions = profile.calls(of: [Self.markedFunction]).count
  }

  /// Returns the figures of a run, per transaction; none if there was no transaction.
  func figures(of workload: String) -> [RunFigure] {
    guard transactions > 0 else { return [] }
    func figure(_ metric: String, _ role: FigureRole, _ instructions: Int) -> RunFigure {
      RunFigure(
        name: FigureName(workload: workload, metric: metric),
        role: role,
        unit: .number,
        value: Double(instructions) / Double(transactions)
      )
    }
    let parts = Part.allCases.map { part in
      (part.rawValue, profile.calls(of: part.functions, exceptCallsBy: part.exceptions).instructions)
    }
    let rest = ("rest", profile.total - parts.reduce(0) { $0 + $1.1 })
    return [figure("instructions", .instructions, profile.total)]
      + (parts + [rest]).map { figure("instructions of \($0.0)", .part, $0.1) }
  }
}
