internal import ArgumentParser
internal import BenchDrivers
internal import BenchResults
internal import EngineStress
internal import ScenarioStress
internal import ThreadingPrimitives

/// The command of all child processes of the program. It is not for users.
struct ChildCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: ChildRole.subcommand,
    abstract: "Serves the process that has started this one.",
    shouldDisplay: false
  )

  @Argument(transform: role(named:)) var role: ChildRole
  /// The order of `crash`, or the campaign of `cases`. For `trial`, the folder, which only lists of processes show.
  @Argument var task: String?
  /// A failure of the process in case 50, for tests of the other process.
  @Option var failure: FailingCase.Failure?

  func perform(in context: CommandContext) throws -> Int32 {
    switch role {
    case .engine: return EngineHost.serve()
    case .crash: return CrashChild.serve(task ?? "")
    case .trial: try TrialHost.serve()
    case .cases:
      let campaign = try campaign()
      try CaseServer(failure.map { FailingCase(of: campaign, failure: $0) } ?? campaign).serve()
    }
    return ExitStatus.passed.rawValue
  }

  private static func role(named name: String) throws -> ChildRole {
    guard let role = ChildRole(rawValue: name) else { throw ValidationError("there is no role \"\(name)\"") }
    return role
  }

  private func campaign() throws -> any StressCampaign {
    switch StressKind(rawValue: task ?? "") {
    case .damage: return DamageCampaign()
    case .faults: return FaultCampaign()
    default: throw ValidationError("stress \(task ?? "") does not run its cases in child processes")
    }
  }
}

/// A campaign of which one case ends or blocks its process.
struct FailingCase: StressCampaign {
  enum Failure: String, ExpressibleByArgument, CaseIterable {
    case trap, hang
  }

  static let number = 50

  private let campaign: any StressCampaign
  private let failure: Failure

  init(of campaign: any StressCampaign, failure: Failure) {
    self.campaign = campaign
    self.failure = failure
  }

  var kind: StressKind { campaign.kind }
  var arguments: [String] { campaign.arguments }
  var synchronous: String { campaign.synchronous }
  var countNames: [String] { campaign.countNames }
  var requirements: [StressRequirement] { campaign.requirements }
  var untested: [String] { campaign.untested }

  func run(_ testCase: StressCase) throws -> CaseOutcome {
    guard testCase.number == Self.number else { return try campaign.run(testCase) }
    switch failure {
    case .trap: preconditionFailure("a trap for a test")
    case .hang: while true { MonotonicClock.sleep(until: .max) }
    }
  }
}
