internal import YapEngine

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

  public var isBytes: Bool { self == .wal || self == .values }

  /// The sizes that are measured, in ascending order.
  /// - Parameter maximumRows: The largest number of rows of a table or a view.
  public func sizes(maximumRows: Int, isQuick: Bool) -> [Int] {
    let sizes: [Int] =
      switch self {
      case .rows: [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000]
      case .connections: [1, 2, 4, 8, 16, 32, 64]
      case .lag: [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]
      case .wal: (0...5).map { 1 << (20 + 2 * $0) }
      case .values: (0...8).map { 16 << (2 * $0) }
      case .view: [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
      }
    let limited = self == .rows || self == .view ? sizes.filter { $0 <= maximumRows } : sizes
    return isQuick ? limited.filter { $0 <= quickLimit } : limited
  }

  private var quickLimit: Int {
    switch self {
    case .rows, .view: 30_000
    case .connections: 16
    case .lag: 1_000
    case .wal: 16 << 20
    case .values: 16 << 10
    }
  }

  /// An upper bound for the disk space that the measurement of a size needs, in bytes.
  func diskBytes(of size: Int) -> Int {
    let base = 256 << 20
    return switch self {
    // Two files, and a WAL of the load that may be as large as a tenth of the file.
    case .rows, .view: base + size * 450
    case .connections: base
    // Two small pages and their headers.
    case .lag: base + size * 1_200
    case .wal: base + size * 5 / 2
    case .values: base + GrowthSizes.valueRows(of: size) * size * 6
    }
  }

  /// Measures each size in ascending order.
  func measure(_ sizes: [Int], on bench: GrowthBench) throws {
    switch self {
    case .rows: try RowsGrowth.run(sizes, on: bench)
    case .connections: try ConnectionsGrowth.run(sizes, on: bench)
    case .lag: try LagGrowth.run(sizes, on: bench)
    case .wal: try WALGrowth.run(sizes, on: bench)
    case .values: try ValuesGrowth.run(sizes, on: bench)
    case .view: try ViewGrowth.run(sizes, on: bench)
    }
  }
}

enum GrowthSizes {
  /// The engine's default limit of a connection's object cache.
  static let cachedObjects = YapDatabaseConnectionDefaults().objectCacheLimit

  /// The number of rows of a table with large values. It exceeds the engine's object cache.
  static func valueRows(of size: Int) -> Int { max(cachedObjects + 50, min(10_000, (32 << 20) / size)) }
}
