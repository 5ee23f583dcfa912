public import BenchModel
internal import Foundation
internal import NumericConversion

/// The noise and the false alarms of one machine, from comparisons of builds with themselves.
public struct Calibration: Sendable, Equatable {
  /// The share of the stored changes below the noise floor.
  private static let floorShare = 0.95

  public let margins: Margins
  /// nil on a machine without such comparisons.
  public let result: CalibrationResult?

  /// - Parameter records: records of any machines; only those of `machine` count.
  public init(_ records: [CalibrationRecord], machine: ComparedMachine) {
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
