import Testing

@testable import YapEngine

@Suite struct WriterPacingTests {
  @Test func `waits of short blocks are added up to one wait`() {
    let pacing = WriterPacing()
    pacing.begin()
    let waits = (0..<4).map { _ in pacing.wait(afterBlockOf: 100_000) }
    // Each block owes 0.3 ms, and the shortest wait is 0.5 ms.
    #expect(waits.map { $0 > 0 } == [false, true, false, true])
    #expect(waits[1] >= 600_000)
  }

  @Test func `no transaction waits once the copy has ended`() {
    let pacing = WriterPacing()
    pacing.begin()
    #expect(pacing.isNeeded)
    pacing.end()
    #expect(!pacing.isNeeded)
    pacing.begin()
    // The end of an earlier copy does not end the wait during this one.
    #expect(pacing.wait(afterBlockOf: 1_000_000) >= 3_000_000)
  }
}
