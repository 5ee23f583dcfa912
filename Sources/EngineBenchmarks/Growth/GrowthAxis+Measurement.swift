package import BenchResults

/// The measurement of each axis.
extension GrowthAxis {
  /// The sizes of whole measurements, and the largest size of quick ones.
  private var row: (sizes: [Int], quickLimit: Int) {
    let counts = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
    return switch self {
    case .rows: (counts + [3_000_000, 10_000_000], 30_000)
    case .connections: ((0...6).map { 1 << $0 }, 16)
    case .lag: ([1, 10, 100, 1_000, 10_000, 100_000, 1_000_000], 1_000)
    case .wal: ((0...5).map { 1 << (20 + 2 * $0) }, 16 << 20)
    case .values: ((0...8).map { 16 << (2 * $0) }, 16 << 10)
    case .view: (counts, 30_000)
    }
  }

  /// The sizes that are measured, in ascending order.
  /// - Parameter maximumRows: The largest number of rows of a table or a view.
  package func sizes(maximumRows: Int, isQuick: Bool) -> [Int] {
    let limit = min(self == .rows || self == .view ? maximumRows : .max, isQuick ? row.quickLimit : .max)
    return row.sizes.filter { $0 <= limit }
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
    case .values: base + TableGrowth.valueRows(of: size) * size * 6
    }
  }

  /// Measures each size in ascending order.
  func measure(_ sizes: [Int], on bench: GrowthBench) throws {
    switch self {
    case .rows: for size in sizes { try TableGrowth.measure(bench.dataset(rows: size), at: size, on: bench) }
    case .connections: try ConnectionsGrowth.run(sizes, on: bench)
    case .lag: try LagGrowth.run(sizes, on: bench)
    case .wal: try WALGrowth.run(sizes, on: bench)
    case .values:
      for size in sizes {
        let dataset = bench.dataset(rows: TableGrowth.valueRows(of: size), valueBytes: size)
        try TableGrowth.measure(dataset, at: size, on: bench)
      }
    case .view: try ViewGrowth.run(sizes, on: bench)
    }
  }
}
