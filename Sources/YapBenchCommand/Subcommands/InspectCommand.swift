internal import ArgumentParser
internal import BenchModel

struct InspectCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Shows what is in the WAL of a database, who reads from it and who holds its locks.",
    discussion: """
      For any SQLite database in WAL mode, also while other processes use it: \
      files and the kernel's table of locks are read, nothing is locked or \
      written. What a checkpoint could copy now, which readers stand in its \
      way, and what a first open after a crash would have to read.

      Examples:
        yapbench inspect messages.sqlite

        Once a second, a line each, until Ctrl-C:
        yapbench inspect --watch messages.sqlite

        Ten looks at 100 ms from each other, an object of JSON a line:
        yapbench inspect --json --every 100ms --count 10 messages.sqlite
      """
  )

  @Argument(help: ArgumentHelp("A database file.", valueName: "database"), completion: .file())
  var database: String

  @Flag(help: "Goes on looking, once a second or as --every says.")
  var watch = false

  @Option(help: ArgumentHelp("Time from one look to the next; means --watch.", valueName: "duration"))
  var every: DurationArgument?

  @Option(help: ArgumentHelp("Ends after so many looks; means --watch.", valueName: "n"))
  var count: Int?

  @Flag(help: "All figures, as an object of JSON a line.")
  var json = false

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count takes 1 or more, not \(count)") }
    if every?.nanoseconds == 0 { throw ValidationError("--every takes more than 0") }
  }

  func perform(in context: CommandContext) -> Int32 {
    let isWatching = watch || every != nil || count != nil
    return InspectAction(
      path: database,
      looks: isWatching ? count : 1,
      intervalNanoseconds: every?.nanoseconds ?? 1_000_000_000,
      format: json ? .json : isWatching ? .line : .page
    ).perform(in: context)
  }
}

/// `250ms`, as durations are written in scenarios.
struct DurationArgument: ExpressibleByArgument {
  let nanoseconds: UInt64

  init?(argument: String) {
    guard let nanoseconds = try? DurationScalar.parse(argument) else { return nil }
    self.nanoseconds = nanoseconds
  }
}
