internal import ArgumentParser
internal import BenchReports
internal import BenchResults
internal import BenchScenario
internal import EngineBenchmarks
internal import Foundation
internal import HarnessPrimitives
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

        The instructions of the engine outside SQLite, on a busy machine too:
        yapbench bench --instructions

        The long WAL at the size that the target states:
        yapbench bench --only P16 --stuck-wal-mib 1024

        Curves of costs over table sizes and WAL sizes, into the folder "curves":
        yapbench bench --growth --only rows,wal --max-rows 1000000 --out curves

      Exit code 99 means that a target was missed, 113 that a figure has no \
      result, 111 that a read returned a wrong value.
      """
  )

  @Option(
    help: ArgumentHelp("Only these targets, or axes of --growth. May be repeated.", valueName: "P1,P2")
  )
  var only: [OnlyArgument] = []

  @Option(
    help: ArgumentHelp(
      "The number of rounds, 1 to 999; at least 5 to be conclusive. (default: 9; 5 with --growth)",
      valueName: "n"
    )
  )
  var rounds: Int?

  @Option(help: ArgumentHelp("The seed for the order of turns, keys and values.", valueName: "n"))
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("Writes all figures of all rounds to this new file.", valueName: "file"))
  var json: PathArgument?

  @Option(name: .customLong("data-dir"), help: ArgumentHelp("An existing folder for the databases.", valueName: "dir"))
  var dataFolder = PathArgument(".")

  @Option(
    name: .customLong("stuck-wal-mib"),
    help: ArgumentHelp(
      "The size of P16's long WAL in MiB, 2 to 4096; the target's is 1024. (default: 256)",
      valueName: "n"
    )
  )
  var stuckWALMebibytes: Int?

  @Option(help: ArgumentHelp("Runs only this contestant, such as engine, for a profiler.", valueName: "name"))
  var contestant: String?

  @Flag(help: "Lists the targets and their figures without measuring.")
  var list = false

  @Flag(help: "Counts instructions with Valgrind, instead of measuring times. The machine need not be quiet.")
  var instructions = false

  @Flag(help: "Measures how costs grow with sizes, instead of the targets. Needs --out.")
  var growth = false

  @Option(help: ArgumentHelp("The new folder for the curves of --growth.", valueName: "dir"))
  var out: PathArgument?

  @Option(
    name: .customLong("max-rows"),
    help: ArgumentHelp("The largest table or view of --growth, at least 1000. (default: 10000000)", valueName: "n")
  )
  var maximumRows: Int?

  @Flag(help: "Measures only small sizes with --growth, in about ten seconds.")
  var quick = false

  /// The requested targets; all if empty.
  var targets: Set<TargetName> { only.reduce(into: []) { $0.formUnion($1.targets) } }

  /// The requested axes of growth, all if none is named, and their sizes.
  var growthSizes: [(axis: GrowthAxis, sizes: [Int])] {
    let named = only.flatMap(\.axes)
    return GrowthAxis.allCases.filter { named.isEmpty || named.contains($0) }.map { axis in
      (axis, axis.sizes(maximumRows: maximumRows ?? .max, isQuick: quick))
    }
  }

  func validate() throws {
    if let rounds, !(1...999).contains(rounds) {
      throw ValidationError("--rounds must be 1 to 999, not \(rounds)")
    }
    if let stuckWALMebibytes, !(2...4_096).contains(stuckWALMebibytes) {
      throw ValidationError("--stuck-wal-mib must be 2 to 4096, not \(stuckWALMebibytes)")
    }
    if let contestant, !BenchmarkSession.contestants.contains(contestant) {
      let names = BenchmarkSession.contestants.map { "\"\($0)\"" }.joined(separator: ", ")
      throw ValidationError("--contestant must be one of \(names); not \"\(InertText.line(contestant))\"")
    }
    if growth { try validateGrowth() } else { try validateTargets() }
  }

  private func validateGrowth() throws {
    guard out != nil else { throw ValidationError("--growth needs --out and the path of a new folder") }
    if let maximumRows, maximumRows < 1_000 {
      throw ValidationError("--max-rows must be at least 1000, not \(maximumRows)")
    }
    if only.contains(where: { !$0.targets.isEmpty }) {
      let names = GrowthAxis.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--only with --growth takes axes: \(names)")
    }
    let others = [
      ("--json", json != nil), ("--contestant", contestant != nil), ("--list", list), ("--instructions", instructions),
    ]
    if let other = others.first(where: \.1) { throw ValidationError("\(other.0) cannot be used with --growth") }
    if stuckWALMebibytes != nil { throw ValidationError("--stuck-wal-mib cannot be used with --growth") }
  }

  private func validateTargets() throws {
    let others = [("--out", out != nil), ("--max-rows", maximumRows != nil), ("--quick", quick)]
    if let other = others.first(where: \.1) { throw ValidationError("\(other.0) needs --growth") }
    let ofTimes = [
      ("--rounds", rounds != nil), ("--contestant", contestant != nil), ("--stuck-wal-mib", stuckWALMebibytes != nil),
    ]
    if instructions, let other = ofTimes.first(where: \.1) {
      throw ValidationError("\(other.0) cannot be used with --instructions")
    }
    if instructions, !targets.isEmpty, targets.isDisjoint(with: InstructionSession.targets) {
      let known = InstructionSession.targets.sorted().map(\.description).joined(separator: ", ")
      throw ValidationError("--only with --instructions takes \(known)")
    }
    if let axis = only.flatMap(\.axes).first {
      throw ValidationError("--only \(axis.rawValue) needs --growth")
    }
  }

  func perform(in context: CommandContext) throws -> Int32 {
    if list { return listTargets(in: context) }
    if let refusal = context.build.benchRefusal { throw Failure(refusal, .usage) }
    return try growth ? measureGrowth(in: context) : measureTargets(in: context)
  }

  /// Measures the engine and the drivers against their targets.
  private func measureTargets(in context: CommandContext) throws -> Int32 {
    // Checked before the benchmarks, which take minutes, because their figures could not be written afterwards.
    if let path = json?.text { try Self.checkIsNew(path) }
    if instructions, let missing = try Callgrind.missingProgram() {
      throw Failure("--instructions: \(missing)", .missingInput)
    }
    let perform = instructions ? context.instructionCounter : context.benchmarker
    let report = try BenchWorkspace.use(in: dataFolder.text, context) { folder, display in
      try perform(settings(folder), context.interruption) { progress in
        switch progress {
        case .family(let targets): display.showMessage(targets)
        case .trial(let name): display.showMessage("  \(name)")
        }
      }
    }
    for line in BenchTable.lines(of: report) { context.output.line(line) }
    if let path = json?.text {
      try ExportedFiles.write(String(decoding: report.json(), as: UTF8.self), to: path, overwrites: false)
    }
    return Self.status(of: report).rawValue
  }

  private func settings(_ folder: String) -> BenchmarkOptions {
    var settings = BenchmarkOptions(folder: folder)
    settings.targets = targets
    settings.rounds = rounds ?? settings.rounds
    settings.seed = seed
    settings.contestant = contestant
    if let mebibytes = stuckWALMebibytes { settings.scale.stuckWALBytes = mebibytes << 20 }
    return settings
  }

  /// Returns the exit code: an interruption outranks a figure without a result, which outranks a missed target.
  static func status(of report: BenchmarkReport) -> ExitStatus {
    let verdicts = report.results.map(\.verdict)
    if report.isInterrupted { return .interrupted }
    if verdicts.contains(where: { $0.kind == .noResult }) { return .measurementInvalid }
    return verdicts.contains(.missed) ? .expectationFailed : .passed
  }

  static func checkIsNew(_ path: String) throws {
    try RunDirectory.checkTakesFiles(PathParts(path).folder)
    guard !FileManager.default.fileExists(atPath: path) else {
      throw ReportError(path, "the file exists already", remedy: "Choose another name.")
    }
  }

  /// Lists the targets and the figures that decide whether they are met.
  private func listTargets(in context: CommandContext) -> Int32 {
    for target in PerformanceTarget.all where targets.isEmpty || targets.contains(target.name) {
      context.output.line("\(target.name)  \(target.text)")
      let rows = target.claims.map { claim in
        let note = claim.countedOperations == nil ? claim.obstacle : "--instructions"
        return ["    " + claim.what, claim.limitText, note.map { "(\($0))" } ?? ""]
      }
      for line in AlignedColumns.lines(rows) { context.output.line(line.withoutTrailingSpaces) }
    }
    return ExitStatus.passed.rawValue
  }
}

/// A list of targets such as `P1,D1`, or of axes such as `rows,wal`.
struct OnlyArgument: ExpressibleByArgument {
  let targets: Set<TargetName>
  let axes: [GrowthAxis]

  init?(argument: String) {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    let targets = words.compactMap { word in
      PerformanceTarget.all.map(\.name).first { $0.description == word.uppercased() }
    }
    let axes = words.compactMap { GrowthAxis(rawValue: $0.lowercased()) }
    guard targets.count == words.count || axes.count == words.count else { return nil }
    self.targets = Set(targets)
    self.axes = axes
  }
}
