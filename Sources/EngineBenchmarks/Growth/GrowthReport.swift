public import BenchResults
public import Foundation

/// The curves of `yapbench bench --growth`.
public struct GrowthReport: Sendable, Codable {
  /// The figures of all contestants at one size.
  public struct Point: Sendable, Codable {
    public let size: Int
    /// The figures of each contestant, one per round.
    public let figures: [String: [Double]]
  }

  /// The cost of one operation at all sizes.
  public struct Panel: Sendable, Codable {
    public let title: String
    public let unit: FigureUnit
    /// The contestants, the engine first.
    public let contestants: [String]
    public internal(set) var points: [Point]
  }

  public struct Axis: Sendable, Codable {
    public let axis: GrowthAxis
    public internal(set) var panels: [Panel]
  }

  public let seed: UInt64
  public let rounds: Int
  public internal(set) var isInterrupted = false
  public internal(set) var axes: [Axis] = []

  /// Returns the report as JSON, with keys in a stable order, and a newline at the end.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }
}
