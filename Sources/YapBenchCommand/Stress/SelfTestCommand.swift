internal import ArgumentParser
internal import BenchDrivers
internal import BenchResults
internal import EngineStress
internal import ScenarioStress

struct SelfTestCommand: Subcommand {
  /// The time after which a case has hung.
  private static let caseSeconds = 120

  static let configuration = CommandConfiguration(
    commandName: StressKind.selfTest.rawValue,
    abstract: "Plants bugs, each of which another campaign must find.",
    discussion: """
      A case plants one bug: in the engine, in the files, in the acknowledgements, or \
      in a checker. It then runs cases of the campaign that must find the bug, until \
      one fails for this reason or the budget of cases ends. Before, the same campaign \
      must pass a case without the bug.

      The default seed is \(SelfTestCampaign.defaultSeed). The budgets hold for it: with another seed, a bug may \
      need more cases than its budget.

      Needs a build with named points: \
      swift build --product yapbench --traits Jemalloc,TestPoints

      Examples:
        yapbench stress self-test
        yapbench stress self-test --only power-loss.skippedSyncs
        yapbench stress self-test --list
      """
  )

  @Option(help: ArgumentHelp("Plants only this bug. May be repeated.", valueName: "name"))
  var only: [String] = []

  @Flag(help: "Lists the bugs with their campaigns.")
  var list = false

  @OptionGroup var options: StressOptions

  /// The program of the child processes of crash tests.
  static var crashProgram: CaseProgram {
    CaseProgram(path: EngineProcess.Program.this.path, arguments: ChildRole.crash.arguments)
  }

  func perform(in context: CommandContext) throws -> Int32 {
    guard !list else {
      for bug in try SelfTestBug.named(only) {
        context.output.line("\(bug.name), by \(bug.campaignName): \(bug.effect)")
      }
      return ExitStatus.passed.rawValue
    }
    let program = CaseProgram(
      path: EngineProcess.Program.this.path,
      arguments: ChildRole.cases.arguments + [StressKind.selfTest.rawValue] + only.flatMap { ["--only", $0] }
    )
    let action = StressAction(options: options, defaultSeed: SelfTestCampaign.defaultSeed) { _ in
      IsolatedCampaign(
        try SelfTestCampaign(only: only, crashProgram: Self.crashProgram),
        in: program,
        limitSeconds: Self.caseSeconds,
        reusesProcesses: false
      )
    }
    return try action.perform(in: context)
  }
}
