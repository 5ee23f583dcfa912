import Testing

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

@Suite("The verdict of several runs") struct ScenarioVerdictTests {
  /// Two variants, twice each; a run for each code, in the order of the runs.
  private func verdict(
    _ codes: [BenchResults.ExitStatus],
    interrupted: Bool = false,
    failure: String? = nil,
    comparisons: [VariantExpectationResult.Outcome] = [],
    isStrict: Bool = false
  ) throws -> VerdictResult {
    let loaded = try ScenarioLoader.load(
      text: """
        {format: 1, name: v, summary: V., seed: 1, engine: {driver: "null"}, connections: {one: {}},
         actors: {idle: {connection: one, operations: {empty: 1}}},
         phases: [{name: run, operations: 10, actors: [idle]}],
         matrix: {actors.idle.threads: [1, 2]}, repeat: 2}
        """
    )
    let first = try RunningScenarios.run(loaded, isSmoke: true)
    let runs = codes.enumerated().map { index, code in
      var run = first
      run.isSmoke = false
      run.variant = loaded.variants[index % 2].name
      run.repetition = index / 2 + 1
      let reasons = code == .passed ? [] : ["reason \(index)"]
      run.verdict = VerdictResult(exitCode: code, headline: "headline \(index)", reasons: reasons)
      return run
    }
    var result = ScenarioResult(
      scenarioYAML: "",
      variants: loaded.variants.map(ScenarioResult.Variant.init),
      repetitions: 2,
      runs: runs,
      verdict: first.verdict
    )
    result.variantExpectations = comparisons.map { outcome in
      var one = VariantExpectationResult(source: "a < b", variants: ("1", "2"), comparison: .less, limitRatio: 1)
      (one.ratio, one.lowerRatio, one.upperRatio, one.outcome) = (1.5, 0.9, 2, outcome)
      return one
    }
    return ScenarioVerdict(scenario: result, wasInterrupted: interrupted, failure: failure, isStrict: isStrict).result
  }

  @Test func `is passed if all runs passed`() throws {
    let verdict = try verdict([.passed, .passed, .passed, .passed])
    #expect(verdict.exitCode == .passed)
    #expect(verdict.headline == "every phase of 4 runs ran, no expectations")
    #expect(verdict.reasons.isEmpty)
  }

  @Test func `is the most severe, with its variant and repetition, and has every reason, the most severe first`() throws
  {
    let verdict = try verdict([.expectationFailed, .passed, .measurementInvalid, .expectationFailed])
    #expect(verdict.exitCode == .measurementInvalid)
    #expect(verdict.headline == "variant 1, repetition 2: headline 2")
    #expect(
      verdict.reasons == [
        "variant 1, repetition 2: reason 2",
        "2 of 4 runs (variant 1, repetition 1; variant 2, repetition 2): reason 0 to 3",
      ]
    )
  }

  @Test func `does not count invalid runs if more than half of each variant's repetitions are valid`() throws {
    // Of two repetitions, both must be valid; the fifth and the sixth run make up for invalid ones.
    let valid = try verdict([.measurementInvalid, .passed, .passed, .measurementInvalid, .passed, .passed])
    #expect(valid.exitCode == .passed)
    #expect(valid.headline == "every phase of 4 runs ran, no expectations; 2 invalid runs are left out")
    let failed = try verdict([.measurementInvalid, .passed, .passed, .expectationFailed, .passed])
    #expect(failed.exitCode == .expectationFailed)
    #expect(failed.reasons == ["variant 2, repetition 2: reason 3"])
    let missing = try verdict([.measurementInvalid, .passed, .passed, .passed])
    #expect(missing.exitCode == .measurementInvalid)
  }

  @Test func `fails if a comparison of variants failed; an undecided one fails only if that is asked for`() throws {
    let four: [BenchResults.ExitStatus] = [.passed, .passed, .passed, .passed]
    let failed = try verdict(four, comparisons: [.passed, .failed])
    #expect(failed.exitCode == .expectationFailed)
    #expect(failed.headline == "expected a < b, found 1 to 2 1.5 (95% interval 0.9 to 2)")
    let undecided = try verdict(four, comparisons: [.passed, .undecided, .open])
    #expect(undecided.exitCode == .passed)
    #expect(
      undecided.headline
        == "every phase of 4 runs ran, 1 of 3 comparisons of variants, 1 undecided, 1 not measured"
    )
    #expect(try verdict(four, comparisons: [.passed, .undecided], isStrict: true).exitCode == .expectationFailed)
  }

  @Test func `texts of several runs that differ only in numbers are one line`() throws {
    let verdict = try verdict([.expectationFailed, .expectationFailed, .passed, .expectationFailed])
    let runs = "3 of 4 runs (variant 1, repetition 1; variant 2, repetition 1; variant 2, repetition 2)"
    #expect(verdict.headline == "\(runs): headline 0 to 3")
    #expect(verdict.reasons == ["\(runs): reason 0 to 3"])
    let all = try self.verdict([.measurementInvalid, .measurementInvalid, .measurementInvalid, .measurementInvalid])
    #expect(all.headline == "4 of 4 runs: headline 0 to 3")
  }

  @Test func `every violation keeps a line of its own`() throws {
    let verdict = try verdict([.invariantViolated, .invariantViolated, .passed, .passed])
    #expect(
      verdict.reasons == ["variant 1, repetition 1: reason 0", "variant 2, repetition 1: reason 1"]
    )
  }

  @Test func `is interrupted if runs are missing, even if all others passed`() throws {
    let verdict = try verdict([.passed, .passed], interrupted: true)
    #expect(verdict.exitCode == .interrupted)
    #expect(verdict.headline == "interrupted after run 2 of 4")
    let retries = try self.verdict([.passed, .passed, .passed, .measurementInvalid], interrupted: true)
    #expect(retries.headline == "interrupted before all invalid runs were retried")
    #expect(try self.verdict([.invariantViolated], interrupted: true).exitCode == .invariantViolated)
  }

  @Test func `is a failure if a run could not be made`() throws {
    let verdict = try verdict([.passed, .expectationFailed], failure: "no disk")
    #expect(verdict.exitCode == .internalError)
    #expect(verdict.headline == "no disk")
    #expect(verdict.reasons == ["no disk", "variant 2, repetition 1: reason 1"])
  }
}
