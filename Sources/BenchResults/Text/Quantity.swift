internal import Foundation
internal import HarnessPrimitives

/// Numbers for people: counts in full, quantities with three significant digits and a fitting unit, such as `1.23 ms`.
///
/// Files for programs have base units and full precision instead.
package enum Quantity {
  /// The text for a value that is unknown or not finite.
  package static let missing = "–"

  package static func duration(nanoseconds: Double) -> String {
    guard nanoseconds.isFinite else { return missing }
    if nanoseconds == 0 { return "0 s" }
    let seconds = nanoseconds / 1e9
    if seconds >= 7_200 { return threeDigits(seconds / 3_600) + " h" }
    if seconds >= 120 { return threeDigits(seconds / 60) + " min" }
    return scaled(nanoseconds, by: 1_000, units: ["ns", "µs", "ms", "s"])
  }

  package static func duration(nanoseconds: UInt64) -> String {
    // Whole nanoseconds have no decimals.
    0 < nanoseconds && nanoseconds < 1_000 ? "\(nanoseconds) ns" : duration(nanoseconds: Double(nanoseconds))
  }

  package static func bytes(_ bytes: Int) -> String {
    bytes.magnitude < 1_000 ? "\(bytes) B" : scaled(Double(bytes), by: 1_024, units: binaryUnits)
  }

  /// An area of bytes over time, such as `3.14 GiB·s`.
  package static func byteSeconds(_ area: Double) -> String {
    guard area.isFinite else { return missing }
    return area == 0 ? "0 B·s" : scaled(area, by: 1_024, units: binaryUnits) + "·s"
  }

  package static func rate(perSecond: Double) -> String {
    perSecond.isFinite ? threeDigits(perSecond) + "/s" : missing
  }

  /// Returns text such as `, rate then: 3,020/s` about the loads that were changing when a phase ended; empty for none.
  package static func clause(of rates: [EndRate]) -> String {
    let texts = rates.map { (rates.count > 1 ? $0.actor + " " : "") + rate(perSecond: $0.perSecond) }
    return texts.isEmpty ? "" : ", rate then: " + texts.joined(separator: ", ")
  }

  /// Returns a number without a unit.
  package static func number(_ value: Double) -> String { threeDigits(value) }

  package static func count(_ count: Int) -> String {
    count < 0 ? "-" + grouped(String(count.magnitude)) : grouped(String(count))
  }

  package static func count(_ count: Int, of noun: String) -> String {
    "\(Self.count(count)) \(count == 1 ? noun : noun + "s")"
  }

  package static func percent(_ share: Double) -> String {
    share.isFinite ? threeDigits(share * 100) + " %" : missing
  }

  /// Returns the share of `part` in `whole`; `missing` unless `whole` is above 0. Only the whole is `100 %`: a share
  /// just below it has as many digits as show the difference, such as `99.98 %`.
  package static func percent(_ part: Double, of whole: Double) -> String {
    guard whole > 0 else { return missing }
    let share = part / whole
    guard part < whole, threeDigits(share * 100) == "100" else { return percent(share) }
    let texts = (2...12).lazy.map { String(format: "%.*f", $0, share * 100) }
    return (texts.first { !$0.hasPrefix("100") } ?? "99.999999999999") + " %"
  }

  /// Magnitudes outside of this range have an exponent.
  private static let writtenOut = 1e-9..<1e15

  /// Rounds to three significant digits and groups thousands: `0.123`, `45.6`, `2,130`. Extreme values have an
  /// exponent: `1.00e-304`.
  package static func threeDigits(_ value: Double) -> String { text(value, digits: 3) }

  /// Returns three significant digits with a sign, for a difference; 0 has no sign.
  package static func signed(_ value: Double) -> String { (value > 0 ? "+" : "") + threeDigits(value) }

  /// Returns a change, such as `+7.12 %`.
  package static func change(percent: Double) -> String { signed(percent) + " %" }

  /// An interval of a ratio, such as `0.803…0.882`. The ends of an interval in which they differ by half or more have
  /// two digits, such as `0.0024…21`: more would pretend a precision that it does not have.
  package static func interval(_ interval: ClosedRange<Double>) -> String {
    let digits = interval.upperBound < 1.5 * interval.lowerBound ? 3 : 2
    return [interval.lowerBound, interval.upperBound].map { text($0, digits: digits) }.joined(separator: "…")
  }

  private static func text(_ value: Double, digits: Int) -> String {
    guard value.isFinite else { return missing }
    guard value != 0 else { return "0" }
    guard writtenOut.contains(value.magnitude) else { return String(format: "%.*e", digits - 1, value) }
    let rounded = rounded(value, digits: digits)
    let exponent = Int(saturating: log10(rounded.magnitude).rounded(.down))
    let text = String(format: "%.*f", max(0, digits - 1 - exponent), rounded.magnitude)
    let parts = text.split(separator: ".", maxSplits: 1)
    let fraction = parts.count > 1 ? "." + parts[1] : ""
    return (value < 0 ? "-" : "") + grouped(String(parts[0])) + fraction
  }

  /// Returns a number with a decimal point without the zeros at its end, and without the point if only zeros follow it.
  package static func withoutZeros(_ decimal: some StringProtocol) -> String {
    var digits = Substring(decimal)
    while digits.hasSuffix("0") { digits.removeLast() }
    if digits.hasSuffix(".") { digits.removeLast() }
    return String(digits)
  }

  private static let binaryUnits = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]

  /// A unit starts at 1,000 of the previous one, so a number has more than three digits only in the last unit.
  private static func scaled(_ value: Double, by factor: Double, units: [String]) -> String {
    var value = value
    var unit = 0
    while unit < units.count - 1, rounded(value, digits: 3).magnitude >= 1_000 {
      value /= factor
      unit += 1
    }
    return "\(threeDigits(value)) \(units[unit])"
  }

  private static func rounded(_ value: Double, digits: Int) -> Double {
    guard value != 0, value.isFinite else { return value }
    let exponent = log10(value.magnitude).rounded(.down)
    // Dividing by an exact power of ten prevents 0.00123 from becoming 0.0012300000000000002.
    let last = Double(digits - 1)
    let scale = pow(10, abs(exponent - last))
    return exponent > last ? (value / scale).rounded() * scale : (value * scale).rounded() / scale
  }

  private static func grouped(_ digits: String) -> String {
    var grouped = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { grouped.append(",") }
      grouped.append(digit)
    }
    return grouped
  }
}
