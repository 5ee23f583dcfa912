import BenchResults
import Foundation
import HarnessPrimitives
import Testing

@testable import BenchRegression

/// The error rates of the test of pairs, in simulations and on real runs of one program. All seeds are fixed, because
/// the rates vary and a test must not fail by chance.
@Suite("Error rates of the comparator") struct ErrorRateTests {
  // MARK: False alarms

  @Test(arguments: NoiseLaw.equalArms, [6, 10, 20])
  func `equal arms differ significantly at about the rate alpha`(law: NoiseLaw, pairs: Int) {
    var random = RandomStream(seed: 20_260_101, law.rawValue, "\(pairs)")
    let trials = Proof.trials(2_000)
    let alarms = (0..<trials).count { _ in PairedDifferences(law.differences(pairs, &random)).pValue <= 0.05 }
    // With six pairs the smallest p-value is 2/64.
    let bar = (pairs == 6 ? 0 : 0.038)...0.063
    Proof.check("false alarms, \(law.rawValue), \(pairs) pairs", alarms, of: trials, in: bar)
  }

  @Test(arguments: EqualRuns.all, [10, 20])
  func `real runs of one program differ significantly at about the rate alpha`(runs: EqualRuns, pairs: Int) throws {
    for figure in EqualRuns.Figure.allCases {
      let trials = Proof.trials(1_000)
      let alarms = try significant(trials, runs, figure, pairs: pairs, slowdown: 0)
      let what = "false alarms, \(runs.file), \(figure.rawValue), \(pairs) pairs"
      Proof.check(what, alarms, of: trials, in: 0...0.069)
    }
  }

  @Test(arguments: EqualRuns.all)
  func `the same runs in two blocks, compared unpaired, raise false alarms most of the time`(runs: EqualRuns) {
    // Shows that the data distinguish a bad design from a good one.
    for figure in EqualRuns.Figure.allCases {
      var random = RandomStream(seed: 20_260_102, runs.file, figure.rawValue)
      let trials = Proof.trials(1_000)
      let alarms = (0..<trials).count { _ in
        let window = runs.window(40, of: figure, &random)
        return MannWhitney.pValue(Array(window[..<20]), Array(window[20...])) <= 0.05
      }
      Proof.check("false alarms of blocks, \(runs.file), \(figure.rawValue), 20 runs", alarms, of: trials, in: 0.25...1)
    }
  }

  // MARK: Changes that are found

  @Test(
    arguments: EqualRuns.all,
    [(EqualRuns.Figure.p50, 0.05, 0.95), (.p50, 0.03, 0.70), (.p99, 0.10, 0.88)]
  )
  func `a real slowdown is found`(runs: EqualRuns, change: (figure: EqualRuns.Figure, slowdown: Double, bar: Double))
    throws
  {
    let trials = Proof.trials(1_000)
    let found = try significant(trials, runs, change.figure, pairs: 20, slowdown: change.slowdown)
    let percent = String(format: "%.0f", change.slowdown * 100)
    let what = "found, \(runs.file), \(change.figure.rawValue) +\(percent) %, 20 pairs"
    Proof.check(what, found, of: trials, in: change.bar...1)
  }

  /// Returns the number of comparisons that are significant and show the slowdown in its direction.
  private func significant(
    _ trials: Int,
    _ runs: EqualRuns,
    _ figure: EqualRuns.Figure,
    pairs: Int,
    slowdown: Double
  ) throws -> Int {
    var random = RandomStream(seed: 20_260_103, runs.file, figure.rawValue, "\(pairs)", "\(slowdown)")
    return try (0..<trials).count { _ in
      let pairs = try runs.pairs(pairs, of: figure, slowdown: slowdown, &random)
      return pairs.pValue <= 0.05 && (slowdown == 0 || pairs.effect > 0)
    }
  }

  // MARK: Intervals

  @Test(arguments: [NoiseLaw.normal, .heavyTails, .bursts, .burstsOfTheHead], [6, 8, 10, 15, 20, 30])
  func `the interval contains the true effect at its stated rate`(law: NoiseLaw, pairs: Int) throws {
    var random = RandomStream(seed: 20_260_104, law.rawValue, "\(pairs)")
    let truth = law.trueEffect()
    let trials = Proof.trials(2_000)
    let covered = try (0..<trials).count { _ in
      let differences = PairedDifferences(law.differences(pairs, &random))
      return try #require(differences.interval(confidence: 0.95)).contains(truth)
    }
    Proof.check("interval covers, \(law.rawValue), \(pairs) pairs", covered, of: trials, in: 0.935...0.975)
  }
}

/// The unpaired test that other tools use, with the normal approximation.
private enum MannWhitney {
  static func pValue(_ one: [Double], _ other: [Double]) -> Double {
    var wins = 0.0
    for value in one { for against in other { wins += value > against ? 1 : value == against ? 0.5 : 0 } }
    let count = Double(one.count * other.count)
    let deviation = (count * Double(one.count + other.count + 1) / 12).squareRoot()
    let z = max(0, abs(wins - count / 2) - 0.5) / deviation
    return 2 * NormalTail.above(z)
  }
}

private enum NormalTail {
  static func above(_ z: Double) -> Double { erfc(z / 2.0.squareRoot()) / 2 }
}
