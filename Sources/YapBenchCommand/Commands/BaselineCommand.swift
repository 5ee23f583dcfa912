internal import ArgumentParser
internal import BenchReports
internal import BenchResults
internal import BenchScenario

struct BaselineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract: "Keeps the figures of runs under a name, with which later reports compare.",
    discussion: """
      Every report states the difference of its figures to the last comparable run. \
      With run --baseline NAME it also states those to the baseline. Only runs of the \
      same scenario with the same settings, machine, driver and SQLite are compared. \
      The differences are no verdicts: see yapbench compare for these.

      Examples:
        yapbench baseline save before Reports/RUN
        yapbench run --baseline before Scenarios/wal/stalled-reader.yaml
        yapbench baseline list
        yapbench baseline remove before
      """,
    subcommands: [BaselineSaveCommand.self, BaselineListCommand.self, BaselineRemoveCommand.self]
  )
}

/// The folder of all runs, which has the baselines.
struct BaselineOptions: ParsableArguments {
  @Option(
    name: .customLong("out"),
    help: ArgumentHelp("The parent folder of the runs' folders, which has the baselines.", valueName: "dir"),
    completion: .directory
  )
  var reportFolder = PathArgument("Reports")
}

extension BaselineFolder {
  /// Returns a baseline of a folder of runs.
  /// - Throws: `Failure` if there is no such baseline.
  static func existing(_ name: String, in reports: String) throws -> BaselineFolder {
    let folder = BaselineFolder(name, in: reports)
    guard isName(name), folder.exists else {
      let names = names(in: reports)
      let remedy =
        names.isEmpty
        ? "\(reports) has no baselines; yapbench baseline save NAME RUN makes one"
        : Suggestion.remedy(for: name, among: names)
      throw Failure("there is no baseline \"\(name)\"; \(remedy)", .missingInput)
    }
    return folder
  }
}

struct BaselineSaveCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Adds runs to a baseline, which is made if there is none of the name.",
    discussion: """
      A run replaces the baseline's run of the same scenario with the same settings on \
      the same machine.

      Examples:
        yapbench baseline save before Reports/RUN
        yapbench baseline save v1.2 Reports/20260203-*
      """
  )

  @Argument(help: "The baseline: letters, digits, \"-\", \"_\" and points.")
  var name: String

  @Argument(help: ArgumentHelp("The folders of runs.", valueName: "run"), completion: .directory)
  var runs: [PathArgument]

  @OptionGroup var options: BaselineOptions

  func validate() throws {
    guard BaselineFolder.isName(name) else {
      throw ValidationError("expected letters, digits, \"-\", \"_\" and points as the name, found \"\(name)\"")
    }
  }

  func perform(in context: CommandContext) throws -> Int32 {
    let baseline = BaselineFolder(name, in: options.reportFolder.text)
    for run in runs {
      try baseline.save(RunRecord(run.text).folder)
      context.output.line(InertText.line("\(name): \(run.text)"))
    }
    return ExitStatus.passed.rawValue
  }
}

struct BaselineListCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists the baselines with their runs."
  )

  @OptionGroup var options: BaselineOptions

  func perform(in context: CommandContext) -> Int32 {
    let rows = BaselineFolder.names(in: options.reportFolder.text).flatMap { name in
      BaselineFolder(name, in: options.reportFolder.text).runs.map { run in
        [name, ([run.scenario] + run.settings).joined(separator: " "), run.startedAt, run.commit ?? "", ""]
      }
    }
    if rows.isEmpty { context.output.line("\(options.reportFolder.text) has no baselines") }
    for line in AlignedColumns.lines(rows) { context.output.line(InertText.line(line)) }
    return ExitStatus.passed.rawValue
  }
}

struct BaselineRemoveCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Removes a baseline. The runs themselves stay."
  )

  @Argument(help: "The baseline.")
  var name: String

  @OptionGroup var options: BaselineOptions

  func perform(in context: CommandContext) throws -> Int32 {
    try BaselineFolder.existing(name, in: options.reportFolder.text).remove()
    context.output.line("removed the baseline \(name)")
    return ExitStatus.passed.rawValue
  }
}
