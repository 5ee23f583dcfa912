internal import BenchModel
internal import BenchReports
internal import Foundation

/// Draws the reports and pictures of a run anew, from its record.
struct ReportAction {
  /// The run's folder, or its `run.json`.
  var run: String
  /// A new folder in the run's where nil.
  var target: String?
  var overwrites = false

  func perform(in context: CommandContext) -> Int32 {
    let document = document
    guard FileManager.default.fileExists(atPath: document) else {
      context.errors.error("\(document): there is no such file; name a run's folder, or its run.json")
      return ExitStatus.missingInput.rawValue
    }
    let result: ScenarioResult
    do {
      result = try RunDocument.decode(Data(contentsOf: URL(fileURLWithPath: document)))
    } catch {
      context.errors.error("\(document): \(Failure(error).text)")
      return ExitStatus.invalidScenario.rawValue
    }
    let folder = (document as NSString).deletingLastPathComponent
    let place = folder.isEmpty ? "." : folder
    let target = target ?? "\(place)/redrawn"
    do {
      try context.endOnSignals()
      try RunDirectory.redraw(result, of: place, into: target, overwrites: overwrites)
    } catch {
      let failure = Failure(error)
      context.errors.error(failure.text)
      return failure.status.rawValue
    }
    context.output.line(InertText.line("report: \(target)/report.html"))
    return ExitStatus.allHeld.rawValue
  }

  private var document: String {
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: run, isDirectory: &isFolder)
    return isThere && isFolder.boolValue ? "\(run)/run.json" : run
  }
}
