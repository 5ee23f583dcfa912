package import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// The noise and the false alarms of one machine, from comparisons of builds with themselves.
package struct Calibration: Sendable, Equatable {
  /// The share of the recorded changes that do not exceed the noise floor.
  private static let floorShare = 0.95

  package let margins: Margins
  /// nil if the comparisons of this machine have no primary figure.
  package let result: CalibrationResult?

  /// - Parameter records: records of any machines; only records of `machine` count.
  package init(_ records: [CalibrationRecord], machine: ComparedMachine) {
    let records = records.filter { $0.machine.isSame(as: machine) }
    let figures = records.flatMap(\.figures)
    let effects = Dictionary(grouping: figures, by: \.name).mapValues { figures in
      figures.map { abs(log(1 + $0.changePercent / 100)) }.filter(\.isFinite).sorted()
    }
    margins = Margins(
      noiseFloors: effects.compactMapValues { effects in
        let rank = Int(saturating: (Self.floorShare * Double(effects.count)).rounded(.up))
        return rank > 0 ? effects[rank - 1] : nil
      }
    )
    let primary = figures.filter(\.isPrimary)
    guard !primary.isEmpty else {
      result = nil
      return
    }
    let falseAlarms = primary.count { $0.isFalseAlarm }
    let interval = BinomialInterval.interval(falseAlarms, of: primary.count)
    result = CalibrationResult(
      comparisons: records.count,
      figures: primary.count,
      falseAlarms: falseAlarms,
      lowerRate: interval.lowerBound,
      upperRate: interval.upperBound
    )
  }
}

/// The smallest change of each figure that counts: a floor for its kind, or the measured noise of equal builds, if that
/// is larger.
package struct Margins: Codable, Sendable, Equatable {
  /// The 95th percentile of the sizes of the effects in calibrations, as a logarithm, by figure.
  package var noiseFloors: [FigureName: Double]

  package init(noiseFloors: [FigureName: Double] = [:]) {
    self.noiseFloors = noiseFloors
  }

  /// Returns the margin of a figure as a logarithm.
  package func margin(of name: FigureName, _ role: FigureRole) -> Double {
    max(log(1 + Self.floor(of: name, role)), noiseFloors[name] ?? 0)
  }

  /// Returns the smallest change that counts for a kind of figure, as a share.
  private static func floor(of name: FigureName, _ role: FigureRole) -> Double {
    switch (role, name.metric) {
    case (_, "p99.9"): 0.10
    case (_, "p90"), (_, "p99"), (.part, _): 0.05
    case (.count, _): 0.01
    default: 0.03
    }
  }
}

/// The exact interval of a probability, from the number of successes.
///
/// Source: Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
/// Biometrika, 1934.
enum BinomialInterval {
  /// - Parameters:
  ///   - count: the successes, 0 to `trials`.
  ///   - trials: without a trial the interval is 0 to 1.
  ///   - confidence: such as 0.95.
  static func interval(_ count: Int, of trials: Int, confidence: Double = 0.95) -> ClosedRange<Double> {
    precondition((0...max(0, trials)).contains(count), "expected 0 to \(trials) successes, found \(count)")
    guard trials > 0 else { return 0...1 }
    let tail = (1 - confidence) / 2
    let lower = count == 0 ? 0 : root { 1 - probability(atMost: count - 1, of: trials, $0) >= tail }
    let upper = count == trials ? 1 : root { probability(atMost: count, of: trials, $0) <= tail }
    return lower...upper
  }

  /// Returns the smallest probability for which `holds` is true. `holds` must be true for all greater ones too.
  private static func root(_ holds: (Double) -> Bool) -> Double {
    var bounds = (low: 0.0, high: 1.0)
    // After sixty halvings, the bounds are closer than the resolution of a `Double` near 1.
    for _ in 0..<60 {
      let middle = (bounds.low + bounds.high) / 2
      if holds(middle) { bounds.high = middle } else { bounds.low = middle }
    }
    return bounds.high
  }

  /// Returns the probability of at most `count` successes in `trials` trials, each with the probability `success`.
  private static func probability(atMost count: Int, of trials: Int, _ success: Double) -> Double {
    guard success > 0 else { return 1 }
    guard success < 1 else { return count >= trials ? 1 : 0 }
    // In logarithms, because the terms of ten thousand trials would underflow.
    let odds = log(success) - log1p(-success)
    var logTerm = Double(trials) * log1p(-success)
    var sum = exp(logTerm)
    for successes in 0..<count {
      logTerm += log(Double(trials - successes) / Double(successes + 1)) + odds
      sum += exp(logTerm)
    }
    return min(1, sum)
  }
}
