internal import Foundation
internal import HarnessPrimitives

extension FigureUnit {
  /// Returns a measured value of this unit for people: "nothing" without one.
  package func measuredText(_ value: Double?) -> String { value.map { text($0) } ?? "nothing" }

  /// Returns the ends of a range, such as `11.0 ms to 23.0 ms`.
  package func text(of range: ClosedRange<Double>) -> String {
    guard range.lowerBound < range.upperBound else { return text(range.lowerBound) }
    return range.upperBound == .infinity
      ? "at least \(text(range.lowerBound))" : "\(text(range.lowerBound)) to \(text(range.upperBound))"
  }

  /// Returns a value of this unit for people.
  package func text(_ value: Double) -> String {
    switch self {
    case .nanoseconds: Quantity.duration(nanoseconds: value)
    case .seconds: Quantity.duration(nanoseconds: value * 1e9)
    case .bytes: value.isFinite ? Quantity.bytes(Int(saturating: value.rounded())) : Quantity.missing
    case .byteSeconds: Quantity.byteSeconds(value)
    case .perSecond: Quantity.rate(perSecond: value)
    case .count where value == value.rounded(): Quantity.count(Int(saturating: value))
    case .share: Quantity.percent(value)
    case .percent: Quantity.number(value) + " %"
    case .tail: "p" + Quantity.number(100 - pow(10, 2 - value))
    case .count, .number: Quantity.number(value)
    }
  }
}
