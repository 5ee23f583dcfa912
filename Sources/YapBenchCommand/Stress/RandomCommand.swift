internal import ArgumentParser
internal import BenchDrivers
internal import BenchResults
internal import EngineStress
internal import HarnessPrimitives
internal import ScenarioStress

struct RandomCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "random",
    abstract: "Runs random scenarios with all invariants, and shrinks those that fail.",
    discussion: """
      Each case draws a scenario of about a second from the grammar: operations, \
      snapshots, cache policies, loads, engine options and events such as kill. A \
      scenario that violates an invariant is shrunk to a small one that still does, \
      which is saved in the folder of the case.

      A build with the trait TestPoints also pauses threads at named points.

      Examples:
        yapbench stress random --for 60s

        Repeat a saved scenario:
        yapbench stress random --scenario scenario.yaml
      """
  )

  @Option(help: ArgumentHelp("The number of scenarios. (default: 100, or no limit with --for)", valueName: "n"))
  var cases: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Runs this scenario in each case instead of random ones. (cases: 10)", valueName: "file")
  )
  var scenario: PathArgument?

  @Option(help: ArgumentHelp("With --scenario: pauses threads at named points, by this seed.", valueName: "n"))
  var pauses: UInt64?

  @Flag(help: "With --scenario: joins commits whenever another writer waits.")
  var joins = false

  @OptionGroup var options: StressOptions

  func validate() throws {
    try check(cases: cases)
    if scenario == nil {
      if pauses != nil { throw ValidationError("--pauses belongs to --scenario; add it, or remove both") }
      if joins { throw ValidationError("--joins belongs to --scenario; add it, or remove both") }
    }
  }

  func perform(in context: CommandContext) throws -> Int32 {
    if pauses != nil { try MissingTestPoints.check(for: "pauses") }
    let limit = cases ?? (options.time == nil ? (scenario == nil ? 100 : 10) : nil)
    let action = StressAction(options: options, cases: limit)
    if let scenario = scenario?.text {
      // Without this check, a missing file would have the exit code of an invalid scenario.
      _ = try RegularFile(path: scenario)
      var tests = EngineTestSettings()
      tests.pauseSeed = pauses
      tests.joinsAlways = joins
      return try action.perform(in: context) { try ScenarioRepetition(path: scenario, seed: $0, tests: tests) }
    }
    return try action.perform(in: context) { RandomCampaign(seed: $0) }
  }
}
