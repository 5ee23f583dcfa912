package import BenchResults
package import YapEngine

/// Processes that are killed while they use a database. Each case is a fresh database that many processes in turn open,
/// compare with its ledger, and write until they are killed.
package struct CrashCampaign: StressCampaign {
  /// The number of kills in a case.
  package static let killsPerCase = CrashCase.kills
  /// The planned number of kills from which on every kind of kill must happen, including one at each named point.
  private static let killsForEveryKind = 500

  /// The names of the counts.
  ///
  /// Each kill counts once by the choice of its moment: after a random time, at a commit, or at a named point. It also
  /// counts as one during a checkpoint, closing or opening if it interrupted that.
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
    static let withoutTemporaryFolder = "lives with \(ReadOnlyTemporaryFolders.countName)"

    static func at(_ point: TestPoint) -> String { "kills at \(point.rawValue)" }
  }

  /// The program that serves `CrashChild`, and its arguments before the order.
  let program: String
  let programArguments: [String]
  let level: YapDatabaseOptions.Synchronous
  /// The planned number of kills; nil without one.
  private let kills: Int?
  /// Changes the files before each life, for tests. It gets the path of the database, and the number of the life.
  package var tampering: (@Sendable (_ path: String, _ life: Int) throws -> Void)?

  /// - Parameters:
  ///   - program: The path of the program that serves `CrashChild`.
  ///   - programArguments: Its arguments before the order.
  ///   - kills: The planned number of kills, which determines the requirements; nil without one.
  package init(
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

  package var kind: StressKind { .crash }
  package var arguments: [String] { ["--synchronous", level.rawValue] }
  package var synchronous: String { level.rawValue }

  package var countNames: [String] {
    [
      Count.kills, Count.atMoment, Count.atCommit, Count.duringCheckpoint, Count.duringClosing, Count.duringRecovery,
    ] + (TestHooks.areBuiltIn ? [Count.atPoints] + TestPoint.allCases.map(Count.at) : [])
      + [Count.acknowledged, Count.unreported] + (TestHooks.areBuiltIn ? [Count.failed, Count.joined] : [])
      + [
        Count.verified, Count.entries, Count.rows, Count.views, Count.moved, Count.checkpoints, Count.closed,
        Count.stopped, Count.withoutTemporaryFolder,
      ] + PathForm.allCases.map(\.countName)
  }

  package var requirements: [StressRequirement] {
    let hasManyKills = kills ?? 0 >= Self.killsForEveryKind
    return Self.alwaysRequired + (hasManyKills ? Self.requiredOfMany : [])
      + (hasManyKills && TestHooks.areBuiltIn ? Self.requiredWithPoints : [])
  }

  private static let alwaysRequired = [
    StressRequirement(Count.kills, else: "no process was killed"),
    StressRequirement(Count.atMoment, else: "no process was killed at a random moment"),
    StressRequirement(Count.atCommit, else: "no process was killed at a chosen commit"),
    StressRequirement(Count.acknowledged, else: "no commit was acknowledged"),
    StressRequirement(Count.verified, else: "no opened database was compared with its ledger"),
    StressRequirement(Count.entries, else: "no ledger had an entry"),
    StressRequirement(Count.moved, else: "no bookmark moved"),
    StressRequirement(Count.stopped, else: "no stopped database was verified"),
  ]

  private static let requiredOfMany =
    [
      StressRequirement(Count.duringCheckpoint, else: "no kill interrupted a checkpoint"),
      StressRequirement(Count.duringClosing, else: "no kill interrupted the closing of a database"),
      StressRequirement(Count.duringRecovery, else: "no kill interrupted the opening of a database"),
      StressRequirement(Count.unreported, else: "no kill came between a commit and its acknowledgement"),
      StressRequirement(Count.views, else: "no view was registered"),
    ] + PathForm.allCases.map { StressRequirement($0.countName, else: "no database was \($0.countName)") }
    + (MountNamespace.isAvailable
      ? [StressRequirement(Count.withoutTemporaryFolder, else: "no process had read-only temporary folders")] : [])

  private static let requiredWithPoints: [StressRequirement] =
    [
      StressRequirement(Count.failed, else: "no commit failed"),
      StressRequirement(Count.joined, else: "no transaction joined another's commit"),
    ]
    + TestPoint.allCases.map {
      StressRequirement(Count.at($0), else: "no process was killed at the point \($0.rawValue)")
    }

  package var untested: [String] {
    var lines = [
      "A power loss, which also loses what the kernel has not written: see \"stress power-loss\".",
      "The same moment again: a case repeats its plan, but not the order in which threads run.",
    ]
    if !MountNamespace.isAvailable { lines.append(ReadOnlyTemporaryFolders.untested) }
    if !TestHooks.areBuiltIn {
      lines += [
        "Kills at the named points of the engine, commits that fail, and joint commits that are forced: this build has "
          + "no test points. Build with: swift build --product yapbench --traits Jemalloc,TestPoints"
      ]
    }
    return lines
  }

  package func run(_ testCase: StressCase) throws -> CaseOutcome {
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
