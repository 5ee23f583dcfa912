package import BenchResults
internal import HarnessPrimitives

/// The order in which a comparison makes its runs.
///
/// The two runs of a pair follow each other, with the same seed. The arm that runs first is drawn for each block of two
/// pairs, and the second pair of a block has the opposite order, so each arm runs first once in a block. The order is
/// thus independent of other load on the machine. Each pair has its own seed, so keys differ between pairs.
package struct PairOrder: Sendable {
  private let seed: UInt64

  package init(seed: UInt64) {
    self.seed = seed
  }

  /// Returns the runs of several rounds. A round is one pair of every scenario, so that a disturbance does not
  /// affect all pairs of one scenario.
  /// - Parameters:
  ///   - pairs: the number of rounds.
  ///   - stage: the stage as in `PlannedComparedRun`, or a bisection's round; each has its own seeds and orders.
  package func runs(of scenarios: [String], pairs: Int, stage: Int) -> [PlannedComparedRun] {
    (0..<pairs).flatMap { round in
      scenarios.flatMap { pair(round + 1, of: $0, stage: stage) }
    }
  }

  /// Returns the two runs of one pair, in their order.
  /// - Parameter number: from 1.
  func pair(_ number: Int, of scenario: String, stage: Int) -> [PlannedComparedRun] {
    let block = (number - 1) / 2
    var coin = RandomStream(seed: seed, "order", scenario, "\(stage)", "\(block)")
    let isBaseFirst = (coin.below(2) == 0) == number.isMultiple(of: 2)
    var seeds = RandomStream(seed: seed, "seed", scenario, "\(stage)", "\(number)")
    // 32 bits, so that the seed is short enough to type.
    let runSeed = seeds.next() >> 32
    let first: Arm = isBaseFirst ? .base : .head
    return [first, first.other].map { arm in
      PlannedComparedRun(scenario: scenario, stage: stage, pair: number, arm: arm, isFirst: arm == first, seed: runSeed)
    }
  }
}
