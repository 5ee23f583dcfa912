package import BenchResults
internal import Foundation
internal import HarnessPrimitives

extension FigureUnit {
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
