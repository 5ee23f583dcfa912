internal import BenchScenario
internal import Foundation
internal import HarnessPrimitives

/// The number of arrivals that are due at a time, and its inverse. Arrivals are drawn for a rate of 1, and the inverse
/// of this integral maps them to times, so every arrival process works with every curve.
extension RateCurve {
  /// The area under the curve from the phase's start to `time`: the number of arrivals that are due by then.
  /// - Parameters:
  ///   - time: seconds.
  ///   - length: the planned length of the phase in seconds, over which a ramp and the peaks of bursts change.
  func arrivals(by time: Double, phaseLength length: Double) -> Double {
    switch self {
    case .constant(let rate):
      return rate * time
    case .ramp(let from, let to):
      let slope = (to - from) / length
      // After `length` a falling ramp continues to fall until its rate is 0, and stays there.
      let time = slope < 0 ? min(time, from / -slope) : time
      return from * time + slope * time * time / 2
    case .stages(let stages):
      return stages.arrivals(by: time)
    case .burst(let burst):
      return BurstShape(burst, phaseLength: length).arrivals(by: time)
    case .sine(let low, let high, let period):
      let shape = SineShape(low: low, high: high, period: period)
      let periods = (time / shape.period).rounded(.down)
      return periods * shape.arrivals + shape.arrivals(by: time - periods * shape.period)
    case .trace(let trace):
      return Double(trace.nanoseconds.partitioningIndex { Double($0) / 1e9 > time })
    }
  }

  /// The time at which `arrivals` are due, in seconds since the phase began; infinite if that never happens.
  /// - Parameters:
  ///   - arrivals: the area under the curve.
  ///   - length: the planned length of the phase in seconds, over which a ramp and the peaks of bursts change.
  func time(ofArrivals arrivals: Double, phaseLength length: Double) -> Double {
    switch self {
    case .constant(let rate):
      return arrivals / rate
    case .ramp(let from, let to):
      return Self.rampTime(ofArrivals: arrivals, from: from, to: to, length: length)
    case .stages(let stages):
      return stages.time(ofArrivals: arrivals)
    case .burst(let burst):
      return BurstShape(burst, phaseLength: length).time(ofArrivals: arrivals)
    case .sine(let low, let high, let period):
      let shape = SineShape(low: low, high: high, period: period)
      let periods = (arrivals / shape.arrivals).rounded(.down)
      return periods * shape.period + shape.time(ofArrivals: arrivals - periods * shape.arrivals)
    case .trace(let trace):
      // Evenly spread arrivals have areas between two whole numbers.
      guard arrivals >= 0, arrivals < Double(trace.nanoseconds.count) else { return .infinity }
      // Half a nanosecond is added, so that rounding down restores the whole number.
      return (Double(trace.nanoseconds[Int(saturating: arrivals)]) + 0.5) / 1e9
    }
  }

  private static func rampTime(ofArrivals arrivals: Double, from: Double, to: Double, length: Double) -> Double {
    // from·t + slope·t²/2 = arrivals
    let slope = (to - from) / length
    if abs(slope) < 1e-12 { return arrivals / from }
    let discriminant = from * from + 2 * slope * arrivals
    // A falling ramp has a last arrival; there is none after it.
    if discriminant < 0 { return .infinity }
    // A ramp from 0 has its first independent arrival at any time from 0 on.
    if arrivals <= 0 { return 0 }
    return 2 * arrivals / (from + discriminant.squareRoot())
  }
}

extension RateStages {
  /// - Parameter time: seconds since the phase began.
  fileprivate func arrivals(by time: Double) -> Double {
    guard time < last.endSeconds else { return last.arrivalsAtEnd + (time - last.endSeconds) * last.toPerSecond }
    let stage = stages.last { $0.startSeconds <= time } ?? stages[0]
    let within = time - stage.startSeconds
    return stage.arrivalsBefore + stage.fromPerSecond * within + stage.slope * within * within / 2
  }

  fileprivate func time(ofArrivals arrivals: Double) -> Double {
    guard let stage = stages.first(where: { arrivals <= $0.arrivalsAtEnd }) else {
      guard last.toPerSecond > 0 else { return .infinity }
      return last.endSeconds + (arrivals - last.arrivalsAtEnd) / last.toPerSecond
    }
    // from·t + slope·t²/2 = rest
    let rest = arrivals - stage.arrivalsBefore
    guard rest > 0 else { return stage.startSeconds }
    let discriminant = max(stage.fromPerSecond * stage.fromPerSecond + 2 * stage.slope * rest, 0)
    return stage.startSeconds + min(2 * rest / (stage.fromPerSecond + discriminant.squareRoot()), stage.seconds)
  }
}

/// The bursts of a phase. Each period begins at the base rate and ends with a burst. Times are seconds.
private struct BurstShape {
  private let rate: BurstRate
  /// The bursts that begin in the phase. Later ones have the peak of the last of them.
  private let count: Double
  /// The change of the peak from one burst to the next.
  private let step: Double
  private let lastPeak: Double

  init(_ rate: BurstRate, phaseLength: Double) {
    self.rate = rate
    count = rate.count(inPhaseOf: phaseLength)
    lastPeak = rate.peakPerSecond(of: count, count: count)
    step = count > 1 ? (lastPeak - rate.peakPerSecond) / (count - 1) : 0
  }

  func arrivals(by time: Double) -> Double {
    let period = (time / rate.periodSeconds).rounded(.down)
    let rest = time - period * rate.periodSeconds
    return arrivals(before: period) + min(rest, rate.calmSeconds) * rate.basePerSecond
      + max(rest - rate.calmSeconds, 0) * rate.peakPerSecond(of: period, count: count)
  }

  func time(ofArrivals arrivals: Double) -> Double {
    let period = period(ofArrivals: arrivals)
    let rest = max(arrivals - self.arrivals(before: period), 0)
    let calmArrivals = rate.basePerSecond * rate.calmSeconds
    let peak = rate.peakPerSecond(of: period, count: count)
    let within = rest <= calmArrivals ? rest / rate.basePerSecond : rate.calmSeconds + (rest - calmArrivals) / peak
    return period * rate.periodSeconds + within
  }

  /// The arrivals of all periods before this one, counted from 0: an arithmetic series up to `count` periods.
  private func arrivals(before period: Double) -> Double {
    let changing = min(period, count)
    let peaks = rate.peakPerSecond * changing + step * changing * (changing - 1) / 2 + lastPeak * (period - changing)
    return period * rate.basePerSecond * rate.calmSeconds + peaks * rate.burstSeconds
  }

  /// The period in which an arrival is due: the solution of the series' quadratic equation, or of the linear equation
  /// after `count` periods.
  private func period(ofArrivals arrivals: Double) -> Double {
    let changing = self.arrivals(before: count)
    var period: Double
    if arrivals >= changing {
      let each = rate.basePerSecond * rate.calmSeconds + lastPeak * rate.burstSeconds
      period = count + ((arrivals - changing) / each).rounded(.down)
    } else {
      let square = step * rate.burstSeconds / 2
      let linear = rate.basePerSecond * rate.calmSeconds + (rate.peakPerSecond - step / 2) * rate.burstSeconds
      let root = max(linear * linear + 4 * square * arrivals, 0).squareRoot()
      // Of the two forms of the solution, the one that adds numbers of equal sign.
      let solution = linear >= 0 ? 2 * arrivals / (linear + root) : (root - linear) / (2 * square)
      period = min(max(solution.rounded(.down), 0), count)
    }
    // The solution may be next to a whole number.
    if period > 0, self.arrivals(before: period) > arrivals { period -= 1 }
    if self.arrivals(before: period + 1) <= arrivals { period += 1 }
    return period
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
