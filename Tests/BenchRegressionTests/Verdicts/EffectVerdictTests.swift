import BenchResults
import Foundation
import HarnessPrimitives
import Testing

@testable import BenchRegression

@Suite("Verdicts") struct EffectVerdictTests {
  private let rules = VerdictRules(alpha: 0.05, margin: log(1.03))

  /// The estimate of twenty pairs around an effect, whose differences are `step` apart.
  private func estimate(_ effect: Double, step: Double = 0.0025) -> EffectEstimate {
    EffectEstimate(PairedDifferences((0..<20).map { effect + (Double($0) - 9.5) * step }))
  }

  private func verdict(_ estimate: EffectEstimate, _ rules: VerdictRules? = nil) -> EffectVerdict {
    (rules ?? self.rules).verdict(of: estimate, adjustedPValue: estimate.pValue)
  }

  @Test func `a change beyond the margin is a regression or an improvement`() {
    #expect(verdict(estimate(0.05)) == .regressed)
    #expect(verdict(estimate(-0.05)) == .improved)
  }

  @Test func `a change that is certain and small is reported as small`() {
    #expect(verdict(estimate(0.022)) == .changedSmall)
    #expect(verdict(estimate(-0.022)) == .changedSmall)
  }

  @Test func `no change is proven only if the interval lies within the margin`() {
    #expect(verdict(estimate(0.001)) == .unchanged)
    #expect(verdict(estimate(0.001, step: 0.02)) == .inconclusive)
  }

  @Test func `a p-value that is too large for its family decides nothing`() {
    let estimate = estimate(0.05)
    #expect(rules.verdict(of: estimate, adjustedPValue: 0.051) == .inconclusive)
  }

  @Test func `the strict verdict requires that the whole interval lies beyond the margin`() {
    let wide = estimate(0.04, step: 0.004)
    #expect(verdict(wide) == .regressed)
    #expect(verdict(wide, VerdictRules(alpha: 0.05, margin: log(1.03), requiresWholeInterval: true)) == .inconclusive)
    let far = estimate(0.08)
    #expect(verdict(far, VerdictRules(alpha: 0.05, margin: log(1.03), requiresWholeInterval: true)) == .regressed)
  }

  @Test func `differences whose median and mean have opposite directions are not judged`() {
    // In 35 pairs the head is a little worse, in 15 it is much better, so median and mean have opposite signs.
    let worse = (0..<35).map { 0.001 + Double($0) * 1e-5 }
    let better = (0..<15).map { -3 - Double($0) }
    let estimate = EffectEstimate(PairedDifferences(worse + better))
    #expect(estimate.effect < 0)
    #expect(estimate.isContradicted)
    #expect(rules.verdict(of: estimate, adjustedPValue: 0) == .inconclusive)
  }

  @Test(arguments: 1...5)
  func `fewer than six pairs are never a pass and never a failure`(pairs: Int) {
    for effect in [0.0, 0.5, -0.5] {
      let estimate = EffectEstimate(PairedDifferences((0..<pairs).map { effect + Double($0) * 1e-4 }))
      #expect(verdict(estimate) == .inconclusive)
    }
  }

  @Test func `equal figures are unchanged, with one tie or nothing but ties`() {
    #expect(verdict(EffectEstimate(PairedDifferences([Double](repeating: 0, count: 20)))) == .unchanged)
    let one = EffectEstimate(PairedDifferences([0] + (1...19).map { Double($0) * 0.001 + 0.04 }))
    #expect(one.ties == 1)
    #expect(verdict(one) == .regressed)
  }

  @Test func `fresh pairs of several figures are tested as a family`() {
    // Seven pairs of the same sign: p = 2/2⁷, below 0.02 for one figure, above it for four.
    let differences = PairedDifferences((0..<7).map { 0.05 + Double($0) * 1e-3 })
    let suspect = (estimate: EffectEstimate(differences), margin: log(1.03))
    let alone = TwoStages().confirm([suspect])
    #expect(alone.map(\.verdict) == [.regressed])
    #expect(alone.map(\.adjustedPValue) == [0.015625])
    let four = TwoStages().confirm([suspect, suspect, suspect, suspect])
    #expect(four.map(\.verdict) == [.inconclusive, .inconclusive, .inconclusive, .inconclusive])
    #expect(four.map(\.adjustedPValue) == [0.0625, 0.0625, 0.0625, 0.0625])
  }

  // MARK: Figures

  @Test(arguments: [0, -1, Double.nan, .infinity, -.infinity])
  func `figures without a ratio are rejected, and their pair is named`(bad: Double) {
    let problem = #expect(throws: IncomparableFigures.self) {
      try PairedDifferences(base: [1, 2, 3], head: [1, bad, 3], better: .lower)
    }
    #expect(problem?.description.contains("pair 2") == true)
    #expect(throws: IncomparableFigures.self) { try PairedDifferences(base: [], head: [], better: .lower) }
    #expect(throws: IncomparableFigures.self) { try PairedDifferences(base: [1, 2], head: [1], better: .lower) }
  }

  @Test func `a greater value is worse for a latency and better for a throughput`() throws {
    let base = (0..<10).map { 100 + Double($0) * 0.01 }
    let head = base.map { $0 * 1.1 }
    for (better, expected) in [(BetterValues.lower, EffectVerdict.regressed), (.higher, .improved)] {
      let estimate = EffectEstimate(try PairedDifferences(base: base, head: head, better: better))
      #expect(verdict(estimate) == expected)
      #expect(abs(abs(estimate.effect) - log(1.1)) < 1e-12)
    }
  }

  @Test func `exchanged arms mirror the estimate and the verdict exactly`() throws {
    var random = RandomStream(seed: 20_260_105)
    for _ in 0..<200 {
      let base = (0..<12).map { _ in 1e4 * (1 + 0.02 * random.unit()) }
      let head = (0..<12).map { _ in 1e4 * (1 + 0.08 * random.unit()) }
      let forth = EffectEstimate(try PairedDifferences(base: base, head: head, better: .lower))
      let back = EffectEstimate(try PairedDifferences(base: head, head: base, better: .lower))
      #expect(back.effect == -forth.effect)
      #expect(back.pValue == forth.pValue)
      let upper = try #require(back.interval95).upperBound
      #expect(try #require(forth.interval95).lowerBound == -upper)
      let mirror: [EffectVerdict: EffectVerdict] = [.regressed: .improved, .improved: .regressed]
      #expect(verdict(back) == mirror[verdict(forth)] ?? verdict(forth))
    }
  }

  @Test(arguments: [-30, -9, 1, 12, 40])
  func `the unit of the figures does not matter`(exponent: Int) throws {
    var random = RandomStream(seed: 20_260_106)
    let base = (0..<12).map { _ in 1e4 * (1 + 0.02 * random.unit()) }
    let head = (0..<12).map { _ in 1e4 * (1 + 0.08 * random.unit()) }
    let scale = pow(2, Double(exponent))
    let estimate = EffectEstimate(try PairedDifferences(base: base, head: head, better: .lower))
    let scaled = EffectEstimate(
      try PairedDifferences(base: base.map { $0 * scale }, head: head.map { $0 * scale }, better: .lower)
    )
    #expect(scaled == estimate)
  }

  @Test func `extreme figures have a ratio`() throws {
    let base = [Double](repeating: .leastNormalMagnitude, count: 8)
    let head = [Double](repeating: .greatestFiniteMagnitude, count: 8)
    let estimate = EffectEstimate(try PairedDifferences(base: base, head: head, better: .lower))
    #expect(estimate.effect.isFinite && estimate.effect > 1000)
    #expect(verdict(estimate) == .regressed)
  }
}
