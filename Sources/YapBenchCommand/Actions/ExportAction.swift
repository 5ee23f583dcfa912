internal import BenchModel
internal import BenchReports

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
    return RunRecord(run).read(in: context) { write(try format.files(of: $0), in: context) }
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
