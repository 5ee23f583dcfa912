internal import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// A measured value as an expectation's author would write it.
enum MeasuredText {
  static func make(_ value: Double?, _ unit: FigureUnit) -> String {
    guard let value else { return "nothing" }
    switch unit {
    case .nanoseconds: return scaled(value, [("ns", 1e3), ("us", 1e3), ("ms", 1e3), ("s", .infinity)])
    case .bytes: return scaled(value, [("B", 1024), ("KiB", 1024), ("MiB", 1024), ("GiB", .infinity)])
    case .perSecond: return digits(value) + "/s"
    case .share: return digits(100 * value) + "%"
    default: return digits(value)
    }
  }

  /// The ends of a range, such as "11ms to 23ms".
  static func make(_ range: ClosedRange<Double>, _ unit: FigureUnit) -> String {
    guard range.lowerBound < range.upperBound else { return make(range.lowerBound, unit) }
    return range.upperBound == .infinity
      ? "at least \(make(range.lowerBound, unit))"
      : "\(make(range.lowerBound, unit)) to \(make(range.upperBound, unit))"
  }

  private static func scaled(_ value: Double, _ units: [(name: String, step: Double)]) -> String {
    var value = value
    for (name, step) in units {
      // A value that would be rounded up to the step belongs to the next unit.
      if abs(value) < step * 0.9995 { return digits(value) + name }
      value /= step
    }
    return digits(value)
  }

  /// Three significant digits, or all digits before the decimal point if there are more.
  private static func digits(_ value: Double) -> String {
    let isWhole = value == value.rounded() && abs(value) < 1e15
    return isWhole || abs(value) >= 999.5 && abs(value) < 1e15
      ? String(Int(saturating: value.rounded())) : String(format: "%.3g", value)
  }
}
