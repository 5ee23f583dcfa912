internal import ArgumentParser
internal import BenchResults
internal import EngineStress

struct FaultsCommand: Subcommand {
  /// The time after which a case, which consists of many runs, has hung.
  private static let caseSeconds = 600

  static let configuration = CommandConfiguration(
    commandName: StressKind.faults.rawValue,
    abstract: "Makes each call to the file system fail in turn, while the engine is used.",
    discussion: """
      A case is a scenario, such as a commit or a checkpoint, and a fault, such as \
      a failed sync. It is run with the first call failing, then the second, until \
      a run has no failed call; once with one failing call, and once with all calls \
      failing from that one on.

      After each run every error must be the engine's own type, no connection may \
      show anything of a failed transaction, and the database must work on, or \
      refuse writes until it is opened again. Then all acknowledged commits, and no \
      others, must be in the file.

      Examples:
        yapbench stress faults
        yapbench stress faults --seed 42 --case 17
      """
  )

  @Option(
    help: ArgumentHelp("The number of cases. The default has each pair of a scenario and a fault once.", valueName: "n")
  )
  var cases = FaultCampaign.pairCount

  @OptionGroup var options: StressOptions

  func validate() throws { try check(cases: cases) }

  func perform(in context: CommandContext) throws -> Int32 {
    let program = CaseProgram.this(for: .faults).inMountNamespace
    let campaign = IsolatedCampaign(FaultCampaign(), in: program, limitSeconds: Self.caseSeconds)
    return try StressAction(options: options, cases: cases).perform(in: context) { _ in campaign }
  }
}
