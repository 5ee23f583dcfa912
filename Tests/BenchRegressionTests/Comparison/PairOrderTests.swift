import BenchResults
import Testing

@testable import BenchRegression

@Suite("The order of a comparison's runs") struct PairOrderTests {
  private let scenarios = ["reads", "commits", "jumps"]

  @Test func `the two runs of a pair follow each other, with one seed and both arms`() {
    let runs = PairOrder(seed: 7).runs(of: scenarios, pairs: 9, stage: 1)
    #expect(runs.count == 54)
    for index in stride(from: 0, to: runs.count, by: 2) {
      let (first, second) = (runs[index], runs[index + 1])
      #expect(first.scenario == second.scenario && first.pair == second.pair && first.seed == second.seed)
      #expect(first.isFirst && !second.isFirst && first.arm == second.arm.other)
    }
  }

  @Test(arguments: 1...50)
  func `each arm is first in one of the two pairs of a block`(seed: Int) {
    let runs = PairOrder(seed: UInt64(seed)).runs(of: scenarios, pairs: 20, stage: 1)
    for scenario in scenarios {
      let first = runs.filter { $0.scenario == scenario && $0.isFirst }.map(\.arm)
      for block in stride(from: 0, to: first.count, by: 2) { #expect(first[block] == first[block + 1].other) }
    }
  }

  @Test func `which arm begins a block is drawn`() {
    let first = (0..<400).map { PairOrder(seed: $0).runs(of: ["reads"], pairs: 1, stage: 1)[0].arm }
    let baseFirst = first.count { $0 == .base }
    #expect((150...250).contains(baseFirst))
  }

  @Test func `other pairs, scenarios and stages have other seeds`() {
    let order = PairOrder(seed: 7)
    let planned = order.runs(of: scenarios, pairs: 20, stage: 1) + order.runs(of: scenarios, pairs: 20, stage: 2)
    #expect(Set(planned.filter(\.isFirst).map(\.seed)).count == 120)
    #expect(PairOrder(seed: 8).runs(of: scenarios, pairs: 1, stage: 1)[0].seed != planned[0].seed)
  }
}
