internal import ArgumentParser
internal import EngineStress

struct SoakCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "soak",
    abstract: "Runs a mixed load for a long time, and bounds memory, descriptors, threads and WAL.",
    discussion: """
      Writers, bookmarks that move or stay, connections that open and close, and \
      checkpoints share a database, which is closed, checked and opened again at \
      random times. The last quarter is compared with the second: memory may grow \
      by 5 % and 8 MiB, descriptors and threads may not grow.

      Examples:
        yapbench stress soak

        One hour:
        yapbench stress soak --length 60m

        Two soaks of half an hour:
        yapbench stress soak --length 30m --cases 2
      """
  )

  @Option(help: ArgumentHelp("The length of one soak, at least 10s.", valueName: "duration"))
  var length = DurationArgument(text: "2m", nanoseconds: 120_000_000_000)

  @Option(help: ArgumentHelp("The number of soaks.", valueName: "n"))
  var cases = 1

  @OptionGroup var options: StressOptions

  func validate() throws {
    if length.nanoseconds < 10_000_000_000 {
      throw ValidationError("--length must be at least 10s, not \(length.text)")
    }
    try check(cases: cases)
  }

  func perform(in context: CommandContext) throws -> Int32 {
    try StressAction(options: options, cases: cases).perform(in: context) { _ in
      SoakCampaign(length: length.text, nanoseconds: length.nanoseconds)
    }
  }
}
