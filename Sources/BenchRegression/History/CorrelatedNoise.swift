internal import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// The noise of a series of nights, in which each night may resemble the one before it: an autoregressive process of
/// order 1 (Box and Jenkins, "Time Series Analysis", 1970).
///
/// A step is significant if steps of its size, in units of the noise, are rare in simulated series. The test depends on
/// the size of the step and not on the number of nights, so a large step is found as soon as there are enough nights
/// for a level. Steps and noise of simulated series are estimated by the same functions as in real ones.
///
/// The noise is estimated around lines, not levels: a slow drift is no noise, or it would hide the changes to which it
/// adds up.
struct CorrelatedNoise: Equatable {
  /// The number of nights from which on longer series are not simulated. It is cautious, because the greatest step of
  /// noise gets smaller in longer series.
  static let longestSeries = 100

  /// The factor that makes the median distance to the median an estimate of the standard deviation of normal noise.
  private static let deviationsPerMedianDistance = 1.4826
  /// The number of standard deviations beyond which a value counts as a single bad night.
  private static let widestDeviation = 2.5
  private static let greatestCorrelation = 0.95
  /// The correlation up to which nights count as independent.
  private static let negligibleCorrelation = 0.25

  /// The standard deviation.
  let deviation: Double
  /// The correlation of neighbours, 0 to 0.95, cautiously estimated: more often too great than too small.
  let correlation: Double
  /// Whether the nights resemble their neighbours so little that a test for independent nights is valid.
  let isIndependent: Bool

  /// Estimates the noise of a series.
  /// - Parameter changes: the indices at which the level changes, ascending.
  init(of values: [Double], betweenChangesAt changes: [Int]) {
    let residuals = Self.residuals(of: values, betweenChangesAt: changes)
    deviation = Self.deviation(of: residuals)
    // By rank, so that a single bad night neither hides nor simulates a correlation.
    let measured = MeanRanks.doubled(residuals).map(Double.init).lag1Autocorrelation
    // Estimating a level and a slope for each segment biases the correlation downwards (Marriott and Pope, "Bias in the
    // estimation of autocorrelations", 1954).
    let (count, parameters) = (Double(values.count), Double(2 * (changes.count + 1)))
    let corrected = min((count * measured + parameters) / max(1, count - 2 - parameters), Self.greatestCorrelation)
    isIndependent = corrected <= Self.negligibleCorrelation
    // The large-sample error of an estimated correlation (Bartlett 1946). The estimate errs upwards by half of it,
    // because too small a correlation raises false alarms, and too great a one costs only small changes.
    let error = max(0, 1 - corrected * corrected).squareRoot() / max(1, count).squareRoot()
    correlation = min(max(corrected + error / 2, 0), Self.greatestCorrelation)
  }

  /// Returns the size of a step in standard deviations; infinity for a series without noise.
  func size(ofStep magnitude: Double) -> Double { Self.size(ofStep: magnitude, deviation: deviation) }

  private static func size(ofStep magnitude: Double, deviation: Double) -> Double {
    deviation > 0 ? abs(magnitude) / deviation : .infinity
  }

  /// Returns a simulated series of normal noise with this correlation and a standard deviation of 1.
  func draw(_ count: Int, _ random: inout RandomStream) -> [Double] {
    let innovation = (1 - correlation * correlation).squareRoot()
    var value = random.standardNormal()
    return (0..<count).map { _ in
      defer { value = correlation * value + innovation * random.standardNormal() }
      return value
    }
  }

  /// Returns the size of the step at the place where a series steps most clearly, in standard deviations of its noise;
  /// 0 for too short a series.
  static func greatestStep(in values: [Double], minimumSegment: Int) -> Double {
    guard let index = StepPlace.index(in: values, minimumSegment: minimumSegment) else { return 0 }
    let deviation = deviation(of: residuals(of: values, betweenChangesAt: [index]))
    return size(ofStep: values[index...].median - values[..<index].median, deviation: deviation)
  }

  private static func residuals(of values: [Double], betweenChangesAt changes: [Int]) -> [Double] {
    let ends = [0] + changes + [values.count]
    return zip(ends, ends.dropFirst()).flatMap { residuals(of: values[$0..<$1]) }
  }

  /// Returns the distances of values to a line that single bad nights do not move: its slope is that between the
  /// medians of the first and the last third (Tukey, "Exploratory Data Analysis", 1977).
  private static func residuals(of segment: ArraySlice<Double>) -> [Double] {
    guard segment.count > 1 else { return segment.map { _ in 0 } }
    let third = (segment.count + 2) / 3
    let rise = segment.suffix(third).median - segment.prefix(third).median
    let slope = rise / Double(segment.count - third)
    let flat = segment.enumerated().map { $1 - slope * Double($0) }
    let level = flat.median
    return flat.map { $0 - level }
  }

  /// Returns the root mean square of the residuals, each limited to 2.5 robust standard deviations.
  private static func deviation(of residuals: [Double]) -> Double {
    guard !residuals.isEmpty else { return 0 }
    let robust = deviationsPerMedianDistance * residuals.map(abs).median
    // More than half of the nights are equal: there is no robust deviation to limit the others by.
    let limit = robust > 0 ? widestDeviation * robust : .infinity
    let squares = residuals.reduce(0) { sum, residual in
      let limited = min(abs(residual), limit)
      return sum + limited * limited
    }
    return (squares / Double(residuals.count)).squareRoot()
  }
}

/// The place of a step in a series.
enum StepPlace {
  /// Returns the index at which a series is best divided into two levels: the sum of the distances of all values to the
  /// medians of their parts is the smallest there (least absolute deviations). nil for too short a series.
  static func index(in values: [Double], minimumSegment: Int) -> Int? {
    guard values.count >= 2 * minimumSegment else { return nil }
    let before = distances(values)
    let after = distances(values.reversed())
    return (minimumSegment...(values.count - minimumSegment)).min {
      before[$0] + after[values.count - $0] < before[$1] + after[values.count - $1]
    }
  }

  /// Returns the sums of the distances of the first 0, 1, … values to their median.
  private static func distances(_ values: [Double]) -> [Double] {
    var sorted: [Double] = []
    sorted.reserveCapacity(values.count)
    var sum = 0.0
    return [0]
      + values.map { value in
        // A value between the two middle values, or at the middle one, adds nothing; another adds its distance to them.
        if !sorted.isEmpty {
          let (low, high) = (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
          sum += max(0, low - value, value - high)
        }
        var index = sorted.count
        while index > 0, sorted[index - 1] > value { index -= 1 }
        sorted.insert(value, at: index)
        return sum
      }
  }
}

extension RandomStream {
  /// A standard normal number, by the method of Box and Muller.
  fileprivate mutating func standardNormal() -> Double {
    sqrt(-2 * log(1 - unit())) * cos(2 * .pi * unit())
  }
}
