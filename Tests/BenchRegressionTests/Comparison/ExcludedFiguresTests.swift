import Foundation
import Testing

@testable import BenchRegression
@testable import BenchResults

@Suite("Figures that a comparison leaves out") struct ExcludedFiguresTests {
  private static func busy(_ percent: Int) -> String {
    "machine busy: other processes took \(percent) % of the processor time in run"
  }

  /// Equal builds, of which runs are changed by `change`.
  private func result(
    _ comparison: SyntheticComparison = SyntheticComparison(noise: 0.005),
    _ change: (inout ComparedRun) -> Void
  ) -> ComparisonOutcome {
    var runs = comparison.runs()
    for index in runs.indices { change(&runs[index]) }
    return comparison.judge.result(of: runs)
  }

  /// Disturbs the figures of a run with these metrics, or all times.
  private func disturb(_ run: inout ComparedRun, _ metrics: Set<String>? = nil) {
    run.disturbance = Self.busy(10 + run.pair)
    for index in run.figures.indices where run.figures[index].role != .count {
      run.figures[index].isDisturbed = metrics?.contains(run.figures[index].name.metric) ?? true
    }
  }

  private func figure(_ result: ComparisonOutcome, _ name: String) -> FigureResult? {
    result.figures.first { $0.name.text == name }
  }

  @Test(arguments: Arm.allCases)
  func `a disturbed figure is left out of its pair, whichever side it is, and the others count`(arm: Arm) {
    let result = result { run in
      if run.arm == arm, run.stage == 1, run.scenario == "reads", run.pair <= 12 { disturb(&run, ["p99"]) }
    }
    #expect(figure(result, "reads/run/actor p99")?.pairs == 8)
    #expect(figure(result, "reads/run/actor p50")?.pairs == 20)
    #expect(figure(result, "commits/run/actor p99")?.pairs == 20)
    // Values of the same pair stay together.
    #expect(figure(result, "reads/run/actor p99")?.values.count == 8)
    #expect(result.exitCode == .passed)
    let text = Self.busy(11).replacing("11", with: "11 to 22")
    #expect(result.excluded?.causes == [ExcludedFigures.Cause(text, pairs: 12, times: 12)])
    #expect(result.excluded?.unusablePairs == 0)
  }

  @Test(arguments: [(1.0, BenchResults.ExitStatus.passed), (1.05, .regressed), (1.012, .passed)])
  func `instructions decide where no time can, unless the comparison is strict`(
    factor: Double,
    exitCode: BenchResults.ExitStatus
  ) {
    // Only "reads" is counted.
    let counted = SyntheticComparison(scenarios: ["reads"], countedFactors: [factor, factor], noise: 0.005)
    func disturbAll(_ run: inout ComparedRun) { if run.stage > 0 { disturb(&run) } }
    let result = result(counted, disturbAll)
    #expect(result.exitCode == exitCode)
    #expect(result.notCompared.count { $0.role == .primary } > 0)
    let both = SyntheticComparison(countedFactors: [factor, factor], noise: 0.005)
    #expect(self.result(both, disturbAll).exitCode == (exitCode == .passed ? .incomparable : exitCode))
    var runs = counted.runs()
    for index in runs.indices { disturbAll(&runs[index]) }
    var setting = counted.setting
    setting.design.failsIfInconclusive = true
    #expect(ComparisonJudge(setting).result(of: runs).exitCode == (exitCode == .passed ? .incomparable : exitCode))
  }

  @Test func `instructions that are inconclusive or missing replace no times, and they replace only left out ones`() {
    let torn = SyntheticComparison(scenarios: ["reads"], countedFactors: [1.1, 1], noise: 0.005)
    #expect(result(torn) { run in if run.stage > 0 { disturb(&run) } }.exitCode == .incomparable)
    let counted = SyntheticComparison(scenarios: ["reads"], countedFactors: [1, 1], noise: 0.005)
    let lacking = result(counted) { run in
      if run.stage > 0, run.arm == .head { run.figures.removeAll { $0.name.metric == "p50" } }
    }
    #expect(lacking.exitCode == .incomparable)
    // One kind of instructions is counted on one side only.
    let partial = result(counted) { run in
      if run.stage > 0 { disturb(&run) }
      guard run.stage == 0, run.arm == .head else { return }
      let name = FigureName(workload: "reads/run/moves", metric: "instructions")
      run.figures.append(RunFigure(name: name, role: .instructions, unit: .number, value: 10))
    }
    #expect(partial.exitCode == .incomparable)
    // A few usable pairs, which have no interval.
    let few = result(counted) { run in if run.stage > 0, run.pair > 4 { disturb(&run) } }
    #expect(few.exitCode == .passed)
    let saturated = result(counted) { run in if run.stage > 0, run.pair > 4 { run.invalidity = "saturated" } }
    #expect(saturated.exitCode == .passed)
  }

  @Test func `the figures of a disturbed pair are those of undisturbed ones`() {
    // The disturbed runs of the head are ten times as slow.
    let result = result { run in
      guard run.arm == .head, run.pair.isMultiple(of: 3) else { return }
      disturb(&run)
      for index in run.figures.indices where run.figures[index].isDisturbed { run.figures[index].value *= 10 }
    }
    #expect(result.figures.allSatisfy { !$0.verdict.isChange && $0.verdict != .suspect })
    #expect(result.exitCode == .passed)
  }

  @Test func `counts of disturbed runs have a verdict, and times without enough pairs are no pass`() {
    let result = result { run in if run.pair > 5 { disturb(&run) } }
    #expect(figure(result, "reads/run/actor syncs")?.pairs == 20)
    #expect(figure(result, "reads/run/actor syncs")?.verdict == .unchanged)
    let p50 = figure(result, "reads/run/actor p50")
    #expect(p50?.verdict == .inconclusive && p50?.pairs == 5)
    #expect(p50?.reasons == ["disturbed in 15 of 20 pairs", "5 pairs; a verdict needs 6"])
    #expect(result.exitCode == .incomparable)
    // Two scenarios, two stages.
    #expect(result.excluded?.pairs == 80 && result.excluded?.unusablePairs == 60)
  }

  @Test func `a time that is disturbed in each pair is not compared`() {
    let result = result { run in disturb(&run) }
    let missing = result.notCompared.filter { $0.role == .primary }
    #expect(missing.map(\.reason) == Array(repeating: "disturbed in each of 20 pairs", count: 6))
    #expect(result.figures.map(\.role) == [.count, .count])
    #expect(result.exitCode == .incomparable)
    #expect(result.excluded?.unusablePairs == 80)
    // Four times of each pair, which are disturbed on both sides.
    #expect(result.excluded?.causes.map(\.times) == [320])
  }

  @Test func `a percentile with a short tail does not decide, disturbed or not`() {
    let result = result { run in
      disturb(&run, ["p99"])
      run.figures[2].exceedances = 99
    }
    #expect(!result.notCompared.contains { $0.role == .primary })
    #expect(result.exitCode == .passed)
  }

  @Test func `a regression of a count is found in disturbed runs`() {
    let result = result { run in
      disturb(&run)
      if run.arm == .head, run.scenario == "reads" { run.figures[4].value = 13 }
    }
    #expect(figure(result, "reads/run/actor syncs")?.verdict == .regressed)
    #expect(result.exitCode == .regressed)
  }

  @Test func `another load leaves the pair out as a whole, with its cause`() {
    let result = result { run in
      if run.pair <= 3, run.arm == .head {
        run.invalidity = "generator saturated: run/actor started \(50 * run.pair) of 200 arrivals"
      }
      if run.pair == 4, run.arm == .base { disturb(&run) }
    }
    #expect(result.figures.allSatisfy { $0.pairs == ($0.role == .count ? 17 : 16) })
    #expect(result.summary.invalidatedPairs == 12)
    let load = "generator saturated: run/actor started 50 to 150 of 200 arrivals"
    #expect(
      result.excluded
        == ExcludedFigures(
          pairs: 80,
          unusablePairs: 16,
          causes: [.init(load, pairs: 12, times: nil), .init(Self.busy(14), pairs: 4, times: 16)]
        )
    )
  }

  @Test func `pairs for the counts of instructions are no pairs of times`() {
    let result = result(SyntheticComparison(countedFactors: [1, 1], noise: 0.005)) { run in
      if run.pair == 1, run.stage == 1 { disturb(&run) }
    }
    #expect(result.excluded?.pairs == 80)
  }

  @Test func `fresh pairs that are disturbed confirm nothing`() {
    let slower = SyntheticComparison(slowdowns: ["commits": 0.08])
    let result = result(slower) { run in if run.stage == 2, run.pair > 5 { disturb(&run) } }
    let p50 = figure(result, "commits/run/actor p50")
    #expect(p50?.verdict == .suspect)
    #expect(p50?.reasons == ["seemed changed; 5 fresh pairs, but a verdict needs 6"])
    #expect(result.exitCode == .incomparable)
  }

  @Test func `curves are those of runs whose workload is undisturbed`() {
    let result = result { run in
      let nanoseconds = run.pair == 1 ? 9_000.0 : 1_000
      run.curves = [PercentileCurve(workload: "\(run.scenario)/run/actor", nanoseconds: [nanoseconds])]
      if run.pair == 1 { disturb(&run) }
    }
    let spreads = result.curves.flatMap { $0.base + $0.head }
    #expect(spreads.count == 4 && spreads.allSatisfy { $0.upperQuartile == 1_000 })
  }

  @Test func `a bisection counts pairs with a time, and takes the undisturbed ones`() {
    var runs = SyntheticComparison(scenarios: ["reads"], stages: [1]).runs()
    for index in runs.indices where runs[index].pair <= 4 && runs[index].arm == .head {
      disturb(&runs[index], runs[index].pair <= 2 ? nil : ["p99"])
    }
    let validity = PairValidity(runs)
    #expect(validity.valid == 18 && validity.invalid == 2)
    #expect(validity.reason == Self.busy(11))
    let pairs = PairEstimates.figures(of: runs).map { ($0.name.metric, $0.estimate.pairs) }
    #expect(pairs.map(\.0) == ["p50", "p99", "throughput"] && pairs.map(\.1) == [18, 16, 18])
  }
}
