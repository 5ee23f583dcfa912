internal import ArgumentParser

extension Subcommand {
  /// - Throws: `ValidationError` for a number of cases below 1.
  func check(cases: Int?) throws {
    if let cases, cases < 1 { throw ValidationError("--cases must be 1 or more, not \(cases)") }
  }
}

/// The options of every stress campaign.
struct StressOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The seed, which determines all cases. (default: a random one, which is printed)",
      valueName: "n"
    )
  )
  var seed: UInt64?

  @Option(
    name: .customLong("case"),
    help: ArgumentHelp("Runs only this case, whatever --cases or --kills says. The first is 0.", valueName: "n")
  )
  var onlyCase: Int?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "Begins no case after this time. With --resume, the time before counts too.",
      valueName: "duration"
    )
  )
  var time: DurationArgument?

  @OptionGroup var sharding: ShardOptions

  @Option(help: ArgumentHelp("The number of threads that run cases.", valueName: "n"))
  var jobs: Int?

  @Option(name: .customLong("out"), help: ArgumentHelp("The parent folder of the campaign's folder.", valueName: "dir"))
  var reportFolder = PathArgument("Reports")

  @Option(help: ArgumentHelp("Continues the campaign of this folder.", valueName: "folder"))
  var resume: PathArgument?

  @Option(
    name: .customLong("data-dir"),
    help: ArgumentHelp("An existing folder for the databases. (default: the --out folder)", valueName: "dir")
  )
  var dataFolder: PathArgument?

  /// `EventStream.isWanted` reads it.
  @Flag(
    name: .customLong("json-progress"),
    help: "Writes everything on standard error as JSON: events, one per line, from started to ended."
  )
  var writesEvents = false

  func validate() throws {
    if let jobs, !(1...64).contains(jobs) { throw ValidationError("--jobs must be 1 to 64, not \(jobs)") }
    if let onlyCase, onlyCase < 0 { throw ValidationError("--case must be 0 or more, not \(onlyCase)") }
    if time?.nanoseconds == 0 { throw ValidationError("--for must be more than 0") }
    if sharding.shard != nil, onlyCase != nil {
      throw ValidationError("--shard runs a part of all cases; remove --case")
    }
    if resume != nil, onlyCase != nil { throw ValidationError("--resume continues all cases; remove --case") }
  }
}
