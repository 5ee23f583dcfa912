import Testing

@testable import YapBenchCommand

struct PlannedTimeTests {
  @Test(
    arguments: [
      (0, "0 s"), (300_000_000, "300 ms"), (1_500_000_000, "1.50 s"), (55_000_000_000, "55 s"),
      (119_000_000_000, "119 s"), (120_000_000_000, "2 min"), (125_000_000_000, "2 min 5 s"),
      (7_200_000_000_000, "2 h"), (9_000_000_000_000, "2 h 30 min"),
    ] as [(UInt64, String)]
  )
  func `A planned time is written as by its author`(nanoseconds: UInt64, text: String) {
    #expect(PlannedTime.text(nanoseconds: nanoseconds) == text)
  }

  @Test func `A growing time keeps its decimals`() {
    #expect(PlannedTime.elapsed(nanoseconds: 40_000_000) == "0.0 s")
    #expect(PlannedTime.elapsed(nanoseconds: 12_340_000_000) == "12.3 s")
    #expect(PlannedTime.elapsed(nanoseconds: 125_900_000_000) == "2 min 5 s")
  }
}
