internal import ArgumentParser
internal import BenchResults
internal import EngineStress
internal import ScenarioStress

/// The command of the child processes that run the cases of a campaign. It is not for users.
struct CaseServerCommand: Subcommand {
  static let name = "stress-cases"

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Runs cases of a stress campaign for another process.",
    shouldDisplay: false
  )

  @Argument var kind: String
  @Option var plant: String?
  @Option var only: [String] = []

  func perform(in context: CommandContext) throws -> Int32 {
    try CaseServer(campaign()).serve()
    return ExitStatus.passed.rawValue
  }

  private func campaign() throws -> any StressCampaign {
    switch StressKind(rawValue: kind) {
    case .damage:
      let bug = try plant.map { name in
        guard let bug = DamageCampaign.PlantedBug(rawValue: name) else {
          throw ValidationError("--plant \(name): there is no planted bug of this name")
        }
        return bug
      }
      return DamageCampaign(plantedBug: bug)
    case .selfTest: return try SelfTestCampaign(only: only, crashProgram: SelfTestCommand.crashProgram)
    case .faults: return FaultCampaign()
    default: throw ValidationError("stress \(kind) does not run its cases in child processes")
    }
  }
}
