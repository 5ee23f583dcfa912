internal import ArgumentParser
internal import BenchComparison
internal import BenchReports
internal import BenchResults
internal import BenchScenario
internal import Foundation
internal import HarnessPrimitives

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Stores nightly comparisons, and finds the night in which a figure changed.",
    discussion: """
      A night is the result of `yapbench compare` with a pinned build as the \
      base. The history is an SQLite file; history.csv beside it contains the \
      ratios for other programs. Nights on one machine, with one pinned build and \
      the same settings, form a series; a night that differs does not interrupt it. \
      A change of level raises an alarm, which later nights do not change. \
      Acknowledge accepted changes, and commit acknowledged.json to the project's \
      repository.

      Examples:
        yapbench compare v1.0 . --out Reports/night
        yapbench history add Reports/night
        yapbench history trend
        yapbench history acknowledge 4f2a91c --note "checks every row now"
      """,
    subcommands: [
      HistoryAddCommand.self, HistoryListCommand.self, HistoryShowCommand.self, HistoryTrendCommand.self,
      HistoryAcknowledgeCommand.self, HistoryPruneCommand.self,
    ]
  )
}

/// The files of a history.
struct HistoryFiles: ParsableArguments {
  /// A file in the working folder, because it is committed and the history's folder is not.
  static let defaultAcknowledgements = PathArgument("acknowledged.json")

  @Option(name: .customLong("file"), help: ArgumentHelp("The history file.", valueName: "file"))
  var history = PathArgument("\(NightlyCommand.defaultFolder)/history.sqlite")

  @Option(
    name: .customLong("acknowledgements"),
    help: ArgumentHelp("The acknowledged alarms, a file for the repository.", valueName: "file")
  )
  var acknowledgements = defaultAcknowledgements

  fileprivate var acknowledgementFile: AcknowledgementFile { AcknowledgementFile(at: acknowledgements.text) }

  /// Rejects names of fewer than 4 characters, which would match too many commits.
  fileprivate static func checkPrefix(_ name: String) throws {
    guard name.count >= 4 else { throw Failure("\"\(name)\": expected at least 4 characters of a commit", .usage) }
  }

  /// Opens the history. A missing one is not created, which only `add` may do.
  fileprivate func opened() throws -> HistoryFile {
    guard FileManager.default.fileExists(atPath: history.text) else {
      throw Failure("\(history.text): there is no history; yapbench nightly and history add create one", .missingInput)
    }
    return try HistoryFile(at: history.text)
  }
}

struct HistoryAddCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Adds the result of a comparison with the pinned build."
  )

  @Argument(help: ArgumentHelp("The folder of the comparison, or its compare.json.", valueName: "comparison"))
  var comparison: PathArgument

  @OptionGroup var files: HistoryFiles

  func perform(in context: CommandContext) throws -> Int32 {
    let path = RunRecord(comparison.text, name: "compare.json").path
    let result: ComparisonOutcome
    do {
      result = try ComparisonOutcome.decode(Data(try RegularFile(path: path).contents(upTo: 1 << 30)))
    } catch let problem as FileProblem {
      throw Failure("\(problem); expected the folder of a comparison, or its compare.json", .missingInput)
    } catch {
      throw Failure("\(path): \(error)", .missingInput)
    }
    let failed: [ExitStatus] = [.invariantViolated, .interrupted, .internalError]
    guard !failed.contains(result.exitCode) else {
      throw Failure(
        "\(path): the comparison failed with exit code \(result.exitCode.rawValue); nothing was added",
        .incomparable
      )
    }
    let night = Night(result)
    let file = try HistoryFile(at: files.history.text)
    let raised = try file.add(night) { nights in
      try HistoryTable.write(nights, beside: files.history.text)
    }
    guard let raised else {
      context.output.line("this night is already in the history")
      return ExitStatus.passed.rawValue
    }
    let report = HistoryReport(nights: try file.nights(), alarms: try file.alarms(), acknowledgements: [])
    context.output.line("added \(night.commit.prefix(12)): \(report.text(ofAdded: night))")
    for line in report.lines(of: raised.filter { $0.magnitude > 0 }) { context.output.line("new alarm:\(line)") }
    return ExitStatus.passed.rawValue
  }
}

struct HistoryListCommand: Subcommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists all nights.")

  @OptionGroup var files: HistoryFiles

  func perform(in context: CommandContext) throws -> Int32 {
    var rows = [["TIME", "COMMIT", "PINNED", "SERIES", "FIGURES", "REGRESSED"]]
    let nights = try files.opened().nights()
    let series = NightSeries.all(of: nights)
    for night in nights {
      let number = series.firstIndex { $0.contains(night) }.map { String($0 + 1) } ?? ""
      let regressed = night.figures.count { $0.verdict == .regressed }
      rows.append([
        night.time, String(night.commit.prefix(12)), String(night.reference.prefix(12)), number,
        String(night.figures.count), String(regressed),
      ])
    }
    for line in AlignedColumns.lines(rows) { context.output.line(InertText.line(line)) }
    return ExitStatus.passed.rawValue
  }
}

struct HistoryShowCommand: Subcommand {
  static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows the figures of a night.")

  @Argument(help: "The night's time, or the first characters of its commit.")
  var night: String

  @OptionGroup var files: HistoryFiles

  func perform(in context: CommandContext) throws -> Int32 {
    try HistoryFiles.checkPrefix(night)
    let nights = try files.opened().nights()
    guard let shown = nights.last(where: { $0.time == night || $0.commit.hasPrefix(night) }) else {
      throw Failure("\(night): there is no such night; yapbench history list shows all of them", .missingInput)
    }
    var rows = [["FIGURE", "PINNED", "NIGHT", "CHANGE", "VERDICT"]]
    for figure in shown.figures where figure.role != .secondary {
      rows.append([
        figure.name.text, figure.unit.text(figure.base),
        figure.unit.text(figure.head), figure.changeText, figure.verdict.rawValue,
      ])
    }
    for line in AlignedColumns.lines(rows) { context.output.line(InertText.line(line)) }
    return ExitStatus.passed.rawValue
  }
}

struct HistoryTrendCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "trend",
    abstract: "Shows the open alarms, and writes trend.html and trend.md beside the history.",
    discussion: """
      An alarm is open until it is acknowledged, or until two nights in a row on \
      its machine compare with another pinned build. The first line states how many \
      nights were searched, and why others were not.

      Exit code 0: no alarm is open. 2: an alarm is open.
      """
  )

  @OptionGroup var files: HistoryFiles

  /// - Returns: 2 if an alarm is open, and otherwise 0.
  func perform(in context: CommandContext) throws -> Int32 {
    let file = try files.opened()
    let report = HistoryReport(
      nights: try file.nights(),
      alarms: try file.alarms(),
      acknowledgements: try files.acknowledgementFile.acknowledgements()
    )
    for line in report.lines { context.output.line(line) }
    let page = try report.write(beside: files.history.text)
    context.errors.line(InertText.line("report: \(page)"))
    return report.openAlarms.isEmpty ? ExitStatus.passed.rawValue : ExitStatus.regressed.rawValue
  }
}

struct HistoryAcknowledgeCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "acknowledge",
    abstract: "Marks the alarms that begin at a commit as known and accepted."
  )

  @Argument(help: "The first characters of the first commit after the change.")
  var commit: String

  @Option(help: ArgumentHelp("Only figures of this metric, such as p50.", valueName: "name"))
  var metric: String?

  @Option(help: ArgumentHelp("The reason why the change is accepted.", valueName: "text"))
  var note: String

  @OptionGroup var files: HistoryFiles

  func perform(in context: CommandContext) throws -> Int32 {
    try HistoryFiles.checkPrefix(commit)
    let known = try files.acknowledgementFile.acknowledgements()
    let alarms = try files.opened().alarms().filter { alarm in
      alarm.firstCommit.hasPrefix(commit) && (metric == nil || alarm.figure.metric == metric)
        && !known.contains { $0.covers(alarm) }
    }
    guard !alarms.isEmpty else {
      throw Failure("\(commit): no open alarm begins there; yapbench history trend shows all of them", .missingInput)
    }
    try files.acknowledgementFile.add(alarms.map { Acknowledgement($0, note: note) })
    context.output.line(
      "acknowledged \(Quantity.count(alarms.count, of: "alarm")) in \(files.acknowledgementFile.path); commit that file"
    )
    return ExitStatus.passed.rawValue
  }
}

struct HistoryPruneCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Removes the oldest nights, compared ones and suites."
  )

  @Option(help: ArgumentHelp("The number of nights to keep.", valueName: "n"))
  var keep = 400

  @OptionGroup var files: HistoryFiles

  func perform(in context: CommandContext) throws -> Int32 {
    guard keep > 0 else { throw Failure("--keep is \(keep); expected 1 or more", .usage) }
    let removed = try files.opened().prune(keep: keep) { nights in
      try HistoryTable.write(nights, beside: files.history.text)
    }
    let nights = Quantity.count(removed.compared, of: "compared night")
    context.output.line("removed \(nights) and \(Quantity.count(removed.suites, of: "suite"))")
    return ExitStatus.passed.rawValue
  }
}
