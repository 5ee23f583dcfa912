import BenchResults
import Testing

@testable import BenchRegression

@Suite("Families of tests") struct FamilyTests {
  @Test func `Holm's adjustment multiplies the smallest p-value most, never falls, and keeps the order of the tests`() {
    #expect(zip(HolmAdjustment.adjusted([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]).allSatisfy(isClose))
    #expect(HolmAdjustment.adjusted([0.6, 0.9]) == [1, 1])
    #expect(HolmAdjustment.adjusted([0.03]) == [0.03])
    #expect(HolmAdjustment.adjusted([]).isEmpty)
  }

  @Test(arguments: [(5, 0), (6, 1), (8, 6), (10, 25), (12, 102), (16, 1638), (20, 26_214)])
  func `the largest family that a number of pairs supports at 0.05`(pairs: Int, family: Int) {
    #expect(HolmAdjustment.greatestFamily(pairs: pairs, alpha: 0.05) == family)
  }

  @Test func `many pairs support any family`() {
    #expect(HolmAdjustment.greatestFamily(pairs: 5000, alpha: 0.05) == .max)
    #expect(HolmAdjustment.greatestFamily(pairs: 0, alpha: 0.05) == 0)
  }

  @Test func `the interval of a probability equals SciPy's`() {
    for vector in StatisticsVectors.all.binomial {
      #expect(isClose(BinomialInterval.interval(vector.count, of: vector.trials), vector.interval))
    }
    #expect(BinomialInterval.interval(0, of: 0) == 0...1)
  }
}

@Suite("The resolution of a comparison") struct ResolutionTests {
  @Test func `half the width of the interval needs four times the pairs`() throws {
    let resolution = Resolution(interval: -0.03...0.05, pairs: 20)
    #expect(abs(resolution.minimumDetectableEffect - 0.0572) < 0.0001)
    let half = try #require(resolution.pairsNeeded(for: resolution.minimumDetectableEffect / 2))
    #expect(half == 80)
    #expect(resolution.pairsNeeded(for: 10) == 6)
  }

  @Test func `too few pairs for an interval have no resolution`() {
    let resolution = Resolution(interval: nil, pairs: 5)
    #expect(resolution.minimumDetectableEffect == .infinity)
    #expect(resolution.pairsNeeded(for: 0.03) == nil)
  }
}
