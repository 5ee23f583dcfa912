internal import BenchResults
internal import BenchScenario
internal import Foundation
internal import NumericConversion

/// The number of arrivals that are due at a time, and its inverse. Arrivals are drawn for a rate of 1, and the inverse
/// of this integral maps them to times, so every arrival process works with every curve.
extension RateCurve {
  /// The area under the curve from the phase's start to `time`: the number of arrivals that are due by then.
  /// - Parameters:
  ///   - time: seconds.
  ///   - length: the planned length of the phase in seconds, over which a ramp rises or falls.
  func arrivals(by time: Double, phaseLength length: Double) -> Double {
    switch self {
    case .constant(let rate):
      return rate * time
    case .ramp(let from, let to):
      let slope = (to - from) / length
      // After `length` a falling ramp continues to fall until its rate is 0, and stays there.
      let time = slope < 0 ? min(time, from / -slope) : time
      return from * time + slope * time * time / 2
    case .burst(let base, let peak, let every, let burst):
      let shape = BurstShape(base: base, peak: peak, every: every, burst: burst)
      let periods = (time / shape.period).rounded(.down)
      let rest = time - periods * shape.period
      return periods * shape.arrivals + min(rest, shape.calm) * base + max(rest - shape.calm, 0) * peak
    case .sine(let low, let high, let period):
      let shape = SineShape(low: low, high: high, period: period)
      let periods = (time / shape.period).rounded(.down)
      return periods * shape.arrivals + shape.arrivals(by: time - periods * shape.period)
    case .trace(let trace):
      return Double(trace.nanoseconds.countOfSorted { Double($0) / 1e9 <= time })
    }
  }

  /// The time at which `arrivals` are due, in seconds since the phase began; infinite if that never happens.
  /// - Parameters:
  ///   - arrivals: the area under the curve.
  ///   - length: the planned length of the phase in seconds, over which a ramp rises or falls.
  func time(ofArrivals arrivals: Double, phaseLength length: Double) -> Double {
    switch self {
    case .constant(let rate):
      return arrivals / rate
    case .ramp(let from, let to):
      return Self.rampTime(ofArrivals: arrivals, from: from, to: to, length: length)
    case .burst(let base, let peak, let every, let burst):
      let shape = BurstShape(base: base, peak: peak, every: every, burst: burst)
      let periods = (arrivals / shape.arrivals).rounded(.down)
      let rest = arrivals - periods * shape.arrivals
      let calmArrivals = base * shape.calm
      let within = rest <= calmArrivals ? rest / base : shape.calm + (rest - calmArrivals) / peak
      return periods * shape.period + within
    case .sine(let low, let high, let period):
      let shape = SineShape(low: low, high: high, period: period)
      let periods = (arrivals / shape.arrivals).rounded(.down)
      return periods * shape.period + shape.time(ofArrivals: arrivals - periods * shape.arrivals)
    case .trace(let trace):
      guard arrivals >= 1, arrivals <= Double(trace.nanoseconds.count) else { return .infinity }
      // Half a nanosecond is added, so that rounding down restores the whole number.
      return (Double(trace.nanoseconds[Int(saturating: arrivals) - 1]) + 0.5) / 1e9
    }
  }

  private static func rampTime(ofArrivals arrivals: Double, from: Double, to: Double, length: Double) -> Double {
    // from·t + slope·t²/2 = arrivals
    let slope = (to - from) / length
    if abs(slope) < 1e-12 { return arrivals / from }
    let discriminant = from * from + 2 * slope * arrivals
    // A falling ramp has a last arrival; there is none after it.
    if discriminant < 0 { return .infinity }
    return 2 * arrivals / (from + discriminant.squareRoot())
  }
}

/// A period of bursts, which begins at the base rate and ends with the burst. Times are seconds.
private struct BurstShape {
  let period: Double
  /// The time before the burst.
  let calm: Double
  /// The arrivals of a whole period.
  let arrivals: Double

  init(base: Double, peak: Double, every: UInt64, burst: UInt64) {
    let burst = Double(burst) / 1e9
    period = Double(every) / 1e9
    calm = period - burst
    arrivals = base * calm + peak * burst
  }
}

/// A period of a sine, which begins at its lowest rate. Times are seconds.
private struct SineShape {
  let period: Double
  /// The arrivals of a whole period.
  let arrivals: Double
  private let middle: Double
  private let amplitude: Double

  init(low: Double, high: Double, period: UInt64) {
    self.period = Double(period) / 1e9
    middle = (low + high) / 2
    amplitude = (high - low) / 2
    arrivals = middle * self.period
  }

  /// - Parameter time: within the period.
  func arrivals(by time: Double) -> Double {
    let turn = 2 * Double.pi / period
    return middle * time - amplitude / turn * sin(turn * time)
  }

  /// - Parameter arrivals: the arrivals since the period began.
  func time(ofArrivals arrivals: Double) -> Double {
    var early = 0.0
    var late = period
    // 50 halvings of an hour leave less than a nanosecond.
    for _ in 0..<50 {
      let between = (early + late) / 2
      if self.arrivals(by: between) < arrivals { early = between } else { late = between }
    }
    return late
  }
}

extension [UInt64] {
  /// The number of leading elements that fulfil a condition. No element after them may fulfil it.
  fileprivate func countOfSorted(_ fulfils: (UInt64) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if fulfils(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
