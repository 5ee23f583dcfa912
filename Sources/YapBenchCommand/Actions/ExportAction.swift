internal import BenchModel
internal import BenchReports
internal import Foundation

/// Reads a run's record and writes it in another format.
struct ExportAction {
  /// The folder of a run, or its `run.json`.
  var run: String
  var format: ExportFormat
  /// nil for standard output.
  var target: String?
  var overwrites = false

  func perform(in context: CommandContext) -> Int32 {
    if format.isFolder, target == nil {
      context.errors.error("\(format.rawValue) is several files: name a folder for them with --out")
      return ExitStatus.usage.rawValue
    }
    let path = document
    guard FileManager.default.fileExists(atPath: path) else {
      context.errors.error("\(path): there is no such file; name a run's folder, or its run.json")
      return ExitStatus.missingInput.rawValue
    }
    let files: [ExportFormat.File]
    do {
      files = try format.files(of: RunDocument.decode(Data(contentsOf: URL(fileURLWithPath: path))))
    } catch {
      context.errors.error("\(path): \(Failure(error).text)")
      return ExitStatus.invalidScenario.rawValue
    }
    return write(files, in: context)
  }

  private var document: String {
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: run, isDirectory: &isFolder)
    return isThere && isFolder.boolValue ? "\(run)/run.json" : run
  }

  private func write(_ files: [ExportFormat.File], in context: CommandContext) -> Int32 {
    guard let target else {
      for file in files { context.output.write(file.text) }
      return ExitStatus.allHeld.rawValue
    }
    do {
      try context.endOnSignals()
      if format.isFolder {
        try ExportedFiles.write(files, into: target, overwrites: overwrites)
      } else {
        for file in files { try ExportedFiles.write(file.text, to: target, overwrites: overwrites) }
      }
    } catch {
      let failure = Failure(error)
      context.errors.error(failure.text)
      return failure.status.rawValue
    }
    let count = files.count == 1 ? "" : " (\(files.count) files)"
    context.output.line(InertText.line("\(target): written\(count)"))
    return ExitStatus.allHeld.rawValue
  }
}
