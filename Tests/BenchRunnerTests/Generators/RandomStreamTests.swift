import HarnessPrimitives
import TestSupport
import Testing

@testable import BenchRunner

@Suite("A stream of random numbers") struct RandomStreamTests {
  private func first(_ count: Int, _ stream: RandomStream) -> [UInt64] {
    var stream = stream
    return (0..<count).map { _ in stream.next() }
  }

  @Test func `the same seed and names give the same numbers`() {
    let one = first(100, RandomStream(seed: 7, "run", "scroll", "0", "keys"))
    let other = first(100, RandomStream(seed: 7, "run", "scroll", "0", "keys"))
    #expect(one == other)
  }

  @Test func `the numbers are the same in every version of the program`() {
    // SplitMix64 from the state after seed 0 and the purpose "", which is mix(0 ^ FNV's offset).
    var state = RandomStream.mix(0xcbf2_9ce4_8422_2325)
    let expected = (0..<3).map { _ in
      state &+= 0x9e37_79b9_7f4a_7c15
      return RandomStream.mix(state)
    }
    #expect(first(3, RandomStream(seed: 0, "")) == expected)
    // The first number of the reference implementation for seed 0.
    #expect(RandomStream.mix(0x9e37_79b9_7f4a_7c15) == 0xe220_a839_7b1d_cdaf)
  }

  @Test func `another seed, phase, actor, thread or purpose gives another stream`() {
    let streams = [
      RandomStream(seed: 7, "run", "scroll", "0", "keys"),
      RandomStream(seed: 8, "run", "scroll", "0", "keys"),
      RandomStream(seed: 7, "warm", "scroll", "0", "keys"),
      RandomStream(seed: 7, "run", "import", "0", "keys"),
      RandomStream(seed: 7, "run", "scroll", "1", "keys"),
      RandomStream(seed: 7, "run", "scroll", "0", "sizes"),
      // The same letters, divided into other names.
      RandomStream(seed: 7, "runs", "croll", "0", "keys"),
      RandomStream(seed: 7, "run", "scroll", "0keys"),
      RandomStream(seed: 7, "run", "scroll", "keys", "0"),
      RandomStream(seed: 7, "run", "scroll", "0", "keys", ""),
    ]
    // A common number would show that two streams overlap.
    var seen: Set<UInt64> = []
    for stream in streams {
      for number in first(1_000, stream) {
        #expect(seen.insert(number).inserted)
      }
    }
  }

  @Test(arguments: [2, 3, 10, 100, 1_000])
  func `numbers below a bound are uniform`(bound: Int) {
    var stream = RandomStream(seed: Seed.announce(for: "RandomStreamTests"), "uniformity", "\(bound)")
    var counts = Array(repeating: 0, count: bound)
    for _ in 0..<50_000 { counts[stream.below(bound)] += 1 }
    let fit = ChiSquare(counts, probabilities: Array(repeating: 1 / Double(bound), count: bound))
    #expect(fit.fits, "\(fit)")
  }

  @Test func `numbers in the unit interval are uniform and below one`() {
    var stream = RandomStream(seed: Seed.announce(for: "RandomStreamTests"), "unit")
    var counts = Array(repeating: 0, count: 64)
    for _ in 0..<50_000 {
      let number = stream.unit()
      guard (0..<1).contains(number) else {
        Issue.record("\(number) is not in 0..<1")
        return
      }
      counts[Int(number * 64)] += 1
    }
    let fit = ChiSquare(counts, probabilities: Array(repeating: 1.0 / 64, count: 64))
    #expect(fit.fits, "\(fit)")
  }

  @Test func `every bit is set half of the time`() {
    var stream = RandomStream(seed: Seed.announce(for: "RandomStreamTests"), "bits")
    var set = Array(repeating: 0, count: 64)
    let draws = 20_000
    for _ in 0..<draws {
      let number = stream.next()
      for bit in 0..<64 where number >> UInt64(bit) & 1 == 1 { set[bit] += 1 }
    }
    for bit in 0..<64 {
      let fit = ChiSquare([set[bit], draws - set[bit]], probabilities: [0.5, 0.5])
      #expect(fit.fits, "bit \(bit): \(fit)")
    }
  }

  @Test func `streams that differ in the last letter of a name are independent`() {
    let seed = Seed.announce(for: "RandomStreamTests")
    var one = RandomStream(seed: seed, "run", "reader1")
    var other = RandomStream(seed: seed, "run", "reader2")
    var counts = Array(repeating: 0, count: 64)
    for _ in 0..<50_000 { counts[one.below(8) * 8 + other.below(8)] += 1 }
    let fit = ChiSquare(counts, probabilities: Array(repeating: 1.0 / 64, count: 64))
    #expect(fit.fits, "\(fit)")
  }
}
