internal import BenchRegression
package import BenchResults
internal import BenchScenario
internal import Foundation
internal import HarnessPrimitives
internal import ThreadingPrimitives

/// A scenario of a comparison.
package struct ComparedScenario: Sendable {
  package var name: String
  package var path: String
  /// The digest of the text and of all files that belong to it.
  package var digest: String
  /// Whether the scenario has repetitions. A comparison sets them to 1.
  package var isRepeated: Bool
  /// nil if its instructions are not to be counted, or cannot be.
  package var counted: CountedScenario?

  package init(
    name: String,
    path: String,
    digest: String,
    isRepeated: Bool = false,
    counted: CountedScenario? = nil
  ) {
    self.name = name
    self.path = path
    self.digest = digest
    self.isRepeated = isRepeated
    self.counted = counted
  }
}

/// Makes the runs of a comparison: each in a fresh process with a fresh database.
package struct SliceProcess: Sendable {
  /// One side: an executable of this program, and the changes to the scenarios that only it makes.
  struct Program: Sendable {
    var path: String
    /// `path=value`, as `--set` takes it.
    var settings: [String] = []

    /// The path of the copy that Callgrind runs.
    var strippedPath: String { "\(path)-stripped" }
  }

  let base: Program
  let head: Program
  /// The scenarios by name.
  let scenarios: [String: ComparedScenario]
  /// The parent folder of each run's output. The output is removed after its record has been read.
  let workFolder: String

  /// Makes one run, and removes its output. In stage 0 it counts instructions. A run that fails is a result with a
  /// `failure`.
  /// - Throws: `ComparisonError` if the program cannot be started, or the scenario is unknown or cannot be counted.
  package func run(_ planned: PlannedComparedRun) throws -> ComparedRun {
    if planned.stage == 0 { return try count(planned) }
    let start = MonotonicClock.now
    let probe = MachineProbe.nanoseconds()
    return try runProcess(of: planned.arm, scenario: planned.scenario, seed: planned.seed) { record, end in
      var run = result(of: planned, seconds: Double(MonotonicClock.now - start) / 1e9, record: record, end: end)
      run.host.probeNanoseconds = probe
      return run
    }
  }

  /// Runs a scenario once, and returns the environment that it recorded. A run with wrong data or failed expectations
  /// has recorded its environment too; the pairs will report the failure.
  /// - Throws: `ComparisonError` for a run without a record, and for a debug build.
  package func environment(of arm: Arm, scenario: String) throws -> RunEnvironment {
    try runProcess(of: arm, scenario: scenario, seed: 1) { record, end in
      let failure = "the \(arm.rawValue) failed at its first run of \(scenario)"
      guard let result = record.result else {
        let kind: ComparisonError.Kind = end.exitCode > 128 ? .crash : .failure
        throw ComparisonError(kind, "\(failure): \(Self.text(of: end, record.problem ?? end.lastLines))")
      }
      let environment = result.first.environment
      guard environment.buildMode == "release" else {
        throw ComparisonError(.failure, "\(failure): \(Self.debugBuild)")
      }
      return environment
    }
  }

  private func runProcess<Result>(
    of arm: Arm,
    scenario: String,
    seed: UInt64,
    body: (Record, FinishedProcess) throws -> Result
  ) throws -> Result {
    let program = arm == .base ? base : head
    let file = try file(scenario)
    return try inFolder(of: arm) { folder in
      let arguments = Self.arguments(for: file, settings: program.settings, folder: folder, seed: seed)
      let end = try ChildProcess.run(program.path, arguments)
      return try body(Self.record(in: folder), end)
    }
  }

  private func file(_ scenario: String) throws -> ComparedScenario {
    guard let file = scenarios[scenario] else {
      throw ComparisonError(.missing, "\(scenario): there is no such scenario")
    }
    return file
  }

  /// Calls `body` with an empty folder, and then removes the folder.
  private func inFolder<Result>(of arm: Arm, _ body: (String) throws -> Result) throws -> Result {
    // "base" and "head" are equally long: the length of the arguments shifts the stack of the process, which changes
    // its speed.
    let folder = "\(workFolder)/\(arm.rawValue)"
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try body(folder)
  }

  private static func arguments(
    for file: ComparedScenario,
    settings: [String],
    folder: String,
    seed: UInt64
  ) -> [String] {
    let settings = settings + (file.isRepeated ? ["repeat=1"] : [])
    return ["run", "--out", folder, "--seed", String(seed)] + settings.flatMap { ["--set", $0] } + [file.path]
  }

  // MARK: Instructions

  /// Counts the instructions of a run.
  private func count(_ planned: PlannedComparedRun) throws -> ComparedRun {
    let start = MonotonicClock.now
    let program = planned.arm == .base ? base : head
    let file = try file(planned.scenario)
    guard let counted = file.counted else {
      throw ComparisonError(.usage, "\(planned.scenario): its instructions cannot be counted")
    }
    return try inFolder(of: planned.arm) { folder in
      let work = counted.takesTurns ? InstructionCount.Work.allCases : [.reads]
      let (end, profile) = try Callgrind.run(
        program.strippedPath,
        Self.arguments(for: file, settings: counted.settings + program.settings, folder: folder, seed: planned.seed)
          + (counted.takesTurns ? ["--in-turns"] : []),
        counting: work.map { "\($0.symbol)*" },
        profile: "\(folder)/callgrind.out"
      )
      let record = Self.record(in: folder)
      var run = result(of: planned, seconds: Double(MonotonicClock.now - start) / 1e9, record: record, end: end)
      run.curves = []
      run.figures = []
      // A build from before the option does not count.
      if counted.takesTurns, end.exitCode == ExitStatus.usage.rawValue { run.failure = nil }
      guard run.failure == nil else { return run }
      let count = InstructionCount(profile, takesTurns: counted.takesTurns)
      run.figures = count.figures(of: counted.workload)
      // Under Callgrind every run is too slow for its own rules, so its verdict is ignored.
      run.exitCode = ExitStatus.passed.rawValue
      (run.invalidity, run.disturbance) = (nil, nil)
      return run
    }
  }

  // MARK: Result

  private func result(
    of planned: PlannedComparedRun,
    seconds: Double,
    record: Record,
    end: FinishedProcess
  ) -> ComparedRun {
    var run = ComparedRun(planned)
    run.seconds = seconds
    run.exitCode = end.exitCode
    if let result = record.result {
      run.startedAt = result.first.startedAt
      run.host.loadAverage = result.first.environment.loadAverage
      run.figures = RunFigures.figures(of: result)
      run.curves = RunFigures.curves(of: result)
      run.disturbance = result.runs.compactMap(\.harness.disturbance).first
      // An invalid run that states no disturbance had another load.
      let isInvalid = end.exitCode == ExitStatus.measurementInvalid.rawValue && run.disturbance == nil
      run.invalidity =
        result.runs.compactMap(\.harness.loadFault).first ?? (isInvalid ? result.verdict.headline : nil)
    }
    run.failure = Self.failure(of: record, end: end)
    return run
  }

  /// The record that a run has written. Both are nil if there is none.
  private struct Record {
    var result: ScenarioResult?
    /// The reason why the record cannot be read.
    var problem: String?
  }

  private static func record(in folder: String) -> Record {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let records = folders.map { "\(folder)/\($0)/run.json" }
    guard let path = records.first(where: { FileManager.default.fileExists(atPath: $0) }),
      let data = try? Data(contentsOf: URL(fileURLWithPath: path))
    else { return Record() }
    do { return Record(result: try RunDocument.decode(data)) } catch {
      return Record(problem: "its run.json cannot be read: \(error)")
    }
  }

  private static let debugBuild = "it is a debug build; expected a release build"

  /// Returns the reason why a run failed; nil if it did not. A run whose expectation failed has figures that count. A
  /// run that declared itself invalid is no failure: its figures are left out, or those that were disturbed.
  private static func failure(of record: Record, end: FinishedProcess) -> String? {
    let counts: [ExitStatus] = [.passed, .expectationFailed, .measurementInvalid]
    if let result = record.result, counts.contains(where: { $0.rawValue == end.exitCode }) {
      return result.first.environment.buildMode == "release" ? nil : debugBuild
    }
    return text(of: end, record.result?.verdict.headline ?? record.problem ?? end.lastLines)
  }

  private static func text(of end: FinishedProcess, _ words: String) -> String {
    end.exitCode == 0 && !words.isEmpty ? words : "exit code \(end.exitCode)\(words.isEmpty ? "" : ": \(words)")"
  }
}

/// A fixed piece of work that is independent of the compared builds: reading 10 MiB of the comparator's own executable
/// from the page cache, and hashing them. It is timed before each run, to show whether the machine was equally fast for
/// both sides.
enum MachineProbe {
  private static let pieceBytes = 64 << 10
  private static let pieces = 160

  /// Returns the duration of the work in nanoseconds, about five milliseconds; nil if the 10 MiB cannot be read.
  static func nanoseconds() -> Double? {
    guard let file = FileHandle(forReadingAtPath: "/proc/self/exe") else { return nil }
    defer { try? file.close() }
    let start = MonotonicClock.now
    // FNV-1a, of words instead of bytes: http://www.isthe.com/chongo/tech/comp/fnv/
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for piece in 0..<pieces {
      guard (try? file.seek(toOffset: UInt64(piece * pieceBytes))) != nil,
        let bytes = try? file.read(upToCount: pieceBytes), !bytes.isEmpty
      else { return nil }
      bytes.withUnsafeBytes { bytes in
        for word in bytes.bindMemory(to: UInt64.self) { hash = (hash ^ word) &* 0x100_0000_01b3 }
      }
    }
    let end = MonotonicClock.now
    // Without a use of the hash the compiler would remove the work.
    return hash == 0 ? nil : Double(end - start)
  }
}
