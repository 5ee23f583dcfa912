/// A quantity that grows while the cost of operations is measured.
public enum GrowthAxis: String, CaseIterable, Sendable, Codable {
  case rows, connections, lag, wal, values, view

  /// The description of the axis.
  public var text: String {
    switch self {
    case .rows: "rows of 100 bytes"
    case .connections: "open connections"
    case .lag: "commits that a bookmark has not passed"
    case .wal: "WAL behind a bookmark that does not move"
    case .values: "size of a value"
    case .view: "rows of a view"
    }
  }

  /// Whether sizes are bytes. Otherwise they are counts.
  public var isBytes: Bool { self == .wal || self == .values }
}

/// The curves of `yapbench bench --growth`. Its JSON is `growth.json`.
public struct GrowthReport: Sendable, Codable {
  /// The figures of all contestants at one size.
  public struct Point: Sendable, Codable {
    public let size: Int
    /// The figures of each contestant, one per round.
    public let figures: [String: [Double]]

    public init(size: Int, figures: [String: [Double]]) { (self.size, self.figures) = (size, figures) }
  }

  /// The cost of one operation at all sizes.
  public struct Panel: Sendable, Codable {
    public let title: String
    /// Bytes or nanoseconds.
    public let unit: FigureUnit
    /// The contestants, the engine first.
    public let contestants: [String]
    public var points: [Point]

    public init(title: String, unit: FigureUnit, contestants: [String], points: [Point]) {
      (self.title, self.unit, self.contestants, self.points) = (title, unit, contestants, points)
    }
  }

  public struct Axis: Sendable, Codable {
    public let axis: GrowthAxis
    public let panels: [Panel]

    public init(axis: GrowthAxis, panels: [Panel]) { (self.axis, self.panels) = (axis, panels) }
  }

  @PortableInteger public private(set) var seed: UInt64
  public let rounds: Int
  public var isInterrupted = false
  public var axes: [Axis]

  public init(seed: UInt64, rounds: Int, axes: [Axis] = []) {
    (self.seed, self.rounds, self.axes) = (seed, rounds, axes)
  }
}
