internal import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// The scale of an axis, with ticks at round values.
struct ChartScale {
  struct Tick {
    var value: Double
    /// nil for a tick without a label.
    var name: String?
  }

  let unit: FigureUnit
  private(set) var isLogarithmic = false
  private(set) var low = 0.0
  let high: Double
  let ticks: [Tick]

  /// Only a scale of extreme values comes near to this limit: all values of a Double span 632 powers of ten.
  private static let mostTicks = 1_000

  /// Returns a scale from 0 to `highest * room`; to 1 if `highest` is not above 0.
  static func linear(to highest: Double, _ unit: FigureUnit, room: Double = 1.08, tickCount: Int = 5) -> ChartScale {
    let high = highest > 0 ? highest * room : 1
    // Ticks of bytes are round in their unit, such as 1 MiB instead of 0.977 MiB.
    var factor = 1.0
    var name = 0
    if unit == .bytes { while high / factor >= 1_000, name < 4 { (factor, name) = (factor * 1_024, name + 1) } }
    let step = max(step(for: high / factor / Double(tickCount)), factor == 1 && unit == .bytes ? 1 : 0)
    // A step that is too small for a Double is 0; then the quotient is infinite.
    let last = min(Int(saturating: high / factor / step), mostTicks)
    let ticks = (0...last).map { index -> Tick in
      let value = Double(index) * step
      let text =
        unit == .bytes ? "\(Quantity.number(value)) \(["B", "KiB", "MiB", "GiB", "TiB"][name])" : unit.text(value)
      return Tick(value: value * factor, name: withoutZeros(text))
    }
    return ChartScale(unit: unit, high: high, ticks: ticks)
  }

  /// Returns a scale that contains 0 and all percentages from `lowest` to `highest`, which may be negative.
  static func percent(from lowest: Double, to highest: Double) -> ChartScale {
    let (lowest, highest) = (min(0, lowest), max(0, highest))
    let step = step(for: max(highest - lowest, 1) / 4)
    let first = max(Int(saturating: (lowest / step).rounded(.down)), -mostTicks)
    let last = min(Int(saturating: (highest / step).rounded(.up)), mostTicks)
    let ticks = (first...last).map { index -> Tick in
      let value = Double(index) * step
      return Tick(value: value, name: (value > 0 ? "+" : "") + withoutZeros(FigureUnit.percent.text(value)))
    }
    return ChartScale(unit: .percent, low: Double(first) * step, high: Double(last) * step, ticks: ticks)
  }

  /// Returns a scale that begins and ends at powers of ten and contains both values, which must be above 0. Bytes have
  /// powers of four.
  /// - Parameter room: The smallest distance between the highest value and the end, in powers of ten.
  static func logarithmic(
    from lowest: Double,
    to highest: Double,
    _ unit: FigureUnit,
    room: Double = 0.05
  ) -> ChartScale {
    if unit == .bytes { return powersOfFour(from: lowest, to: highest) }
    let low = pow(10, log10(lowest).rounded(.down))
    let high = max(pow(10, (log10(max(highest, lowest)) + room).rounded(.up)), 10 * low)
    let decades = min(max(Int(saturating: log10(high / low).rounded()), 0), mostTicks)
    let ticks = (0...decades).flatMap { decade -> [Tick] in
      let value = low * pow(10, Double(decade))
      let between = decade < decades && decades <= 5 ? [2.0, 5].map { Tick(value: value * $0, name: nil) } : []
      // Of more than six decades, every third has a label.
      let hasName = decade.isMultiple(of: decades > 6 ? 3 : 1)
      let name =
        unit == .number
        ? Quantity.count(Int(saturating: value.rounded()))
        : name(ofDecade: unit == .nanoseconds ? value / 1e9 : value)
      return [Tick(value: value, name: hasName ? name : nil)] + between
    }
    return ChartScale(unit: unit, isLogarithmic: true, low: low, high: high, ticks: ticks)
  }

  private static func powersOfFour(from lowest: Double, to highest: Double) -> ChartScale {
    let first = Int(saturating: (log2(lowest) / 2).rounded(.down))
    let last = max(Int(saturating: (log2(max(highest, lowest)) / 2).rounded(.up)), first + 1)
    let step = (last - first) / 7 + 1
    let ticks = (first...last).map { power -> Tick in
      let value = pow(4, Double(power))
      let hasName = (power - first).isMultiple(of: step)
      return Tick(value: value, name: hasName ? withoutZeros(FigureUnit.bytes.text(value)) : nil)
    }
    let (low, high) = (pow(4, Double(first)), pow(4, Double(last)))
    return ChartScale(unit: .bytes, isLogarithmic: true, low: low, high: high, ticks: ticks)
  }

  /// The name of a power of ten, such as `10 µs`, without the decimals of a measured value.
  private static func name(ofDecade seconds: Double) -> String {
    let exponent = Int(saturating: (log10(seconds) + 9).rounded())
    let units = ["ns", "µs", "ms", "s"]
    let unit = min(max(exponent, 0) / 3, units.count - 1)
    return Quantity.count(Int(saturating: pow(10, Double(exponent - 3 * unit)).rounded())) + " \(units[unit])"
  }

  /// Returns a scale from p0 to `highest`, which counts as in `FigureUnit.tail`: 2 is p99. It ends at p90 or later.
  static func tail(to highest: Double) -> ChartScale {
    let high = max(highest, 1)
    let names = ["p0", "p90", "p99", "p99.9", "p99.99", "p99.999", "p99.9999", "p99.99999"]
    let whole = names.indices.filter { Double($0) <= high }.map { Tick(value: Double($0), name: names[$0]) }
    let median = Tick(value: log10(2), name: high <= 4.5 ? "p50" : nil)
    return ChartScale(unit: .tail, high: high, ticks: whole + [median])
  }

  /// Returns the position of a value: 0 at the scale's lower end, 1 at its upper end.
  func share(of value: Double) -> Double {
    isLogarithmic
      ? log10(max(value, low) / low) / log10(high / low)
      : (value - low) / (high - low)
  }

  /// Returns 1, 2 or 5 times a power of ten: the smallest such number that is not below `rough`.
  private static func step(for rough: Double) -> Double {
    let power = pow(10, log10(rough).rounded(.down))
    return ([1.0, 2, 5].first { $0 * power >= rough } ?? 10) * power
  }

  /// Returns a quantity without the zeros at the end of its decimals.
  private static func withoutZeros(_ text: String) -> String {
    guard let number = text.split(separator: " ").first, number.contains(".") else { return text }
    return Quantity.withoutZeros(number) + text.dropFirst(number.count)
  }
}
