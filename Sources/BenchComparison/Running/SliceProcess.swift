public import BenchModel
public import BenchRegression
internal import Foundation
internal import ThreadingPrimitives

/// Makes the runs of a comparison: each in a fresh process with a fresh database.
public struct SliceProcess: Sendable {
  /// One side: an executable of this program, and the changes to the scenarios that only it makes.
  public struct Program: Sendable {
    public var path: String
    /// `path=value`, as `--set` takes it.
    public var settings: [String]

    public init(path: String, settings: [String]) {
      self.path = path
      self.settings = settings
    }
  }

  public let base: Program
  public let head: Program
  /// By their names.
  private let scenarios: [String: ComparisonPreparation.Scenario]
  /// The parent of a run's output, which is removed after its record has been read.
  private let workFolder: String

  public init(
    base: Program,
    head: Program,
    scenarios: [String: ComparisonPreparation.Scenario],
    workFolder: String
  ) {
    self.base = base
    self.head = head
    self.scenarios = scenarios
    self.workFolder = workFolder
  }

  /// Makes one run, and removes its output.
  ///
  /// A run that fails is a result with a `failure`.
  /// - Throws: `ComparisonError` if the program cannot be started.
  public func run(_ planned: PlannedComparedRun) throws -> ComparedRun {
    let start = MonotonicClock.now
    return try runProcess(planned.arm, planned.scenario, seed: planned.seed) { record, end in
      result(of: planned, seconds: Double(MonotonicClock.now - start) / 1e9, record, end)
    }
  }

  /// Runs a scenario once, and returns the environment that it recorded.
  public func environment(of arm: Arm, scenario: String) throws -> RunEnvironment {
    try runProcess(arm, scenario, seed: 1) { record, end in
      if let failure = Self.failure(of: record, end) {
        throw ComparisonError(.failure, "the \(arm.rawValue) failed at its first run of \(scenario): \(failure)")
      }
      guard let record else { throw ComparisonError(.failure, "the \(arm.rawValue) left no run.json") }
      return record.first.environment
    }
  }

  private func runProcess<Result>(
    _ arm: Arm,
    _ scenario: String,
    seed: UInt64,
    _ body: (ScenarioResult?, ChildProcess.End) throws -> Result
  ) throws -> Result {
    let program = arm == .base ? base : head
    guard let file = scenarios[scenario] else {
      throw ComparisonError(.missing, "\(scenario): there is no such scenario")
    }
    // "base" and "head" are equally long: the length of the arguments shifts the stack of the process, which changes
    // its speed.
    let folder = "\(workFolder)/\(arm.rawValue)"
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let settings = program.settings + (file.isRepeated ? ["repeat=1"] : [])
    let arguments =
      ["run", "--out", folder, "--seed", String(seed)] + settings.flatMap { ["--set", $0] } + [file.path]
    let end = try ChildProcess.run(program.path, arguments)
    return try body(Self.record(in: folder), end)
  }

  // MARK: Its result

  private func result(
    of planned: PlannedComparedRun,
    seconds: Double,
    _ record: ScenarioResult?,
    _ end: ChildProcess.End
  ) -> ComparedRun {
    var run = ComparedRun(
      scenario: planned.scenario,
      stage: planned.stage,
      pair: planned.pair,
      arm: planned.arm,
      isFirst: planned.isFirst,
      seed: planned.seed,
      startedAt: record?.first.startedAt ?? "",
      seconds: seconds,
      host: ComparedRun.Host(
        loadAverage: record?.first.environment.loadAverage ?? 0,
        stealShare: record?.runs.map(\.harness.stealShare).max() ?? 0
      ),
      exitCode: end.exitCode,
      figures: record.map(RunFigures.figures) ?? [],
      curves: record.map(RunFigures.curves) ?? []
    )
    run.failure = Self.failure(of: record, end)
    return run
  }

  private static func record(in folder: String) -> ScenarioResult? {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let records = folders.map { "\(folder)/\($0)/run.json" }
    guard let path = records.first(where: { FileManager.default.fileExists(atPath: $0) }),
      let data = try? Data(contentsOf: URL(fileURLWithPath: path))
    else { return nil }
    return try? RunDocument.decode(data)
  }

  /// Returns the reason for which a run failed; nil if it did not. A run whose expectation failed has figures that
  /// count. One that declared itself invalid is left out with its pair, which is no failure.
  private static func failure(of record: ScenarioResult?, _ end: ChildProcess.End) -> String? {
    let counts: [ExitStatus] = [.allHeld, .expectationFailed, .measurementInvalid]
    if let record, counts.contains(where: { $0.rawValue == end.exitCode }) {
      return record.first.environment.buildMode == "release" ? nil : "it is a debug build; expected a release build"
    }
    let words = record?.verdict.headline ?? end.lastLines
    return "exit code \(end.exitCode)\(words.isEmpty ? "" : ": \(words)")"
  }
}
