internal import ArgumentParser
internal import EngineStress

struct SchedulesCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "schedules",
    abstract: "Executes small programs under chosen schedules of their threads.",
    discussion: """
      Each case is a random program of two to four threads that commit, read, move \
      bookmarks, make checkpoints, open and close connections, and sometimes close \
      the database. One thread runs at a time; at each named point of the engine, \
      wait and operation, the next one is chosen, by random priorities that change \
      at two random steps. Every snapshot, change set and notification is checked. \
      Each case is executed twice, and must take the same steps both times.

      Every 25th case is an execution of a longer program whose threads run freely, \
      and pause for up to 300 us at one of eight named points. It cannot be repeated \
      exactly.

      Needs a build with named points: \
      swift build --product yapbench --traits Jemalloc,TestPoints

      Examples:
        yapbench stress schedules --cases 500 --seed 1

        One case again; its last steps are in trace.txt of its folder:
        yapbench stress schedules --seed 1 --case 17
      """
  )

  @Option(help: ArgumentHelp("The number of cases. (default: 500, or no limit with --for)", valueName: "n"))
  var cases: Int?

  @Option(
    help: ArgumentHelp(
      "The choice of the next thread: pct, by priorities, or uniform, any thread at each step.",
      valueName: "rule"
    )
  )
  var rule = NamedArgument(ScheduleRule.pct)

  @Flag(help: "Makes all cases executions with pauses.")
  var jitter = false

  @OptionGroup var options: StressOptions

  func validate() throws { try check(cases: cases) }

  func perform(in context: CommandContext) throws -> Int32 {
    let limit = cases ?? (options.time == nil ? 500 : nil)
    return try StressAction(options: options, cases: limit).perform(in: context) { _ in
      try ScheduleCampaign(rule: rule.value, pausesOnly: jitter)
    }
  }
}
