import Foundation
import Testing

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

@Suite("Comparisons of variants") struct VariantJudgeTests {
  private static let figure = "run/idle service.p50"

  /// The results of an expectation for repetitions with these figures, by variant.
  private func results(
    _ expectation: String,
    _ figures: [String: [Double?]],
    choices: [String] = [],
    invalid: [String: [Int]] = [:]
  ) throws -> [VariantExpectationResult] {
    let loaded = try ScenarioLoader.load(
      text: """
        {format: 1, name: v, summary: V., seed: 1, engine: {driver: "null"}, connections: {one: {}},
         actors: {idle: {connection: one, operations: {empty: 1}}},
         phases: [{name: run, operations: 10, actors: [idle]}],
         matrix: {actors.idle.threads: [1, 2], phases.run.record: [true]}, repeat: 3, expect: ["\(expectation)"]}
        """
    ).choosing(choices)
    let first = try Self.run.get()
    let runs = loaded.variants.flatMap { variant in
      (figures[variant.settings[0].value] ?? []).enumerated().map { index, value in
        var run = first
        run.variant = variant.name
        run.repetition = index + 1
        run.comparedFigures[Self.figure] = value
        if invalid[variant.settings[0].value]?.contains(index + 1) == true {
          run.verdict.exitCode = .measurementInvalid
        }
        return run
      }
    }
    let result = ScenarioResult(
      scenarioYAML: "",
      variants: loaded.variants.map(ScenarioResult.Variant.init),
      repetitions: 3,
      runs: runs
    )
    return VariantJudge(loaded: loaded, scenario: result).results
  }

  private static let run = Result<RunResult, any Error> {
    let text = """
      {format: 1, name: v, summary: V., seed: 1, engine: {driver: "null"}, connections: {one: {}},
       actors: {idle: {connection: one, operations: {empty: 1}}},
       phases: [{name: run, operations: 10, actors: [idle]}]}
      """
    var run = try RunningScenarios.run(try ScenarioLoader.load(text: text), isSmoke: true)
    run.isSmoke = false
    run.verdict.exitCode = .passed
    return run
  }

  private func comparison(_ factor: String, _ comparison: String = "<") -> String {
    "[threads=1] \(Self.figure) \(comparison) \(factor)[threads=2] \(Self.figure)"
  }

  /// The values twice, as six pairs of repetitions.
  private func twice(_ values: [Double?]) -> [Double?] { values + values }

  @Test func `the ratio has an interval, and passes or fails only if all of it does`() throws {
    let figures = ["1": twice([10, 11, 12]), "2": twice([20, 22.5, 23.5])]
    let passed = try #require(try results(comparison("0.6 * "), figures).first)
    #expect(passed.outcome == .passed && passed.pairs == 6 && passed.limitRatio == 0.6 && passed.reason.isEmpty)
    // The median of the means of two logarithms, and for six pairs their lowest and highest one.
    #expect(abs(try #require(passed.ratio) - 0.499645) < 1e-6)
    #expect(abs(try #require(passed.lowerRatio) - 0.488889) < 1e-6)
    #expect(abs(try #require(passed.upperRatio) - 0.510638) < 1e-6)
    #expect(try results(comparison("0.4 * "), figures).map(\.outcome) == [.failed])
    #expect(try results(comparison("0.5 * "), figures).map(\.outcome) == [.undecided])
    #expect(try results(comparison("0.4 * ", ">"), figures).map(\.outcome) == [.passed])
  }

  @Test func `fewer than six pairs decide nothing, however far apart they are`() throws {
    let five = try results(comparison(""), ["1": [1, 1, 1, 1, 1], "2": [20, 20, 20, 20, 20]])
    #expect(five.map(\.outcome) == [.undecided] && five[0].lowerRatio == nil)
    #expect(five[0].ratio.map { abs($0 - 0.05) < 1e-12 } == true)
    #expect(five[0].reason == "5 pairs; a verdict needs 6, so \"repeat\" must be 6 or more")
    #expect(try results(comparison(""), ["1": [0, 0, 0], "2": [2, 2, 2]]).map(\.outcome) == [.undecided])
  }

  @Test func `with a zero the pairs must agree`() throws {
    let mixed = ["1": twice([3, 0, 0]), "2": twice([2, 2, 2])]
    #expect(try results(comparison(""), mixed).map(\.outcome) == [.undecided])
    #expect(try results(comparison(""), ["1": twice([1, 0, 0]), "2": twice([2, 2, 2])]).map(\.outcome) == [.passed])
    #expect(try results(comparison(""), ["1": twice([1, 0, 0]), "2": twice([0, 0, 0])]).map(\.outcome) == [.failed])
    #expect(try results(comparison(""), ["1": [nil], "2": [2]]).map(\.outcome) == [.open])
    #expect(try results(comparison(""), ["1": [nil, nil, nil], "2": [2, 2, 2]]).map(\.outcome) == [.failed])
    // Pairs that agree exactly have an interval of length 0.
    let equal = ["1": twice([2, 4, 2]), "2": twice([2, 4, 2])]
    #expect(try results(comparison("", "<="), equal).map(\.outcome) == [.passed])
    #expect(try results(comparison(""), equal).map(\.outcome) == [.failed])
  }

  @Test func `invalid runs are left out, and their retries form pairs`() throws {
    let result = try results(
      comparison(""),
      ["1": [10, 500, 30, 20], "2": [20, 40, 60]],
      invalid: ["1": [2]]
    )
    // 10 to 20, 30 to 60, and the retry's 20 to 40.
    #expect(result[0].pairs == 3 && result[0].ratio.map { abs($0 - 0.5) < 1e-12 } == true)
  }

  @Test func `a variant that was not selected leaves it open`() throws {
    let open = try results(comparison(""), ["1": [1, 2]], choices: ["threads=1"])
    #expect(open.map(\.outcome) == [.open] && open[0].reason == "the variant threads=2 was not selected")
  }

  @Test func `without a choice on the left, each other variant is compared`() throws {
    let text = "\(Self.figure) < [threads=2] \(Self.figure)"
    #expect(try results(text, ["1": [1, 1], "2": [3, 3]]).map(\.variant) == ["1, true"])
  }
}
