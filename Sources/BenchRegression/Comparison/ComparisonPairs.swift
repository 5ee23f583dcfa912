package import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// The pairs of a comparison in which both runs count, by scenario and stage; and counts of what is left out.
struct ComparisonPairs {
  struct Pair {
    /// The share within which the instructions of one build repeat, as a logarithm.
    static let instructionNoise = 0.005

    var base: [FigureName: RunFigure]
    var head: [FigureName: RunFigure]

    /// Whether no instructions differ by more than the noise.
    var hasEqualInstructions: Bool {
      base.values.filter { $0.role == .instructions }.allSatisfy { figure in
        head[figure.name].map { abs(log($0.value / figure.value)) <= Self.instructionNoise } ?? true
      }
    }
  }

  private struct Key: Hashable {
    var scenario: String
    var stage: Int
  }

  private struct Round: Hashable {
    var stage: Int
    var pair: Int
  }

  /// The numbers of a scenario's pairs without failed runs, in all stages: of those with an invalid run, and of all.
  private struct PairCount {
    var invalidated = 0
    var all = 0
  }

  private var pairs: [Key: [Pair]] = [:]
  /// The nanoseconds of each percentile in the runs that count, by workload and arm.
  private var curveValues: [String: [Arm: [[Double]]]] = [:]
  private var pairCounts: [String: PairCount] = [:]
  var invalidatedPairs: Int { pairCounts.values.reduce(0) { $0 + $1.invalidated } }
  /// The scenarios of which more than a fifth of the pairs were invalid, so the others may not be representative.
  var scenariosWithManyInvalidated: Set<String> {
    Set(pairCounts.filter { $0.value.invalidated * 5 > $0.value.all }.keys)
  }
  private var exclusions = ExclusionCount()
  /// The figures that are left out of pairs; nil if none is.
  var excluded: ExcludedFigures? { exclusions.result }
  private var probes: [Round: [(base: Double, head: Double)]] = [:]
  /// The reasons for which runs failed, each once, ordered by stage, scenario and pair.
  private(set) var failures: [String] = []
  /// The exit codes of failed runs.
  private(set) var failedExitCodes: [Int32] = []
  /// The reason for which a run that counts instructions failed, by scenario. Without Valgrind it may not have failed.
  private(set) var countingFailures: [String: String] = [:]
  private var expectations: [String: FailedExpectations] = [:]

  init(_ runs: [ComparedRun]) {
    let grouped = Dictionary(grouping: runs) { "\($0.stage)/\($0.pair)/\($0.scenario)" }
    for group in grouped.values.sorted(by: { Self.order($0[0]) < Self.order($1[0]) }) {
      guard let base = group.first(where: { $0.arm == .base }), let head = group.first(where: { $0.arm == .head })
      else { continue }
      let failed = [base, head].filter { $0.failure != nil }
      if base.stage == 0, let run = failed.first {
        countingFailures[run.scenario] = "\(run.arm.rawValue), under Valgrind: \(run.failure ?? "")"
        continue
      }
      for run in failed {
        let reason = "\(run.scenario), \(run.arm.rawValue): \(run.failure ?? "")"
        if !failures.contains(reason) { failures.append(reason) }
        failedExitCodes.append(run.exitCode)
      }
      guard failed.isEmpty else { continue }
      pairCounts[base.scenario, default: PairCount()].all += 1
      // Counts of instructions measure no time.
      if base.stage != 0 { exclusions.add(base, head) }
      guard !base.isInvalid, !head.isInvalid else {
        pairCounts[base.scenario]?.invalidated += 1
        continue
      }
      countExpectations(base, head)
      if let one = base.host.probeNanoseconds, let other = head.host.probeNanoseconds {
        probes[Round(stage: base.stage, pair: base.pair), default: []].append((one, other))
      }
      let pair = Pair(base, head)
      all.append(pair)
      pairs[Key(scenario: base.scenario, stage: base.stage), default: []].append(pair)
      for run in [base, head] {
        let disturbed = Set(run.figures.filter(\.isDisturbed).map(\.name.workload))
        for curve in run.curves where !disturbed.contains(curve.workload) {
          curveValues[curve.workload, default: [:]][run.arm, default: []].append(curve.nanoseconds)
        }
      }
    }
  }

  /// The pairs that count, of all scenarios and stages, ordered by stage, scenario and pair.
  private(set) var all: [Pair] = []

  /// Counts failed expectations. Stage 0 is left out, because a run under Callgrind is too slow for its expectations.
  private mutating func countExpectations(_ base: ComparedRun, _ head: ComparedRun) {
    guard base.stage > 0 else { return }
    var counts = expectations[base.scenario] ?? FailedExpectations(scenario: base.scenario)
    counts.pairs += 1
    counts.base += base.exitCode == ExitStatus.expectationFailed.rawValue ? 1 : 0
    counts.head += head.exitCode == ExitStatus.expectationFailed.rawValue ? 1 : 0
    expectations[base.scenario] = counts
  }

  /// The scenarios with expectations that failed, in the order of their names.
  var failedExpectations: [FailedExpectations] {
    expectations.values.filter { $0.base + $0.head > 0 }.sorted { $0.scenario < $1.scenario }
  }

  func pairs(of scenario: String, stage: Int) -> [Pair] { pairs[Key(scenario: scenario, stage: stage)] ?? [] }

  /// The change of the duration of a fixed piece of work, which was timed before each run: head against base; nil if it
  /// was not timed. The pairs of all scenarios with the same number and stage are averaged, and count as one pair.
  var machineChange: EffectEstimate? {
    let rounds = probes.sorted { ($0.key.stage, $0.key.pair) < ($1.key.stage, $1.key.pair) }.map(\.value)
    func mean(_ round: [(base: Double, head: Double)], _ arm: (((base: Double, head: Double)) -> Double)) -> Double {
      round.reduce(0) { $0 + arm($1) } / Double(round.count)
    }
    let differences = try? PairedDifferences(
      base: rounds.map { mean($0, \.base) },
      head: rounds.map { mean($0, \.head) },
      better: .lower
    )
    return differences.map(EffectEstimate.init)
  }

  /// The percentile curves of all workloads, over the pairs of the first and the second stage.
  var curves: [ComparedCurve] {
    curveValues.keys.sorted().map { workload in
      let arms = curveValues[workload] ?? [:]
      return ComparedCurve(workload: workload, base: Self.spreads(arms[.base]), head: Self.spreads(arms[.head]))
    }
  }

  /// - Parameter curves: the curves of one arm's runs. The result ends before the first percentile that one lacks.
  private static func spreads(_ curves: [[Double]]?) -> [ComparedCurve.Spread] {
    guard let curves, let length = curves.map(\.count).min() else { return [] }
    return (0..<length).map { index in
      let values = curves.map { $0[index] }
      return ComparedCurve.Spread(
        lowerQuartile: values.quantile(0.25),
        median: values.median,
        upperQuartile: values.quantile(0.75)
      )
    }
  }

  private static func order(_ run: ComparedRun) -> (Int, String, Int) { (run.stage, run.scenario, run.pair) }
}

/// The effect of one figure over pairs of runs, without a verdict.
package struct EstimatedFigure: Sendable {
  package var name: FigureName
  package var better: BetterValues
  package var estimate: EffectEstimate

  /// The effect in half-widths of its interval; 0 without an interval.
  package var clarity: Double {
    guard let interval = estimate.interval95 else { return 0 }
    // With ties, the width of the interval may be 0.
    return estimate.effect / max((interval.upperBound - interval.lowerBound) / 2, 1e-6)
  }
}

/// The numbers of valid and of invalid pairs of one scenario: of pairs with a time that counts, and of those without. A
/// pair with a failed run is neither.
package struct PairValidity: Sendable, Equatable {
  package private(set) var valid = 0
  package private(set) var invalid = 0
  /// The cause of the first invalid pair; nil if there is none.
  package private(set) var reason: String?

  /// - Parameter runs: The runs of whole pairs, in any order.
  package init(_ runs: [ComparedRun]) {
    let pairs = Dictionary(grouping: runs) { "\($0.stage)/\($0.pair)" }.values.sorted { $0[0].pair < $1[0].pair }
    for pair in pairs {
      guard pair.allSatisfy({ $0.failure == nil }), let base = pair.first(where: { $0.arm == .base }),
        let head = pair.first(where: { $0.arm == .head })
      else { continue }
      if let obstacle = ComparisonPairs.Pair.obstacle(base, head) {
        invalid += 1
        reason = reason ?? obstacle
      } else {
        valid += 1
      }
    }
  }
}

/// The effects of the pairs of one scenario.
package enum PairEstimates {
  /// Returns the figures that may decide and that all runs of the valid pairs have, in the order of the names. Pairs in
  /// which a figure is disturbed do not count for it.
  /// - Parameter runs: runs of one scenario, in any stages.
  package static func figures(of runs: [ComparedRun]) -> [EstimatedFigure] {
    let pairs = ComparisonPairs(runs).all
    guard let sample = pairs.first else { return [] }
    let names = sample.base.values.filter { $0.role == .primary }.sorted { $0.name < $1.name }
    return names.compactMap { figure in
      let pairs = pairs.filter { !$0.isDisturbed(figure.name) }
      let base = pairs.compactMap { $0.base[figure.name] }
      let head = pairs.compactMap { $0.head[figure.name] }
      guard base.count == pairs.count, head.count == pairs.count,
        (base + head).allSatisfy({ ($0.exceedances ?? .max) >= Percentile.fewestDeciding }),
        let differences = try? PairedDifferences(
          base: base.map(\.value),
          head: head.map(\.value),
          better: figure.better
        )
      else { return nil }
      return EstimatedFigure(name: figure.name, better: figure.better, estimate: EffectEstimate(differences))
    }
  }
}
