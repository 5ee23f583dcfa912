internal import BenchModel
internal import Foundation
internal import NumericConversion

/// How many arrivals are due by when. An arrival process is drawn as if the rate were 1, and its times are then taken
/// through the inverse of this integral; so every process goes with every curve.
extension RateCurve {
  /// The time at which `arrivals` are due, in seconds since the phase began.
  /// - Parameters:
  ///   - arrivals: the area under the curve.
  ///   - previous: a time known not to be later, which a search can start from.
  ///   - length: the planned length of the phase in seconds, over which a ramp runs.
  func time(ofArrivals arrivals: Double, notBefore previous: Double, phaseLength length: Double) -> Double {
    switch self {
    case .constant(let rate):
      return arrivals / rate
    case .ramp(let from, let to):
      return Self.rampTime(arrivals, from, to, length)
    case .burst(let base, let peak, let every, let burst):
      return Self.burstTime(arrivals, base, peak, Double(every) / 1e9, Double(burst) / 1e9)
    case .sine(let low, let high, let period):
      return Self.sineTime(arrivals, previous, low, high, Double(period) / 1e9)
    case .trace(let trace):
      let place = Int(saturating: arrivals) - 1
      // Half a nanosecond more, so that the whole ones come back.
      return place < trace.nanoseconds.count ? (Double(trace.nanoseconds[place]) + 0.5) / 1e9 : .infinity
    }
  }

  private static func rampTime(_ arrivals: Double, _ from: Double, _ to: Double, _ length: Double) -> Double {
    // from·t + slope·t²/2 = arrivals
    let slope = (to - from) / length
    if abs(slope) < 1e-12 { return arrivals / from }
    let discriminant = from * from + 2 * slope * arrivals
    // A falling ramp has a last arrival; there is none after it.
    if discriminant < 0 { return .infinity }
    return 2 * arrivals / (from + discriminant.squareRoot())
  }

  /// Each period begins with the base rate and ends with the burst.
  private static func burstTime(
    _ arrivals: Double,
    _ base: Double,
    _ peak: Double,
    _ every: Double,
    _ burst: Double
  ) -> Double {
    let calm = base * (every - burst)
    let perPeriod = calm + peak * burst
    let periods = (arrivals / perPeriod).rounded(.down)
    let rest = arrivals - periods * perPeriod
    let within = rest <= calm ? rest / base : every - burst + (rest - calm) / peak
    return periods * every + within
  }

  private static func sineTime(
    _ arrivals: Double,
    _ previous: Double,
    _ low: Double,
    _ high: Double,
    _ period: Double
  ) -> Double {
    let middle = (low + high) / 2
    let amplitude = (high - low) / 2
    let turn = 2 * Double.pi / period
    func due(by time: Double) -> Double { middle * time - amplitude / turn * sin(turn * time) }
    var early = previous
    var late = previous + period
    while due(by: late) < arrivals { late += period }
    // 50 halvings leave less than a nanosecond of an hour.
    for _ in 0..<50 {
      let between = (early + late) / 2
      if due(by: between) < arrivals { early = between } else { late = between }
    }
    return late
  }
}
