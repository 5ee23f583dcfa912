package import BenchResults
package import BenchScenario
internal import Foundation
internal import HarnessPrimitives
package import ThreadingPrimitives

/// All runs of one scenario, one after the other, each on a new database: every repetition of every variant, and
/// retries of invalid runs.
package enum ScenarioRun {
  /// Makes all runs, and blocks until they are over. After a violated invariant, a failure or an interruption, no
  /// further run is made. After invalid runs, `RunOptions.quietWaitNanoseconds` decides.
  /// - Parameters:
  ///   - loaded: the scenario, which must have a seed and, for a smoke run, be shortened already.
  ///   - interruption: raised to end the runs early; the measurements until then are returned.
  ///   - onProgress: receives the progress of each run on a thread of its own, so that it does not delay the phases.
  /// - Returns: all measurements and the verdict, also after a failed expectation or a violated invariant.
  /// - Throws: `RunError`, `ThreadError`, or the engine's error in a `DatabaseFailure`, if the first run has no result.
  package static func perform(
    _ loaded: LoadedScenario,
    options: RunOptions,
    interruption: StopFlag = StopFlag(),
    onProgress: @escaping @Sendable (RunProgress) -> Void = { _ in }
  ) throws -> ScenarioResult {
    guard loaded.scenario.seed != nil else {
      throw RunError(problem: "the scenario \"\(loaded.scenario.name)\" has no seed", remedy: "add one, or draw one")
    }
    var series = RunSeries(loaded: loaded, options: options, interruption: interruption, onProgress: onProgress)
    try series.makeAll(planned(loaded))
    var result = ScenarioResult(
      scenarioYAML: loaded.expandedYAML,
      variants: loaded.variants.map(ScenarioResult.Variant.init),
      repetitions: loaded.repetitions,
      runs: series.made.map(\.result)
    )
    result.files = loaded.files.isEmpty ? nil : loaded.files
    result.choices = loaded.choices
    result.shownFigures = loaded.shownFigures
    result.configuration = loaded.configurationDigest
    result.overrides = loaded.overrides.map(\.text)
    result.shard = loaded.shard
    result.engines = loaded.engines
    result.variantExpectations = VariantJudge(loaded: loaded, scenario: result).results
    let verdict = ScenarioVerdict(
      scenario: result,
      wasInterrupted: series.leavesOutRuns,
      failure: series.failure,
      reasonToStop: series.reasonToStop,
      isStrict: options.isStrict
    )
    result.verdict = verdict.result
    return result
  }

  /// Returns the planned runs in their order: all, or those of the shard. The scenario must have a seed.
  package static func planned(_ loaded: LoadedScenario) -> [PlannedRun] {
    let labels = loaded.variants.map(\.label)
    let all = RunOrder.runs(of: labels, repetitions: loaded.repetitions, seed: loaded.scenario.seed ?? 0)
    guard let shard = loaded.shard else { return all }
    let own = shard.cases.clamped(to: all.indices)
    return all[own].enumerated().map { index, run in
      var run = run
      (run.number, run.runCount) = (index + 1, own.count)
      return run
    }
  }
}

/// The runs of a scenario, made one after the other.
private struct RunSeries {
  let loaded: LoadedScenario
  let options: RunOptions
  let interruption: StopFlag
  let onProgress: @Sendable (RunProgress) -> Void
  private(set) var made: [(planned: PlannedRun, result: RunResult)] = []
  /// The reason why a further run has no result; nil if no run failed in this way.
  private(set) var failure: String?
  /// Whether an interruption came before all runs were made.
  private(set) var leavesOutRuns = false
  /// The reason why planned runs or retries are not made after invalid ones; nil if they are.
  private(set) var reasonToStop: String?

  init(
    loaded: LoadedScenario,
    options: RunOptions,
    interruption: StopFlag,
    onProgress: @escaping @Sendable (RunProgress) -> Void
  ) {
    (self.loaded, self.options) = (loaded, options)
    (self.interruption, self.onProgress) = (interruption, onProgress)
  }

  /// Makes the planned runs, and retries of invalid ones.
  /// - Throws: the error of the first run, if it has no result.
  mutating func makeAll(_ planned: [PlannedRun]) throws {
    let quietWait = options.quietWaitNanoseconds.map { longest in
      QuietWait(
        longestNanoseconds: longest,
        folder: options.dataFolder,
        interruption: interruption,
        measure: options.measureOthers,
        onProgress: onProgress
      )
    }
    let firstRound = planned.prefix { $0.repetition == planned[0].repetition }
    guard try make(Array(firstRound)) else { return }
    if firstRound.count < planned.count {
      if made.allSatisfy(\.result.isInvalid) {
        reasonToStop = quietWait?.reasonToStop(after: made.map(\.result), isRound: true)
      }
      guard try reasonToStop == nil && make(Array(planned.dropFirst(firstRound.count))) else { return }
    }
    for _ in 0..<(loaded.runCount > 1 ? options.retriesOfInvalid : 0) {
      let retries = RunOrder.retries(after: made.map { ($0.planned, $0.result.isInvalid) })
      guard !retries.isEmpty else { return }
      reasonToStop = quietWait?.reasonToStop(after: made.map(\.result).filter(\.isInvalid), isRound: false)
      guard try reasonToStop == nil && make(retries) else { return }
    }
  }

  /// Makes the runs, and returns whether more may follow.
  private mutating func make(_ planned: [PlannedRun]) throws -> Bool {
    for run in planned {
      // The first run is made even after an interruption, so that there is a result.
      if interruption.isRaised, !made.isEmpty {
        leavesOutRuns = true
        return false
      }
      do {
        made.append((run, try perform(run)))
      } catch {
        guard !made.isEmpty else { throw error }
        failure = "run \(run.number) of \(run.runCount) has no result: \(error)"
        return false
      }
      if let last = made.last, endsAll(last.result.verdict) { return false }
    }
    return true
  }

  private func perform(_ run: PlannedRun) throws -> RunResult {
    var options = options
    let isSingle = loaded.runCount == 1
    if !isSingle { options.dataFolder += "/run-\(run.number)" }
    let benchmark = BenchmarkRun(
      variant: loaded.variants[run.variant],
      planned: isSingle ? nil : run,
      options: options,
      interruption: interruption,
      onProgress: onProgress
    )
    let result = try benchmark.perform()
    // Removed, so that the disk needs room for only one dataset. An engine that failed may still use its folder.
    if !isSingle, !options.keepsDatabase, !endsAll(result.verdict) {
      try? FileManager.default.removeItem(atPath: options.dataFolder)
    }
    return result
  }

  private func endsAll(_ verdict: VerdictResult) -> Bool {
    [.invariantViolated, .internalError, .interrupted].contains(verdict.exitCode)
  }
}

/// One of the runs of a scenario.
package struct PlannedRun: Sendable, Equatable {
  /// Its position in the order of the runs of this process, from 1.
  package var number: Int
  package var runCount: Int
  /// The variant's index in the file's order, from 0.
  package var variant: Int
  package var variantCount: Int
  /// The variant's values; empty without a matrix.
  package var label: String
  /// From 1; greater than `repetitions` for a retry of an invalid run.
  package var repetition: Int
  package var repetitions: Int

  /// Whether its variant has several runs.
  package var isRepeated: Bool { repetitions > 1 || repetition > 1 }
}

/// The order in which the runs of a scenario are made.
///
/// Machines get faster and slower within minutes. So each round runs every variant once, and a slow period does not
/// affect all runs of one variant. Each round has its own random order, so that a variant does not always follow the
/// same other variant.
enum RunOrder {
  /// - Parameter labels: the labels of the variants.
  static func runs(of labels: [String], repetitions: Int, seed: UInt64) -> [PlannedRun] {
    var runs: [PlannedRun] = []
    for repetition in 1...repetitions {
      var round = Array(labels.indices)
      var stream = RandomStream(seed: seed, "order", "\(repetition)")
      // Fisher–Yates shuffle.
      for last in stride(from: round.count - 1, to: 0, by: -1) { round.swapAt(last, stream.below(last + 1)) }
      for variant in round {
        runs.append(
          PlannedRun(
            number: runs.count + 1,
            runCount: labels.count * repetitions,
            variant: variant,
            variantCount: labels.count,
            label: labels[variant],
            repetition: repetition,
            repetitions: repetitions
          )
        )
      }
    }
    return runs
  }

  /// Returns the runs that each variant still needs for its planned number of valid ones, in the order of the invalid
  /// runs.
  /// - Parameter made: All planned runs, and retries.
  static func retries(after made: [(run: PlannedRun, isInvalid: Bool)]) -> [PlannedRun] {
    var retries: [PlannedRun] = []
    for (run, isInvalid) in made where isInvalid {
      let own = (made.map(\.run) + retries).filter { $0.variant == run.variant }
      let valid = made.count { $0.run.variant == run.variant && !$0.isInvalid }
      let needed = own.count { $0.repetition <= run.repetitions }
      let planned = retries.count { $0.variant == run.variant }
      guard valid + planned < needed else { continue }
      var retry = run
      // No other shard gives this number to a run of the variant.
      repeat { retry.repetition += run.repetitions } while own.contains { $0.repetition == retry.repetition }
      retries.append(retry)
    }
    for index in retries.indices {
      retries[index].number = made.count + index + 1
      retries[index].runCount = made.count + retries.count
    }
    return retries
  }
}
