internal import BenchModel
internal import BenchReports

/// Draws the reports and pictures of a run anew, from its record.
struct ReportAction {
  /// The run's folder, or its `run.json`.
  var run: String
  /// A new folder in the run's where nil.
  var target: String?
  var overwrites = false

  func perform(in context: CommandContext) -> Int32 {
    let record = RunRecord(run)
    return record.read(in: context) { result in
      let target = target ?? "\(record.folder)/redrawn"
      do {
        try context.endOnSignals()
        try RunDirectory.redraw(result, of: record.folder, into: target, overwrites: overwrites)
      } catch {
        let failure = Failure(error)
        context.errors.error(failure.text)
        return failure.status.rawValue
      }
      context.output.line(InertText.line("report: \(target)/report.html"))
      return ExitStatus.allHeld.rawValue
    }
  }
}
