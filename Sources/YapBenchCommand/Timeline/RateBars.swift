internal import BenchModel
internal import Foundation
internal import NumericConversion

/// The load of an actor over a phase as a row of bars, each the highest rate of its stretch of time.
struct RateBars {
  static let levels = Array("▁▂▃▄▅▆▇█")
  /// A closed load has no rate: it is as fast as the engine lets it be.
  static let closed: Character = "="

  /// The rate that fills a bar.
  let highestPerSecond: Double

  /// - Parameter nanoseconds: how long the phase is planned to be; 0 where nobody knows.
  func text(_ load: LoadModel, columns: Int, nanoseconds: UInt64) -> String {
    guard case .open(let curve, _) = load else { return String(repeating: Self.closed, count: columns) }
    let length = Double(max(nanoseconds, 1))
    let bars = (0..<columns).map { column -> Character in
      let from = length * Double(column) / Double(columns)
      let to = length * Double(column + 1) / Double(columns)
      return bar(Self.highest(curve, from: from, to: to, length: length))
    }
    return String(bars)
  }

  private func bar(_ perSecond: Double) -> Character {
    let share = highestPerSecond > 0 ? perSecond / highestPerSecond : 0
    return Self.levels[min(max(Int(saturating: (share * 8).rounded(.up)) - 1, 0), 7)]
  }

  /// The highest rate of a curve, whenever that is.
  static func highest(_ load: LoadModel) -> Double {
    guard case .open(let curve, _) = load else { return 0 }
    return curve.highestPerSecond
  }

  /// The highest rate from one time of a phase to another; times in nanoseconds.
  private static func highest(_ curve: RateCurve, from: Double, to: Double, length: Double) -> Double {
    if case .ramp(let first, let last) = curve {
      let rate = { (time: Double) in first + (last - first) * time / length }
      return max(rate(from), rate(to))
    }
    if case .burst(let base, let peak, let every, let burst) = curve {
      // Each period ends with its burst.
      let (every, calm) = (Double(every), Double(every) - Double(burst))
      let start = from.truncatingRemainder(dividingBy: every)
      return start >= calm || start + (to - from) > calm ? peak : base
    }
    if case .sine(let low, let high, let period) = curve {
      let rate = { (time: Double) in (low + high) / 2 - (high - low) / 2 * cos(2 * Double.pi * time / Double(period)) }
      // Fine enough for bars of eight heights.
      return (0...16).map { rate(from + (to - from) * Double($0) / 16) }.max() ?? high
    }
    return curve.highestPerSecond
  }
}
