public import BenchResults
public import YapEngine

/// Processes that are killed while they use a database. Each case is a fresh database that many processes in turn open,
/// compare with its ledger, and write until they are killed.
public struct CrashCampaign: StressCampaign {
  /// The number of kills in a case.
  public static let killsPerCase = CrashCase.kills
  /// The number of kills from which on every named point must have been reached.
  private static let killsForEveryPoint = 500

  /// The names of the counts.
  enum Count {
    static let kills = "kills"
    static let atMoment = "kills at random moments"
    static let atCommit = "kills at the n-th commit"
    static let atPoints = "kills at named points"
    static let duringCheckpoint = "kills during checkpoints"
    static let duringClosing = "kills during closing"
    static let duringRecovery = "kills during opening"
    static let acknowledged = "commits acknowledged"
    static let unreported = "commits found that were not acknowledged"
    static let failed = "commits with an error"
    static let joined = "transactions that joined another's commit"
    static let verified = "openings verified"
    static let entries = "ledger entries checked"
    static let rows = "rows checked"
    static let views = "registrations of views"
    static let moved = "bookmark moves"
    static let checkpoints = "checkpoints requested"
    static let closed = "databases closed"
    static let stopped = "stopped databases verified"

    static func at(_ point: TestPoint) -> String { "kills at \(point.rawValue)" }
  }

  /// The program that serves `CrashChild`, and its arguments before the order.
  let program: String
  let programArguments: [String]
  let level: YapDatabaseOptions.Synchronous
  /// The planned number of kills; nil if it does not matter.
  private let kills: Int?
  /// Mistakes of the child processes, for tests.
  var mistakes = CrashMistakes()
  /// Changes the files before each life, for tests. It gets the path of the database, and the number of the life.
  var tampering: (@Sendable (_ path: String, _ life: Int) throws -> Void)?

  /// - Parameters:
  ///   - program: The path of the program that serves `CrashChild`.
  ///   - programArguments: Its arguments before the order.
  ///   - kills: The planned number of kills, which determines the requirements; nil for one case.
  public init(
    program: String,
    programArguments: [String],
    synchronous: YapDatabaseOptions.Synchronous,
    kills: Int?
  ) {
    self.program = program
    self.programArguments = programArguments
    level = synchronous
    self.kills = kills
  }

  public var kind: StressKind { .crash }
  public var arguments: [String] { ["--synchronous", level.rawValue] }
  public var synchronous: String { level.rawValue }

  public var countNames: [String] {
    [
      Count.kills, Count.atMoment, Count.atCommit, Count.duringCheckpoint, Count.duringClosing, Count.duringRecovery,
    ] + (TestHooks.areBuiltIn ? [Count.atPoints] + KillPlan.points.map(Count.at) : [])
      + [Count.acknowledged, Count.unreported] + (TestHooks.areBuiltIn ? [Count.failed, Count.joined] : [])
      + [
        Count.verified, Count.entries, Count.rows, Count.views, Count.moved, Count.checkpoints, Count.closed,
        Count.stopped,
      ]
  }

  public var requirements: [StressRequirement] {
    guard let kills else { return [StressRequirement(Count.kills, else: "no process was killed")] }
    var required = [
      Count.kills, Count.atMoment, Count.atCommit, Count.acknowledged, Count.verified, Count.entries, Count.moved,
      Count.stopped,
    ]
    if kills >= Self.killsForEveryPoint {
      required += [Count.duringCheckpoint, Count.duringClosing, Count.duringRecovery, Count.unreported, Count.views]
      if TestHooks.areBuiltIn { required += [Count.failed, Count.joined] + KillPlan.points.map(Count.at) }
    }
    return required.map { StressRequirement($0, else: "some kinds of kills did not happen") }
  }

  public var untested: [String] {
    var lines = [
      "A power loss, which also loses what the kernel has not written: see \"stress power-loss\".",
      "The same moment again: a case repeats its plan, but not the order in which threads run.",
    ]
    if !TestHooks.areBuiltIn {
      lines += [
        "Kills at the named points of the engine, commits that fail, and joint commits that are forced: this build has "
          + "no test points. Build with: swift build --product yapbench --traits Jemalloc,TestPoints"
      ]
    }
    return lines
  }

  public func run(_ testCase: StressCase) throws -> CaseOutcome {
    let crashes = try CrashCase(self, testCase)
    try crashes.run()
    return crashes.outcome
  }

  /// The counts to which an event adds.
  static func counts(of event: CrashEvent) -> CaseOutcome {
    var outcome = CaseOutcome()
    switch event {
    case .verified(_, let entries, let rows):
      outcome.counts = [Count.verified: 1, Count.entries: entries, Count.rows: rows]
    case .registered: outcome.count(Count.views)
    case .acknowledged: outcome.count(Count.acknowledged)
    case .failed: outcome.count(Count.failed)
    case .joined: outcome.count(Count.joined)
    case .moved: outcome.count(Count.moved)
    case .checkpointBegun: outcome.count(Count.checkpoints)
    case .opening, .opened, .checkpointEnded, .closing, .closed, .wrong: break
    }
    return outcome
  }
}
