import BenchScenario
import HarnessPrimitives
import TestSupport
import Testing

@testable import BenchRunner

@Suite("A mix of operations") struct OperationMixTests {
  @Test(arguments: [[1, 1], [95, 5], [1, 2, 3, 4], [1, 1_000], [80, 15, 5, 1, 1, 1]])
  func `operations are drawn according to their weights`(weights: [Int]) {
    var stream = RandomStream(seed: Seed.announce(for: "OperationMixTests"), "\(weights)")
    let verbs: [OperationVerb] = [.get, .set, .replace, .remove, .touch, .exists]
    let mix = OperationMix(zip(verbs, weights).map { OperationWeight($0, weight: $1) })
    var counts = Array(repeating: 0, count: weights.count)
    for _ in 0..<50_000 { counts[mix.next(&stream)] += 1 }
    let total = Double(weights.reduce(0, +))
    let fit = ChiSquare(counts, probabilities: weights.map { Double($0) / total })
    #expect(fit.fits, "\(fit)")
    #expect(mix.kinds.map(\.verb) == Array(verbs.prefix(weights.count)))
  }

  @Test func `a single operation is always drawn, without a random number`() {
    var stream = RandomStream(seed: 3, "mix")
    var untouched = stream
    let mix = OperationMix([OperationWeight(.get, weight: 7)])
    #expect((0..<10).allSatisfy { _ in mix.next(&stream) == 0 })
    #expect(stream.next() == untouched.next())
  }
}
