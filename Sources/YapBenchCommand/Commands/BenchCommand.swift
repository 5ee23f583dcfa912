internal import ArgumentParser
internal import BenchReports
internal import BenchResults
internal import BenchRunner
internal import BenchScenario
internal import EngineBenchmarks
internal import Foundation
internal import ThreadingPrimitives

struct BenchCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Compares the engine and the drivers with C, and checks their targets.",
    discussion: """
      All contestants do the same work in one process, in rounds; the order within \
      a round is random. Each figure, mostly a ratio, is shown with its median and \
      quartiles over the rounds. Databases are created in a new folder and removed. \
      Progress goes to standard error, the table to standard output. The lines are \
      explained in Documentation/benchmarks.md.

      Examples:
        yapbench bench

        Two targets, with more rounds:
        yapbench bench --only P1,P6 --rounds 31

        The driver "sqlite" beside the same work in C:
        yapbench bench --only D1

        All targets and figures:
        yapbench bench --list

        On another disk, with all figures of all rounds as JSON:
        yapbench bench --data-dir /mnt/ssd --json bench.json

        The long WAL at the size that the target states:
        yapbench bench --only P16 --stuck-wal-mib 1024

      Exit code 99 means that a target was missed, 113 that a figure has no \
      result, 111 that a read returned a wrong value.
      """
  )

  @OptionGroup var options: BenchOptions

  func perform(in context: CommandContext) throws -> Int32 {
    if options.list { return BenchListAction(targets: options.targets).perform(in: context) }
    return try BenchAction(options: options).perform(in: context)
  }
}

struct BenchOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Only these targets. May be repeated.", valueName: "P1,P2"))
  var only: [TargetsArgument] = []

  @Option(help: ArgumentHelp("The number of rounds, 1 to 999; at least 5 to be conclusive.", valueName: "n"))
  var rounds = 9

  @Option(help: ArgumentHelp("The seed for the order of turns, keys and values.", valueName: "n"))
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("Writes all figures of all rounds to this new file.", valueName: "file"))
  var json: String?

  @Option(name: .customLong("data-dir"), help: ArgumentHelp("An existing folder for the databases.", valueName: "dir"))
  var dataFolder = "."

  @Option(
    name: .customLong("stuck-wal-mib"),
    help: ArgumentHelp("The size of P16's long WAL in MiB, 2 to 4096. The target's is 1024.", valueName: "n")
  )
  var stuckWALMebibytes = BenchmarkScale.whole.stuckWALBytes >> 20

  @Option(help: ArgumentHelp("Runs only this contestant, such as engine, for a profiler.", valueName: "name"))
  var contestant: String?

  @Flag(help: "Lists the targets and their figures without measuring.")
  var list = false

  /// The requested targets; all if empty.
  var targets: Set<TargetName> { only.reduce(into: []) { $0.formUnion($1.targets) } }

  func validate() throws {
    guard (1...999).contains(rounds) else { throw ValidationError("--rounds must be 1 to 999, not \(rounds)") }
    guard (2...4_096).contains(stuckWALMebibytes) else {
      throw ValidationError("--stuck-wal-mib must be 2 to 4096, not \(stuckWALMebibytes)")
    }
    if let contestant, !BenchmarkSession.contestants.contains(contestant) {
      let names = BenchmarkSession.contestants.map { "\"\($0)\"" }.joined(separator: ", ")
      throw ValidationError("--contestant must be one of \(names); not \"\(InertText.line(contestant))\"")
    }
  }
}

/// A list of targets such as `P1,D1`.
struct TargetsArgument: ExpressibleByArgument {
  let targets: Set<TargetName>

  init?(argument: String) {
    let words = argument.uppercased().split(separator: ",", omittingEmptySubsequences: false)
    let targets = words.compactMap { word in PerformanceTarget.all.map(\.name).first { $0.description == word } }
    guard targets.count == words.count else { return nil }
    self.targets = Set(targets)
  }
}

/// Measures the engine and the drivers against their targets.
struct BenchAction {
  let options: BenchOptions

  func perform(in context: CommandContext) throws -> Int32 {
    if let refusal = context.build.benchRefusal { throw Failure(refusal, .usage) }
    // Checked before the benchmarks, which take minutes, because their figures could not be written afterwards.
    if let path = options.json { try Self.checkIsNew(path) }
    try context.reserveDescriptors(BenchmarkSession.mostDescriptors)
    try RunDirectory.checkTakesFiles(options.dataFolder)
    let data = DataFolder(in: options.dataFolder, prefix: ".\(Program.name)-bench", isKept: false)
    let display = ProgressDisplay(output: context.errors, terminal: context.terminal)
    // Before the first file is created, so that a signal leaves none behind.
    try context.watchSignals {
      display.showMessage("interrupted: ending after this turn; interrupt again to end immediately")
    } end: {
      UnfinishedOutput.discardAll { Program.end(ExitStatus.interrupted.rawValue) }
    }
    for line in Leftovers.remove(in: [options.dataFolder]) { display.showMessage(line) }
    try data.create()
    defer { data.removeUnlessKept() }
    let report = try measure(data, display, in: context)
    for line in BenchTable.lines(of: report) { context.output.line(line) }
    if let path = options.json {
      try ExportedFiles.write(String(decoding: report.json(), as: UTF8.self), to: path, overwrites: false)
    }
    return Self.status(of: report).rawValue
  }

  private func measure(
    _ data: DataFolder,
    _ display: ProgressDisplay,
    in context: CommandContext
  ) throws -> BenchmarkReport {
    var settings = BenchmarkOptions(folder: data.path)
    settings.targets = options.targets
    settings.rounds = options.rounds
    settings.seed = options.seed
    settings.contestant = options.contestant
    settings.scale.stuckWALBytes = options.stuckWALMebibytes << 20
    do {
      return try context.benchmarker(settings, context.interruption) { progress in
        switch progress {
        case .family(let targets): display.showMessage(targets)
        case .trial(let name): display.showMessage("  \(name)")
        }
      }
    } catch let error as BenchmarkError where error.code == .wrongAnswer {
      throw error
    } catch {
      throw DatabaseFailure(path: data.path, error: error)
    }
  }

  /// Returns the exit code: an interruption outranks a figure without a result, which outranks a missed target.
  static func status(of report: BenchmarkReport) -> ExitStatus {
    let verdicts = report.results.map(\.verdict)
    if report.isInterrupted { return .interrupted }
    if verdicts.contains(where: { $0.kind == .noResult }) { return .measurementInvalid }
    return verdicts.contains(.missed) ? .expectationFailed : .passed
  }

  private static func checkIsNew(_ path: String) throws {
    let folder = (path as NSString).deletingLastPathComponent
    try RunDirectory.checkTakesFiles(folder.isEmpty ? "." : folder)
    guard !FileManager.default.fileExists(atPath: path) else {
      throw ReportError(path: path, problem: "the file exists already", remedy: "Choose another name.")
    }
  }
}

/// Lists the targets and the figures that decide whether they are met.
struct BenchListAction {
  /// The listed targets; all if empty.
  let targets: Set<TargetName>

  func perform(in context: CommandContext) -> Int32 {
    for target in PerformanceTarget.all where targets.isEmpty || targets.contains(target.name) {
      context.output.line("\(target.name)  \(target.text)")
      let rows = target.claims.map { claim in
        ["    " + claim.what, BenchFigures.limit(of: claim), claim.obstacle.map { "(\($0))" } ?? ""]
      }
      for line in AlignedColumns.lines(rows) { context.output.line(line.withoutTrailingSpaces) }
    }
    return ExitStatus.passed.rawValue
  }
}
