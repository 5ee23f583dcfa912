internal import ArgumentParser
internal import BenchReports
internal import BenchResults
internal import BenchRunner
internal import BenchScenario
internal import ScenarioStress

struct LoadCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "Runs scenarios with a ledger of all commits, and checks every read that time permits.",
    discussion: """
      A case is one run of one variant of one scenario of the driver yap. Each \
      read-write transaction also stores an entry of the ledger, and all versions of \
      all rows are kept in memory, so that the exact answer of a read at any \
      snapshot is known. The report has the number of checks of each property, I1 \
      to I13. Expectations and figures do not count.

      With --keep-database, "yapbench verify" can check the databases again. The \
      file beside a database that ends in \(LoadCampaign.acknowledgementSuffix) has \
      the acknowledged commits.

      Examples:
        yapbench stress load Scenarios/stress

        All scenarios, shortened:
        yapbench stress load --smoke Scenarios

        Ten minutes of one scenario, and its databases:
        yapbench stress load --repetitions 1000 --for 10m --keep-database kept FILE
        yapbench verify kept/case-0/NAME.sqlite \\
          --acknowledged kept/case-0/NAME.sqlite.acknowledged
      """
  )

  @Argument(
    help: ArgumentHelp("Scenario files, or folders that are searched for them.", valueName: "file"),
    completion: .scenarios
  )
  var files: [PathArgument]

  @Option(help: ArgumentHelp("The number of runs of each variant.", valueName: "n"))
  var repetitions = 1

  @Option(help: ArgumentHelp("The number of cases. (default: all)", valueName: "n"))
  var cases: Int?

  @Flag(name: .customLong("smoke"), help: "Shortens phases to a few hundred ms.")
  var isSmoke = false

  @Option(
    name: .customLong("keep-database"),
    help: ArgumentHelp("An existing folder to which the databases of passed cases are moved.", valueName: "folder")
  )
  var databaseFolder: PathArgument?

  @OptionGroup var options: StressOptions

  @OptionGroup var choice: ScenarioChoice

  func validate() throws {
    if repetitions < 1 { throw ValidationError("--repetitions must be 1 or more, not \(repetitions)") }
    try check(cases: cases)
  }

  func perform(in context: CommandContext) throws -> Int32 {
    var scenarios = ScenarioFiles(below: files.texts, choice)
    scenarios.report(to: context.errors)
    guard scenarios.status == .passed else { return scenarios.status.rawValue }
    scenarios.keepVariants { $0.engine.driver == .yap }
    if scenarios.entries.isEmpty {
      throw Failure(
        choice.tags.isEmpty ? "no given scenario has the driver yap, whose commits have numbers" : choice.noneTagged,
        .usage
      )
    }
    if let databaseFolder { try RunDirectory.checkTakesFiles(databaseFolder.text) }
    let all = scenarios.entries.flatMap(\.loaded.variants).map(\.scenario)
    try context.reserveDescriptors(all.map(DescriptorNeed.of).max() ?? DescriptorNeed.ofProgram)
    var settings = LoadCampaign.Settings()
    settings.repetitions = repetitions
    settings.isSmoke = isSmoke
    settings.databaseFolder = databaseFolder?.text
    settings.arguments = repeated
    return try StressAction(options: options, cases: cases).perform(in: context) { _ in
      LoadCampaign(scenarios.entries.map(\.loaded), settings)
    }
  }

  /// The arguments that determine the cases.
  private var repeated: [String] {
    files.texts + ["--repetitions", String(repetitions)] + (isSmoke ? ["--smoke"] : [])
      + choice.repeated + choice.tags.flatMap { ["--tag", $0] }
  }
}
