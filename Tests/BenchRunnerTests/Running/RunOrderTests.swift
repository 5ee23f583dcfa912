import Testing

@testable import BenchRunner

@Suite("The order of runs") struct RunOrderTests {
  private func order(_ variants: Int, _ repetitions: Int, seed: UInt64) -> [PlannedRun] {
    RunOrder.runs(of: (0..<variants).map { "v\($0)" }, repetitions: repetitions, seed: seed)
  }

  @Test func `has every variant once in each round`() {
    let runs = order(5, 40, seed: 1)
    #expect(runs.map(\.number) == Array(1...200))
    for round in 0..<40 {
      let part = runs[round * 5..<round * 5 + 5]
      #expect(part.allSatisfy { $0.repetition == round + 1 })
      #expect(part.map(\.variant).sorted() == [0, 1, 2, 3, 4])
      #expect(part.allSatisfy { $0.label == "v\($0.variant)" })
    }
  }

  @Test func `is drawn from the seed for each round`() {
    #expect(order(6, 10, seed: 7) == order(6, 10, seed: 7))
    #expect(order(6, 10, seed: 7) != order(6, 10, seed: 8))
    let rounds = (0..<10).map { round in order(6, 10, seed: 7)[round * 6..<round * 6 + 6].map(\.variant) }
    #expect(Set(rounds).count > 5)
  }

  @Test func `does not always put one variant before another`() {
    let runs = order(2, 1_000, seed: 3)
    let firsts = stride(from: 0, to: 2_000, by: 2).count { runs[$0].variant == 0 }
    // The probability of fewer than 400 or more than 600 heads in 1,000 fair throws is 1 in 10 billion.
    #expect((400...600).contains(firsts))
  }

  @Test func `of one variant is the order of its repetitions`() {
    #expect(order(1, 3, seed: 9).map(\.repetition) == [1, 2, 3])
  }

  @Test func `an invalid repetition is made up for by a further one of its variant`() {
    let planned = RunOrder.runs(of: ["a", "b"], repetitions: 3, seed: 1)
    #expect(RunOrder.retries(after: planned.map { ($0, false) }).isEmpty)
    // The second repetition of both variants, and the third of the first one.
    func isDisturbed(_ run: PlannedRun) -> Bool { run.repetition == 2 || (run.repetition == 3 && run.variant == 0) }
    let retries = RunOrder.retries(after: planned.map { ($0, isDisturbed($0)) })
    #expect(retries.filter { $0.variant == 0 }.map(\.repetition).sorted() == [5, 6])
    #expect(retries.filter { $0.variant == 1 }.map(\.repetition) == [5])
    #expect(retries.map(\.number) == [7, 8, 9] && retries.allSatisfy { $0.runCount == 9 })
    // One of these is invalid too; the others are not made again.
    let made = planned.map { ($0, isDisturbed($0)) } + retries.map { ($0, $0.repetition == 6) }
    let again = RunOrder.retries(after: made)
    #expect(again.map(\.variant) == [0] && again.map(\.repetition) == [8] && again.map(\.number) == [10])
  }
}
