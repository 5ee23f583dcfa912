import BenchResults
import Foundation
import TestSupport
import Testing
import ThreadingPrimitives

@testable import BenchRunner
@testable import BenchScenario

/// Runs of real scenarios, short enough for a test.
enum RunningScenarios {
  /// Every scenario of the project.
  static func paths() throws -> [String] {
    let folder = Repository.root.appendingPathComponent("Scenarios").path
    return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }.sorted()
      .map { folder + "/" + $0 }
  }

  /// The results that no attempt has shown. Each attempt is longer than the one before, because on a busy machine or
  /// with a sanitizer, a thread may not run in a short phase.
  static func neverShown(_ attempt: (_ stretch: UInt64) throws -> Set<String>) rethrows -> Set<String> {
    var missing: Set<String>?
    for stretch: UInt64 in [1, 2, 4, 8, 16, 32, 64] {
      let missed = try attempt(stretch)
      missing = missing?.intersection(missed) ?? missed
      if missing == [] { break }
    }
    return missing ?? []
  }

  /// Runs every variant in a folder of its own, which is gone afterwards. A smoke run's phases may be stretched.
  static func runAll(
    _ loaded: LoadedScenario,
    isSmoke: Bool = false,
    stretch: UInt64 = 1,
    falsification: Falsification? = nil,
    keepsDatabase: Bool = false,
    quietWaitNanoseconds: UInt64? = nil,
    interruption: StopFlag = StopFlag(),
    latencyLog: LatencyLog? = nil,
    inFolder look: (String) throws -> Void = { _ in },
    onProgress: @escaping @Sendable (RunProgress) -> Void = { _ in }
  ) throws -> ScenarioResult {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var options = RunOptions(dataFolder: folder, keepsDatabase: keepsDatabase, isSmoke: isSmoke)
    options.plant(falsification, in: loaded.scenario)
    options.latencyLog = latencyLog
    options.quietWaitNanoseconds = quietWaitNanoseconds
    options.measureOthers = { OthersUse(processorShare: 1) }
    let smokePhase = Scenario.longestSmokePhaseNanoseconds * stretch
    let result = try ScenarioRun.perform(
      isSmoke ? loaded.smoke(longestPhaseNanoseconds: smokePhase) : loaded,
      options: options,
      interruption: interruption,
      onProgress: onProgress
    )
    try look(folder)
    return result
  }

  /// Runs the first variant of a scenario in a folder of its own, which is gone afterwards, without measuring the costs
  /// of the machine and the harness; once more where an invariant was never checked or an actor did nothing: beside
  /// other work, or with a sanitizer, a thread may get no turn in a short phase. Each further run is twice as long.
  /// - Parameters:
  ///   - unchecked: The invariants that a run of any length may leave unchecked.
  ///   - isEnough: Whether a run shows what the test looks for, such as an operation that is drawn.
  static func run(
    _ loaded: LoadedScenario,
    isSmoke: Bool = false,
    falsification: Falsification? = nil,
    unchecked: Set<String> = [],
    until isEnough: (RunResult) -> Bool = { _ in true }
  ) throws -> RunResult {
    var variant = (isSmoke ? loaded.smoke() : loaded).variants[0]
    var result = try runOnce(variant, isSmoke: isSmoke, falsification)
    for _ in 1...6 {
      let isChecked = result.invariants.allSatisfy { $0.checks > 0 || unchecked.contains($0.name) }
      let isWhole = result.phases.flatMap(\.actors).allSatisfy { $0.begunArrivals > 0 }
      if isChecked && isWhole && isEnough(result) || result.verdict.exitCode == .invariantViolated { break }
      for index in variant.scenario.phases.indices { variant.scenario.phases[index].end.double() }
      result = try runOnce(variant, isSmoke: isSmoke, falsification)
    }
    return result
  }

  /// Expects a whole run with right data. A machine that is busy may break the trust in its figures.
  static func expectRight(
    _ result: RunResult,
    orExit other: BenchResults.ExitStatus? = nil,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    let exits = ([.passed, .measurementInvalid, other] as [BenchResults.ExitStatus?]).compactMap { $0 }
    #expect(exits.contains(result.verdict.exitCode), "\(result.verdict)", sourceLocation: sourceLocation)
    #expect(!result.isPartial, sourceLocation: sourceLocation)
    for invariant in result.invariants {
      #expect(invariant.violations.isEmpty, "\(invariant)", sourceLocation: sourceLocation)
    }
  }

  private static func runOnce(
    _ variant: ScenarioVariant,
    isSmoke: Bool,
    _ falsification: Falsification?
  ) throws -> RunResult {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var options = RunOptions(dataFolder: folder, isSmoke: isSmoke)
    options.measuresHarness = false
    options.plant(falsification, in: variant.scenario)
    return try BenchmarkRun(variant: variant, options: options).perform()
  }
}

extension PhaseEnd {
  fileprivate mutating func double() {
    (nanoseconds, withinNanoseconds) = (nanoseconds.map { 2 * $0 }, withinNanoseconds.map { 2 * $0 })
    (operations, commits, rows) = (operations.map { 2 * $0 }, commits.map { 2 * $0 }, rows.map { 2 * $0 })
  }
}

extension RunOptions {
  /// Puts a mistake between the driver and the runner.
  fileprivate mutating func plant(_ falsification: Falsification?, in scenario: Scenario) {
    guard let falsification else { return }
    decorate = { FalsifyingDatabase($0, falsification, path: $1, views: scenario.views) }
  }
}
