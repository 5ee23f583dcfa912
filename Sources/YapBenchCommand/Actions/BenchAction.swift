internal import BenchModel
internal import BenchReports
internal import BenchRunner
internal import EngineBenchmarks
internal import Foundation
internal import ThreadingPrimitives

/// Measures the engine against its targets.
struct BenchAction {
  /// All where empty.
  var targets: Set<Int>
  var rounds: Int
  var seed: UInt64
  var jsonPath: String?
  /// Who alone takes its turns; everybody where nil.
  var contestant: String?
  /// A folder that is there.
  var dataParent: String
  var stuckWALBytes: Int

  func perform(in context: CommandContext) -> Int32 {
    if let refusal = context.build.benchRefusal {
      context.errors.error(refusal)
      return ExitStatus.usage.rawValue
    }
    do {
      // Before minutes are spent on figures that find no place.
      if let jsonPath { try BenchFile.checkIsNew(jsonPath) }
      try context.reserveDescriptors(BenchmarkSession.mostDescriptors)
      try RunDirectory.checkTakesFiles(dataParent)
      let data = DataFolder(in: dataParent, prefix: ".\(Program.name)-bench", isKept: false)
      let display = ProgressDisplay(output: context.errors, terminal: context.terminal)
      // Before the first file is made, so that none is left.
      if context.watchesSignals { try watchSignals(display, in: context) }
      for line in Leftovers.remove(in: [dataParent]) { display.say(line) }
      try data.create()
      defer { data.removeUnlessKept() }
      let report = try measure(data, display, in: context)
      for line in BenchTable.lines(of: report) { context.output.line(line) }
      if let jsonPath {
        try ExportedFiles.write(String(decoding: report.json(), as: UTF8.self), to: jsonPath, overwrites: false)
      }
      return Self.status(of: report).rawValue
    } catch let error as BenchmarkError {
      context.errors.error(error.description)
      return (error.code == .wrongAnswer ? ExitStatus.invariantViolated : .internalError).rawValue
    } catch {
      let failure = Failure(error)
      context.errors.error(failure.text)
      return failure.status.rawValue
    }
  }

  private func watchSignals(_ display: ProgressDisplay, in context: CommandContext) throws {
    try SignalWatch(
      onFirst: {
        context.interruption.raise()
        display.say("interrupted: ending after this turn; once more ends at once")
      },
      onSecond: { UnfinishedOutput.discardAll { Program.end(ExitStatus.interrupted.rawValue) } }
    ).start()
  }

  private func measure(
    _ data: DataFolder,
    _ display: ProgressDisplay,
    in context: CommandContext
  ) throws -> BenchmarkReport {
    var options = BenchmarkOptions(folder: data.path)
    options.targets = targets
    options.rounds = rounds
    options.seed = seed
    options.contestant = contestant
    options.scale.stuckWALBytes = stuckWALBytes
    do {
      return try context.benchmarker(options, context.interruption) { progress in
        switch progress {
        case .family(let targets): display.say(targets)
        case .trial(let name): display.say("  \(name)")
        }
      }
    } catch let error as BenchmarkError where error.code == .wrongAnswer {
      throw error
    } catch {
      throw DatabaseFailure(path: data.path, error: error)
    }
  }

  /// An interruption outranks a figure without a result, which outranks a missed target.
  static func status(of report: BenchmarkReport) -> ExitStatus {
    let verdicts = report.results.map(\.verdict)
    if report.isInterrupted { return .interrupted }
    if verdicts.contains(where: { $0.kind == .noResult }) { return .measurementInvalid }
    return verdicts.contains(.missed) ? .expectationFailed : .allHeld
  }
}

/// The file of `--json`.
enum BenchFile {
  static func checkIsNew(_ path: String) throws {
    let folder = (path as NSString).deletingLastPathComponent
    try RunDirectory.checkTakesFiles(folder.isEmpty ? "." : folder)
    guard !FileManager.default.fileExists(atPath: path) else {
      throw ReportError(path: path, problem: "there is such a file already", remedy: "Choose another name.")
    }
  }
}
