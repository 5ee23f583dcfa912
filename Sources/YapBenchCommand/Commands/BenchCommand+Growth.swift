internal import BenchReports
internal import BenchResults
internal import BenchRunner
internal import EngineBenchmarks
internal import Foundation
internal import HarnessPrimitives

extension BenchCommand {
  /// Measures how costs grow with sizes, and writes the curves into a new folder.
  func measureGrowth(in context: CommandContext) throws -> Int32 {
    let out = out?.text ?? ""
    // Checked before the measurements, which take minutes, because the curves could not be written afterwards.
    try Self.checkIsNew(out)
    let report = try BenchWorkspace.use(in: dataFolder.text, context) { folder, display in
      var settings = GrowthOptions(folder: folder, axes: growthSizes)
      settings.seed = seed
      settings.rounds = rounds ?? (quick ? 3 : settings.rounds)
      if quick { settings.batchNanoseconds /= 3 }
      return try context.grower(settings, context.interruption) { display.showMessage($0) }
    }
    if report.isInterrupted {
      context.errors.line("interrupted: no curves were written")
      return ExitStatus.interrupted.rawValue
    }
    let figures = String(decoding: try StableJSON.document(report), as: UTF8.self)
    let files = GrowthPage.files(of: report) + [ExportFormat.File(name: "growth.json", text: figures)]
    try ExportedFiles.write(files, into: out, overwrites: false)
    context.output.line("\(out)/\(GrowthPage.fileName)")
    return ExitStatus.passed.rawValue
  }
}

/// The new folder for the databases of a benchmark, and the display of its progress.
enum BenchWorkspace {
  /// Runs `measure` with the folder, which is removed afterwards.
  static func use<Report>(
    in parent: String,
    _ context: CommandContext,
    _ measure: (_ folder: String, _ display: ProgressDisplay) throws -> Report
  ) throws -> Report {
    try context.reserveDescriptors(BenchmarkSession.mostDescriptors)
    try RunDirectory.checkTakesFiles(parent)
    let display = ProgressDisplay(output: context.errors, terminal: context.terminal)
    // Before the first file is created, so that a signal leaves none behind.
    try context.watchSignals {
      display.showMessage("interrupted: ending after this turn; interrupt again to end immediately")
    }
    let data = try DataFolder.create(in: parent, display)
    defer { data.removeUnlessKept() }
    do {
      return try measure(data.path, display)
    } catch let error as BenchmarkError where error.code == .wrongAnswer {
      throw error
    } catch {
      throw DatabaseFailure(path: data.path, error: error)
    }
  }
}
