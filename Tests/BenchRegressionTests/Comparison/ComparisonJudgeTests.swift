import Foundation
import Testing

@testable import BenchRegression
@testable import BenchResults

@Suite("The result of a comparison") struct ComparisonJudgeTests {
  private func result(_ comparison: SyntheticComparison, _ change: (inout [ComparedRun]) -> Void = { _ in })
    -> ComparisonOutcome
  {
    var runs = comparison.runs()
    change(&runs)
    return comparison.judge.result(of: runs)
  }

  private func verdicts(_ result: ComparisonOutcome, _ scenario: String) -> [String: EffectVerdict] {
    let own = result.figures.filter { $0.name.workload.hasPrefix(scenario) }
    return Dictionary(uniqueKeysWithValues: own.map { ($0.name.metric, $0.verdict) })
  }

  private func document(_ result: ComparisonOutcome) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return try encoder.encode(result)
  }

  // MARK: Verdicts

  @Test func `a slower head regresses where it is slower, and nowhere else`() {
    let result = result(SyntheticComparison(slowdowns: ["commits": 0.08]))
    #expect(verdicts(result, "commits")["p50"] == .regressed)
    #expect(verdicts(result, "commits")["throughput"] == .regressed)
    #expect(verdicts(result, "reads").values.allSatisfy { !$0.isChange })
    #expect(result.exitCode == .regressed)
    #expect(result.figures[0].verdict == .regressed && result.figures[0].stage == 2)
    let p50 = result.figures.first { $0.name == FigureName(workload: "commits/run/actor", metric: "p50") }
    #expect((6.0...10.0).contains(p50?.changePercent ?? 0))
    let rate = result.figures.first { $0.name == FigureName(workload: "commits/run/actor", metric: "throughput") }
    #expect((-10.0 ... -6.0).contains(rate?.changePercent ?? 0))
  }

  @Test func `a faster head is an improvement and not a failure`() {
    let result = result(SyntheticComparison(slowdowns: ["reads": -0.08]))
    #expect(verdicts(result, "reads")["p50"] == .improved)
    #expect(result.exitCode == .passed)
  }

  @Test func `equal arms with little noise are unchanged`() {
    let result = result(SyntheticComparison(noise: 0.005))
    #expect(result.summary.regressed == 0 && result.summary.improved == 0)
    #expect(result.summary.unchanged + result.summary.changedSmall == 8)
    #expect(result.exitCode == .passed)
  }

  @Test func `a change that is not confirmed is suspect and not a regression`() {
    var comparison = SyntheticComparison(slowdowns: ["commits": 0.08])
    comparison.stages = [1]
    let first = comparison.runs()
    #expect(comparison.judge.suspects(in: first) == ["commits"])
    var calm = SyntheticComparison()
    calm.stages = [2]
    let result = comparison.judge.result(of: first + calm.runs())
    #expect(verdicts(result, "commits")["p50"] == .suspect)
    #expect(result.summary.regressed == 0)
    #expect(result.exitCode == .passed)
  }

  @Test func `a change whose direction fresh pairs reverse is not confirmed`() {
    var comparison = SyntheticComparison(slowdowns: ["commits": 0.08])
    comparison.stages = [1]
    var turned = SyntheticComparison(slowdowns: ["commits": -0.08])
    turned.stages = [2]
    let result = comparison.judge.result(of: comparison.runs() + turned.runs())
    #expect(verdicts(result, "commits")["p50"] == .suspect)
  }

  // MARK: Counts

  @Test func `a count that is the same in all runs of each arm decides exactly`() {
    let result = result(SyntheticComparison()) { runs in
      for index in runs.indices where runs[index].arm == .head && runs[index].scenario == "reads" {
        runs[index].figures[4].value = 13
      }
    }
    let syncs = result.figures.first { $0.name == FigureName(workload: "reads/run/actor", metric: "syncs") }
    #expect(syncs?.verdict == .regressed)
    #expect(syncs?.isExact == true)
    #expect(result.exitCode == .regressed)
  }

  @Test func `a count that is greater in every run decides, also where it was 0`() {
    for base in [0.0, 12] {
      let result = result(SyntheticComparison()) { runs in
        for index in runs.indices {
          runs[index].figures[4].value = runs[index].arm == .base ? base : 20 + Double(index % 3)
        }
      }
      #expect(verdicts(result, "reads")["syncs"] == .regressed)
      #expect(result.exitCode == .regressed)
    }
  }

  @Test func `a count that varies around that of the other side does not decide`() {
    let result = result(SyntheticComparison()) { runs in
      for index in runs.indices where runs[index].arm == .head { runs[index].figures[4].value = 12 + Double(index % 5) }
    }
    #expect(verdicts(result, "reads")["syncs"] == .regressed)
    #expect(result.exitCode == .passed)
  }

  @Test(arguments: [
    (16, 1.02, EffectVerdict.regressed, BenchResults.ExitStatus.regressed), (15, 1.02, .regressed, .passed),
    (16, 1.005, .changedSmall, .passed),
  ])
  func `a count that varies decides if all values of one side are beyond all values of the other`(
    pairs: Int,
    factor: Double,
    verdict: EffectVerdict,
    exitCode: BenchResults.ExitStatus
  ) {
    let result = result(SyntheticComparison(pairs: pairs)) { runs in
      for index in runs.indices {
        let varied = 100 + 0.001 * Double(index % 7)
        runs[index].figures[4].value = runs[index].arm == .head ? varied * factor : varied
      }
    }
    #expect(verdicts(result, "reads")["syncs"] == verdict)
    #expect(result.exitCode == exitCode)
  }

  @Test func `a count that is 0 in some runs is inconclusive and not a failure`() {
    let result = result(SyntheticComparison()) { runs in
      for index in runs.indices { runs[index].figures[4].value = Double(index % 5 / 4) }
    }
    #expect(verdicts(result, "reads")["syncs"] == .inconclusive)
    #expect(result.notCompared.isEmpty)
    #expect(result.exitCode == .passed)
  }

  // MARK: Instructions

  @Test(arguments: [
    ([1.0, 1.0], EffectVerdict.unchanged), ([1.004, 0.998], .unchanged), ([1.012, 1.013], .changedSmall),
    ([1.05, 1.051], .regressed), ([0.95, 0.951], .improved), ([1.05, 0.95], .inconclusive),
    ([1.012, 0.99], .unchanged), ([1.1, 1.0], .inconclusive),
  ])
  func `instructions decide where their pairs agree`(_ factors: [Double], _ verdict: EffectVerdict) {
    let result = result(SyntheticComparison(countedFactors: factors))
    let instructions = result.figures.first { $0.role == .instructions }
    #expect(instructions?.verdict == verdict)
    #expect(instructions?.isExact == true && instructions?.pairs == 2)
    #expect(result.exitCode == (verdict == .regressed ? .regressed : .passed))
  }

  @Test func `a side whose instructions cannot be counted is named, and is not a failure`() {
    for arm in Arm.allCases {
      let result = result(SyntheticComparison(countedFactors: [1, 1])) { runs in
        for index in runs.indices where runs[index].stage == 0 && runs[index].arm == arm { runs[index].figures = [] }
      }
      #expect(result.notCompared.map(\.name.text) == ["reads/run/actor instructions"])
      #expect(result.notCompared.first?.reason.contains(arm.rawValue) == true)
      #expect(result.exitCode == .passed)
    }
    let neither = result(SyntheticComparison(countedFactors: [1, 1])) { runs in
      for index in runs.indices where runs[index].stage == 0 { runs[index].figures = [] }
    }
    #expect(neither.notCompared.map(\.role) == [.instructions])
  }

  @Test func `a run that fails under Valgrind is not compared, and is not a failure`() {
    let result = result(SyntheticComparison(countedFactors: [1, 1])) { runs in
      for index in runs.indices where runs[index].stage == 0 && runs[index].arm == .head {
        (runs[index].failure, runs[index].exitCode, runs[index].figures) = ("exit code 132", 132, [])
      }
    }
    #expect(result.failures.isEmpty)
    #expect(result.notCompared.map(\.reason) == ["head, under Valgrind: exit code 132"])
    #expect(result.exitCode == .passed)
  }

  // MARK: The machine

  @Test func `a machine that serves one side worse makes the comparison incomplete`() {
    for (slowdown, isTooLarge) in [(0, false), (0.02, false), (0.08, true), (-0.08, true)] {
      let result = result(SyntheticComparison(machineSlowdown: slowdown))
      #expect(result.machineChange?.isTooLarge == isTooLarge)
      #expect(abs((result.machineChange?.changePercent ?? .infinity) - 100 * slowdown) < 1.5)
      #expect(result.exitCode == (isTooLarge ? .incomparable : .passed))
    }
    let regressed = result(SyntheticComparison(slowdowns: ["commits": 0.08], machineSlowdown: 0.08))
    #expect(regressed.exitCode == .regressed)
  }

  // MARK: What is missing

  @Test func `a failed run is never a pass, and hides no regression`() {
    let failed = result(SyntheticComparison()) { $0[0].failure = "the engine crashed" }
    #expect(failed.exitCode == .incomparable)
    #expect(failed.failures.count == 1)
    let both = result(SyntheticComparison(slowdowns: ["commits": 0.08])) { $0[0].failure = "the engine crashed" }
    #expect(both.exitCode == .regressed)
    #expect(both.failures.count == 1)
  }

  @Test func `runs with a failed expectation are counted by side, and their figures count`() {
    let comparison = SyntheticComparison(noise: 0.005)
    let result = result(comparison) { runs in
      for index in runs.indices where runs[index].scenario == "commits" && runs[index].arm == .head {
        runs[index].exitCode = 99
      }
    }
    let pairs = comparison.pairs + comparison.confirmingPairs
    #expect(
      result.failedExpectations == [FailedExpectations(scenario: "commits", pairs: pairs, base: 0, head: pairs)]
    )
    #expect(result.exitCode == .passed)
    #expect(self.result(comparison).failedExpectations == [])
  }

  @Test func `a change without enough fresh pairs does not pass`() {
    for fresh in [0, 5] {
      let result = result(SyntheticComparison(slowdowns: ["commits": 0.08])) { runs in
        runs.removeAll { $0.stage == 2 && $0.pair > fresh }
      }
      #expect(verdicts(result, "commits")["p50"] == .suspect)
      #expect(result.exitCode == .incomparable)
    }
  }

  @Test func `so few fresh pairs that they could confirm nothing are no pass`() {
    var comparison = SyntheticComparison(slowdowns: ["commits": 0.5])
    comparison.confirmingPairs = 6
    let result = result(comparison)
    // The smallest p-value of six pairs is 1/32, and 0.02 is required.
    #expect(verdicts(result, "commits")["p50"] == .suspect)
    let p50 = result.figures.first { $0.verdict == .suspect }
    #expect(p50?.reasons.first?.contains("6 fresh pairs cannot confirm 3 figures at once") == true)
    #expect(result.exitCode == .incomparable)
  }

  @Test func `a scenario without a figure that decides is no pass`() {
    let result = result(SyntheticComparison()) { runs in
      for index in runs.indices where runs[index].scenario == "reads" { runs[index].figures.removeSubrange(..<3) }
    }
    #expect(result.notCompared.map(\.name.workload) == ["reads"])
    #expect(result.exitCode == .incomparable)
  }

  @Test func `a count that one side lacks is no pass`() {
    let result = result(SyntheticComparison()) { runs in
      for index in runs.indices where runs[index].arm == .head { runs[index].figures.removeLast() }
    }
    #expect(result.notCompared.map(\.name.metric) == ["syncs", "syncs"])
    #expect(result.exitCode == .incomparable)
  }

  @Test func `a run that ended by a signal is a failed engine`() {
    let result = result(SyntheticComparison()) {
      $0[5].failure = "exit code 139"
      $0[5].exitCode = 139
    }
    #expect(result.exitCode == .internalError)
  }

  @Test func `pairs with an invalid run are left out, and many of them are no pass`() {
    for (invalid, exitCode) in [(3, BenchResults.ExitStatus.passed), (9, .incomparable)] {
      let result = result(SyntheticComparison(noise: 0.005)) { runs in
        for index in runs.indices where runs[index].pair <= invalid && runs[index].arm == .head {
          runs[index].invalidity = "generator saturated"
        }
      }
      #expect(result.summary.invalidatedPairs >= 2 * invalid)
      #expect(result.exitCode == exitCode)
    }
  }

  @Test func `many invalid pairs of one scenario are no pass, however few they are among all`() {
    let result = result(SyntheticComparison(noise: 0.005)) { runs in
      for index in runs.indices where runs[index].pair <= 5 && runs[index].scenario == "reads" {
        runs[index].invalidity = "generator saturated"
      }
    }
    #expect(result.summary.invalidatedPairs == 10)
    #expect(result.exitCode == .incomparable)
  }

  @Test func `wrong data outrank everything`() {
    let result = result(SyntheticComparison(slowdowns: ["commits": 0.08])) {
      $0[3].failure = "an invariant was violated"
      $0[3].exitCode = 111
    }
    #expect(result.exitCode == .invariantViolated)
  }

  @Test func `a figure that one arm lacks is not compared, and no pass`() {
    let result = result(SyntheticComparison()) { runs in
      for index in runs.indices where runs[index].arm == .head && runs[index].scenario == "reads" {
        runs[index].figures.removeFirst()
      }
    }
    #expect(result.notCompared.map(\.name.metric) == ["throughput"])
    #expect(result.notCompared[0].reason.contains("head"))
    #expect(result.exitCode == .incomparable)
  }

  @Test(arguments: ["p50", "p99"])
  func `a percentile that one arm lacks is missing, too`(metric: String) {
    for arm in Arm.allCases {
      let result = result(SyntheticComparison()) { runs in
        for index in runs.indices where runs[index].arm == arm && runs[index].scenario == "reads" {
          runs[index].figures.removeAll { $0.name.metric == metric }
        }
      }
      #expect(result.notCompared.map(\.role) == [.primary] && result.notCompared[0].reason.contains(arm.rawValue))
      #expect(result.exitCode == .incomparable)
    }
  }

  @Test func `no runs at all are no pass`() {
    let comparison = SyntheticComparison()
    let result = comparison.judge.result(of: [])
    #expect(result.exitCode == .incomparable)
    #expect(result.summary.notCompared == 2)
  }

  @Test func `five pairs are inconclusive, and say what is needed`() {
    var comparison = SyntheticComparison(slowdowns: ["reads": 0.5])
    comparison.pairs = 5
    let result = result(comparison)
    #expect(verdicts(result, "reads")["p50"] == .inconclusive)
    #expect(result.figures.first { $0.name.metric == "p50" }?.reasons.first?.contains("needs 6") == true)
  }

  @Test func `a percentile with few durations beyond it does not decide`() {
    let result = result(SyntheticComparison(slowdowns: ["reads": 0.5])) { runs in
      for index in runs.indices { runs[index].figures[2].exceedances = 99 }
    }
    let p99 = result.figures.first { $0.name == FigureName(workload: "reads/run/actor", metric: "p99") }
    #expect(p99?.role == .secondary)
    #expect(p99?.reasons == ["99 durations beyond the percentile; 100 needed for a verdict"])
  }

  @Test func `a tail that is short in a fresh run only does not hide a regression`() {
    let result = result(SyntheticComparison(slowdowns: ["reads": 0.5])) { runs in
      for index in runs.indices where runs[index].stage == 2 { runs[index].figures[2].exceedances = 99 }
    }
    let p99 = result.figures.first { $0.name == FigureName(workload: "reads/run/actor", metric: "p99") }
    #expect(p99?.role == .primary && p99?.verdict == .regressed)
  }

  @Test func `a short tail that some runs lack altogether is not missing`() {
    let result = result(SyntheticComparison()) { runs in
      for index in runs.indices where runs[index].pair == 2 { runs[index].figures.remove(at: 2) }
    }
    #expect(result.notCompared.allSatisfy { $0.role == .secondary })
    #expect(result.exitCode == .passed)
  }

  // MARK: The document

  @Test func `the same runs give the same bytes, in whatever order they are read`() throws {
    let comparison = SyntheticComparison(slowdowns: ["commits": 0.05])
    let runs = comparison.runs()
    let once = try document(comparison.judge.result(of: runs))
    #expect(try document(comparison.judge.result(of: runs)) == once)
    #expect(try document(comparison.judge.result(of: runs.reversed())) == once)
  }

  @Test func `exchanged arms mirror the result`() {
    let comparison = SyntheticComparison(slowdowns: ["commits": 0.05])
    let forth = comparison.judge.result(of: comparison.runs())
    let back = comparison.judge.result(of: comparison.runs().exchanged)
    let mirror: [EffectVerdict: EffectVerdict] = [.regressed: .improved, .improved: .regressed]
    for figure in forth.figures {
      guard let other = back.figures.first(where: { $0.name == figure.name }) else {
        Issue.record("\(figure.name.text) is in one direction only")
        continue
      }
      #expect(other.verdict == mirror[figure.verdict] ?? figure.verdict)
      #expect(other.pValue == figure.pValue)
      #expect(other.base == figure.head && other.head == figure.base)
      let product = (1 + (figure.changePercent ?? 0) / 100) * (1 + (other.changePercent ?? 0) / 100)
      #expect(abs(product - 1) < 1e-12)
    }
  }
}
