import HarnessPrimitives
import TestSupport
import Testing

@testable import BenchRunner

@Suite("The memory of what was read") struct StabilityMemoryTests {
  @Test func `the same answer in the same snapshot is no difference`() {
    var memory = StabilityMemory()
    memory.enter(5)
    #expect(memory.compare(77, of: 1) == (false, nil))
    #expect(memory.compare(77, of: 1) == (true, nil))
    memory.enter(5)
    #expect(memory.compare(77, of: 1) == (true, nil))
  }

  @Test func `another answer in the same snapshot is one, and tells the first`() {
    var memory = StabilityMemory()
    memory.enter(5)
    _ = memory.compare(77, of: 1)
    #expect(memory.compare(78, of: 1) == (true, 77))
    // Whether a row was there is an answer too.
    #expect(memory.compare(.max, of: 1) == (true, 78))
    #expect(memory.compare(0, of: 1) == (true, .max))
  }

  @Test func `another snapshot forgets everything, also when the first one comes back`() {
    var memory = StabilityMemory()
    memory.enter(5)
    _ = memory.compare(77, of: 1)
    memory.enter(6)
    #expect(memory.compare(78, of: 1) == (false, nil))
    memory.enter(5)
    #expect(memory.compare(79, of: 1) == (false, nil))
  }

  @Test func `an empty memory knows nothing, not even of row 0 in snapshot 0`() {
    for snapshot in [0, 1, UInt64.max - 1] {
      var memory = StabilityMemory()
      memory.enter(snapshot)
      #expect(memory.compare(0, of: 0) == (false, nil))
    }
  }

  @Test func `a row that takes another's place makes it forgotten, not different`() {
    var memory = StabilityMemory()
    memory.enter(1)
    let slot = RandomStream.mix(0) % 8_192
    let others = (1..<100_000 as Range<UInt64>).filter { RandomStream.mix($0) % 8_192 == slot }
    #expect(!others.isEmpty)
    _ = memory.compare(10, of: 0)
    for other in others { #expect(memory.compare(20, of: other) == (false, nil)) }
    #expect(memory.compare(11, of: 0) == (false, nil))
  }

  @Test func `however much is read, what reads the same is never called different`() {
    var memory = StabilityMemory()
    var stream = RandomStream(seed: Seed.announce(for: "StabilityMemoryTests"), "rows")
    var known = 0
    var differences = 0
    for snapshot in 1...3 as ClosedRange<UInt64> {
      memory.enter(snapshot)
      for _ in 0..<40_000 {
        let row = UInt64(stream.below(20_000))
        let (wasKnown, differing) = memory.compare(RandomStream.mix(row) &+ snapshot, of: row)
        if wasKnown { known += 1 }
        if differing != nil { differences += 1 }
      }
    }
    #expect(differences == 0)
    #expect(known > 10_000)
  }
}
