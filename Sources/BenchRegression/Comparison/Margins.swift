public import BenchModel
internal import Foundation

/// The smallest change of each figure that counts: a floor for its kind, or the measured noise of equal
/// builds, if that is larger.
public struct Margins: Codable, Sendable, Equatable {
  /// The 95th percentile of the effects in calibrations, as a logarithm, by figure.
  public var noiseFloors: [FigureName: Double]

  public init(noiseFloors: [FigureName: Double] = [:]) {
    self.noiseFloors = noiseFloors
  }

  /// Returns the margin of a figure as a logarithm.
  public func margin(of name: FigureName, _ role: FigureRole) -> Double {
    max(log(1 + Self.floor(of: name, role)), noiseFloors[name] ?? 0)
  }

  /// Returns the share below which no change counts.
  private static func floor(of name: FigureName, _ role: FigureRole) -> Double {
    switch (role, name.metric) {
    case (_, "p99.9"): 0.10
    case (_, "p90"), (_, "p99"), (.part, _): 0.05
    case (.count, _): 0.01
    default: 0.03
    }
  }
}
