import Testing

@testable import BenchResults

struct QuantityTests {
  @Test(arguments: [
    (0, "0 s"), (5, "5 ns"), (999, "999 ns"), (1_230, "1.23 µs"), (999_700, "1.00 ms"), (1_234_567, "1.23 ms"),
    (56_000_000, "56.0 ms"), (30_100_000_000, "30.1 s"), (119_000_000_000, "119 s"), (150_000_000_000, "2.50 min"),
    (7_200_000_000_000, "2.00 h"),
  ])
  func `Durations have three digits and a suitable unit`(nanoseconds: UInt64, text: String) {
    #expect(Quantity.duration(nanoseconds: nanoseconds) == text)
  }

  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (4_096, "4.00 KiB"), (1_023 * 1_024, "0.999 MiB"), (58_720_256, "56.0 MiB"),
    (222_298_112, "212 MiB"), (3_328_599_654, "3.10 GiB"),
  ])
  func `Sizes have three digits and a suitable unit`(bytes: Int, text: String) {
    #expect(Quantity.bytes(bytes) == text)
  }

  @Test func `Rates, counts, shares and areas have the usual formats`() {
    #expect(Quantity.rate(perSecond: 2_134) == "2,130/s")
    #expect(Quantity.rate(perSecond: 0.1234) == "0.123/s")
    #expect(Quantity.rate(perSecond: 999.9) == "1,000/s")
    #expect(Quantity.count(5_890) == "5,890")
    #expect(Quantity.count(1_234_567) == "1,234,567")
    #expect(Quantity.count(-1_234) == "-1,234")
    #expect(Quantity.count(1, of: "commit") == "1 commit")
    #expect(Quantity.percent(0.9731) == "97.3 %")
    #expect(Quantity.percent(1) == "100 %")
    #expect(Quantity.percent(5_699, of: 5_700) == "99.98 %")
    #expect(Quantity.percent(5_700, of: 5_700) == "100 %")
    #expect(Quantity.percent(9_949, of: 10_000) == "99.5 %")
    #expect(Quantity.percent(999_999_999_999, of: 1_000_000_000_000) == "99.9999999999 %")
    #expect(Quantity.percent(0, of: 5) == "0 %")
    #expect(Quantity.percent(6, of: 5) == "120 %")
    #expect(Quantity.byteSeconds(3.1 * 1_073_741_824) == "3.10 GiB·s")
  }

  @Test(arguments: [
    (0.8031, 0.8822, "0.803…0.882"), (1.02, 1.08, "1.02…1.08"), (0.5, 0.75, "0.50…0.75"), (0.002_44, 21.1, "0.0024…21"),
    (1_234, 98_765, "1,200…99,000"), (0.96, 9.96, "0.96…10"), (1e-12, 1, "1.0e-12…1.0"),
  ])
  func `Intervals have three digits if they are narrow, and otherwise two`(low: Double, high: Double, text: String) {
    #expect(Quantity.interval(low...high) == text)
  }

  @Test(arguments: [
    (1e-304, "1.00e-304"), (-1e-308, "-1.00e-308"), (.leastNonzeroMagnitude, "4.94e-324"), (1e308, "1.00e+308"),
    (9.9e-10, "9.90e-10"), (1e-9, "0.00000000100"), (1e15, "1.00e+15"), (-123_456, "-123,000"),
  ])
  func `Extreme figures have an exponent, and none traps`(value: Double, text: String) {
    #expect(Quantity.number(value) == text)
    for figure in [value, value * 1e-3, value * 1e3, .greatestFiniteMagnitude, .leastNonzeroMagnitude] {
      for text in [
        Quantity.duration(nanoseconds: figure), Quantity.byteSeconds(figure), Quantity.rate(perSecond: figure),
        Quantity.percent(figure),
      ] { #expect(!text.isEmpty && text.count < 30) }
    }
    #expect(Quantity.bytes(.min) == "-8,190 PiB")
  }

  @Test func `Measured values have the texts of their units`() {
    #expect(FigureUnit.nanoseconds.measuredText(571_000) == "571 µs")
    #expect(FigureUnit.bytes.measuredText(nil) == "nothing")
    #expect(FigureUnit.count.measuredText(12_345) == "12,345" && FigureUnit.share.measuredText(0.25) == "25.0 %")
    #expect(FigureUnit.nanoseconds.text(of: 11e6...23e6) == "11.0 ms to 23.0 ms")
    #expect(FigureUnit.nanoseconds.text(of: 11e6...(.infinity)) == "at least 11.0 ms")
    #expect(FigureUnit.perSecond.text(of: 20...20) == "20.0/s")
  }

  @Test func `Figures that are not numbers are shown as missing`() {
    #expect(Quantity.rate(perSecond: .nan) == Quantity.missing)
    #expect(Quantity.duration(nanoseconds: .infinity) == Quantity.missing)
    #expect(Quantity.percent(1, of: 0) == Quantity.missing)
  }
}
