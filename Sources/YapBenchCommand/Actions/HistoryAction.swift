internal import BenchComparison
internal import BenchModel
internal import BenchReports
internal import Foundation
internal import SystemFiles

/// Works on the history of a project.
struct HistoryAction {
  /// A file in the working folder, since histories are in folders that are not committed.
  static let defaultAcknowledgements = "acknowledged.json"

  var history: String
  /// The path of the acknowledgements.
  var acknowledgements = defaultAcknowledgements

  /// Runs a step, and reports its error.
  func perform(in context: CommandContext, _ step: () throws -> Int32) -> Int32 {
    do { return try step() } catch {
      let failure = Failure(error)
      context.errors.error(InertText.line(failure.text))
      return failure.status.rawValue
    }
  }

  // MARK: Steps

  /// - Parameter comparison: the folder of a comparison with the pinned build, or its `compare.json`.
  func add(_ comparison: String, in context: CommandContext) throws -> Int32 {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: comparison, isDirectory: &isFolder)
    let path = exists && isFolder.boolValue ? "\(comparison)/compare.json" : comparison
    let result: ComparisonOutcome
    do {
      result = try ComparisonDocument.decode(Data(try RegularFile(path: path).contents(upTo: 1 << 30)))
    } catch let problem as FileProblem {
      throw ComparisonError(.missing, "\(problem); expected the folder of a comparison, or its compare.json")
    } catch {
      throw ComparisonError(.missing, "\(path): \(error)")
    }
    let failed: [ExitStatus] = [.invariantViolated, .interrupted, .internalError]
    guard !failed.contains(where: { $0.rawValue == result.exitCode }) else {
      throw ComparisonError(
        .failure,
        "\(path): the comparison failed with exit code \(result.exitCode); nothing was added"
      )
    }
    let night = Night(result)
    let file = try HistoryFile(at: history)
    let raised = try file.add(night) { nights in
      try HistoryFolder.writeTable(of: nights, beside: history)
    }
    guard let raised else {
      context.output.line("this night is in the history already")
      return ExitStatus.allHeld.rawValue
    }
    context.output.line("added \(night.commit.prefix(12)): \(Quantity.count(try file.nights().count, of: "night"))")
    for line in HistoryReport(nights: [night], alarms: raised, acknowledgements: []).lines.dropFirst() {
      context.output.line("new alarm:\(line)")
    }
    return ExitStatus.allHeld.rawValue
  }

  func list(in context: CommandContext) throws -> Int32 {
    var rows = [["TIME", "COMMIT", "PINNED", "FIGURES", "REGRESSED"]]
    for night in try HistoryFile(at: existing()).nights() {
      let regressed = night.figures.count { $0.verdict == .regressed }
      rows.append([
        night.time, String(night.commit.prefix(12)), String(night.reference.prefix(12)), String(night.figures.count),
        String(regressed),
      ])
    }
    for line in AlignedColumns.lines(rows) { context.output.line(InertText.line(line)) }
    return ExitStatus.allHeld.rawValue
  }

  /// - Parameter name: of the night: its time, or the beginning of its commit.
  func show(_ name: String, in context: CommandContext) throws -> Int32 {
    try Self.checkPrefix(name)
    let nights = try HistoryFile(at: existing()).nights()
    guard let night = nights.last(where: { $0.time == name || $0.commit.hasPrefix(name) }) else {
      throw ComparisonError(.missing, "\(name): there is no such night; yapbench history list shows all of them")
    }
    var rows = [["FIGURE", "PINNED", "NIGHT", "CHANGE", "VERDICT"]]
    for figure in night.figures where figure.role != .secondary {
      rows.append([
        figure.name.text, ComparisonReport.value(figure.base, figure.unit),
        ComparisonReport.value(figure.head, figure.unit), HistoryReport.percent(figure.effect), figure.verdict.rawValue,
      ])
    }
    for line in AlignedColumns.lines(rows) { context.output.line(InertText.line(line)) }
    return ExitStatus.allHeld.rawValue
  }

  /// - Returns: 2 if an alarm is open.
  func trend(in context: CommandContext) throws -> Int32 {
    let file = try HistoryFile(at: existing())
    let report = HistoryReport(
      nights: try file.nights(),
      alarms: try file.alarms(),
      acknowledgements: try acknowledgementFile.acknowledgements()
    )
    for line in report.lines { context.output.line(line) }
    let page = try HistoryFolder.write(report, beside: history)
    context.errors.line(InertText.line("report: \(page)"))
    return report.openAlarms.isEmpty ? ExitStatus.allHeld.rawValue : ExitStatus.regressed.rawValue
  }

  /// - Parameters:
  ///   - commit: the beginning of the first commit after the change.
  ///   - metric: such as p50; nil for all figures that changed there.
  func acknowledge(_ commit: String, metric: String?, note: String, in context: CommandContext) throws -> Int32 {
    try Self.checkPrefix(commit)
    let known = try acknowledgementFile.acknowledgements()
    let alarms = try HistoryFile(at: existing()).alarms().filter { alarm in
      alarm.firstCommit.hasPrefix(commit) && (metric == nil || alarm.figure.metric == metric)
        && !known.contains { $0.covers(alarm) }
    }
    guard !alarms.isEmpty else {
      throw ComparisonError(.missing, "\(commit): no open alarm begins there; yapbench history trend shows all of them")
    }
    try acknowledgementFile.add(alarms.map { Acknowledgement($0, note: note) })
    context.output.line(
      "acknowledged \(Quantity.count(alarms.count, of: "alarm")) in \(acknowledgementFile.path); commit that file"
    )
    return ExitStatus.allHeld.rawValue
  }

  func prune(keep: Int, in context: CommandContext) throws -> Int32 {
    guard keep > 0 else { throw ComparisonError(.usage, "--keep is \(keep); expected 1 or more") }
    let removed = try HistoryFile(at: existing()).prune(keep: keep) { nights in
      try HistoryFolder.writeTable(of: nights, beside: history)
    }
    context.output.line("removed \(Quantity.count(removed, of: "night"))")
    return ExitStatus.allHeld.rawValue
  }

  // MARK: Files

  private var acknowledgementFile: AcknowledgementFile { AcknowledgementFile(at: acknowledgements) }

  /// An empty word would be the beginning of every commit.
  private static func checkPrefix(_ name: String) throws {
    guard name.count >= 4 else {
      throw ComparisonError(.usage, "\"\(name)\": expected at least 4 characters of a commit")
    }
  }

  /// Opening creates a history, which only `add` may do.
  private func existing() throws -> String {
    guard FileManager.default.fileExists(atPath: history) else {
      throw ComparisonError(.missing, "\(history): there is no history; yapbench history add creates it")
    }
    return history
  }
}
