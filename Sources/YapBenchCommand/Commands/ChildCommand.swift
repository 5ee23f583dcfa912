internal import ArgumentParser
internal import BenchDrivers
internal import BenchResults
internal import EngineBenchmarks
internal import EngineStress
internal import ScenarioStress

/// The command of all child processes of the program. It is not for users.
struct ChildCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: ChildRole.subcommand,
    abstract: "Serves the process that has started this one.",
    shouldDisplay: false
  )

  @Argument(transform: role(named:)) var role: ChildRole
  /// The order of `crash`, the work of `counted`, or the campaign of `cases`. For `trial`, the folder, which only lists
  /// of processes show.
  @Argument var task: String?

  func perform(in context: CommandContext) throws -> Int32 {
    switch role {
    case .engine: return EngineHost.serve()
    case .crash: return CrashChild.serve(task ?? "")
    case .trial: try TrialHost.serve()
    case .cases: try CaseServer.serve(try campaign())
    case .counted: try CountedWork.perform(task ?? "")
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

extension CaseProgram {
  /// This program as the one that runs the cases of a campaign.
  static func this(for kind: StressKind) -> CaseProgram {
    CaseProgram(path: EngineProcess.Program.this.path, arguments: ChildRole.cases.arguments + [kind.rawValue])
  }
}
