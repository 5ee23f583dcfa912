import BenchResults
import Testing

@testable import BenchRunner

@Suite("The text of a measured value") struct MeasuredTextTests {
  private func expect(_ unit: FigureUnit, _ cases: KeyValuePairs<Double, String>) {
    for (value, text) in cases { #expect(MeasuredText.make(value, unit) == text, "\(value)") }
  }

  @Test func `the units of durations differ by factors of 1,000`() {
    expect(
      .nanoseconds,
      [
        0: "0ns", 1: "1ns", 999: "999ns", 1_000: "1us", 1_500: "1.5us", 12_340: "12.3us", 123_400: "123us",
        50_000_000: "50ms", 999_400: "999us", 999_900: "1ms", 2_000_000_000: "2s", 61_500_000_000: "61.5s",
        3_600_000_000_000: "3600s",
      ]
    )
  }

  @Test func `the units of sizes differ by factors of 1,024`() {
    expect(
      .bytes,
      [
        0: "0B", 1_023: "1023B", 1_024: "1KiB", 1_536: "1.5KiB", 4_194_304: "4MiB", 536_870_912: "512MiB",
        1_073_741_824: "1GiB", 2_199_023_255_552: "2048GiB",
      ]
    )
  }

  @Test func `rates and counts have three digits, and whole numbers all digits`() {
    expect(.perSecond, [450: "450/s", 1_234_567: "1234567/s", 0.5: "0.5/s", 1_234.56: "1235/s", 33.333: "33.3/s"])
    expect(.count, [0: "0", 7: "7", 1e14: "100000000000000", 2.5: "2.5"])
    expect(.number, [0.125: "0.125", 1e18: "1e+18"])
  }

  @Test func `a missing value is shown as nothing`() {
    for unit in [FigureUnit.nanoseconds, .bytes, .perSecond, .count, .number] {
      #expect(MeasuredText.make(nil, unit) == "nothing")
    }
  }
}
