internal import BenchReports
internal import BenchResults
internal import BenchRunner
internal import EngineBenchmarks

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
    let figures = ExportFormat.File(name: "growth.json", text: String(decoding: try report.json(), as: UTF8.self))
    let pages = GrowthPage.files(of: report.axes.map(\.curves), rounds: report.rounds, seed: report.seed)
    try ExportedFiles.write(pages + [figures], into: out, overwrites: false)
    context.output.line("\(out)/\(GrowthPage.fileName)")
    return ExitStatus.passed.rawValue
  }
}

extension GrowthReport.Axis {
  fileprivate var curves: GrowthCurves {
    GrowthCurves(name: axis.rawValue, text: axis.text, isBytes: axis.isBytes, panels: panels.map(\.curves))
  }
}

extension GrowthReport.Panel {
  fileprivate var curves: GrowthCurves.Panel {
    let medians = points.map { point -> GrowthCurves.Point in
      let costs = contestants.map { name in point.figures[name].flatMap { Spread($0) }?.median }
      return (Double(point.size), costs, ratio(at: point))
    }
    return GrowthCurves.Panel(title: title, isBytes: unit == .bytes, contestants: contestants, points: medians)
  }

  private func ratio(at point: GrowthReport.Point) -> Double? {
    guard contestants.count == 2, let first = point.figures[contestants[0]],
      let second = point.figures[contestants[1]]
    else { return nil }
    return Spread(zip(first, second).map { $0 / $1 })?.median
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
