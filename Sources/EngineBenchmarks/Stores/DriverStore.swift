internal import BenchDrivers
internal import BenchScenario

/// A driver of the harness, with one connection.
// Used by one thread at a time.
final class DriverStore: RowStore, @unchecked Sendable {
  let name: String
  let database: any DriverDatabase
  let connection: any DriverConnection
  private let dataset: Dataset

  init(_ driver: MeasuredDriver, path: String, dataset: Dataset) throws {
    name = driver.driverName
    self.dataset = dataset
    var settings = EngineSettings(of: driver.kind)
    settings.synchronous = .off
    let rows = DatasetCollection(Dataset.collection, rows: dataset.rowCount, of: .fixed(bytes: dataset.valueBytes))
    database = try Drivers.open(settings, dataset: [rows], path: path)
    connection = try database.connect(.plain("only"))
  }

  func close() throws { try database.close() }

  /// Stores every row with its initial value, in transactions of 10,000 rows, as the loops do.
  func load() throws {
    for start in stride(from: 0, to: dataset.rowCount, by: 10_000) {
      try connection.readWrite { transaction in
        for row in start..<min(start + 10_000, dataset.rowCount) {
          let value = dataset.initialValue(of: row)
          try transaction.set(value, metadata: nil, dataset.keys[row], in: Dataset.collection)
        }
      }
    }
  }

  func readNothing(_ count: Int) throws {
    for _ in 0..<count { try connection.read { _ in } }
  }

  func readTogether(_ rows: [UInt32]) throws -> UInt64 {
    var sum: UInt64 = 0
    try connection.read { transaction in
      for row in rows { sum &+= try stamp(of: row, in: transaction) }
    }
    return sum
  }

  func readEach(_ rows: [UInt32]) throws -> UInt64 {
    var sum: UInt64 = 0
    for row in rows { try connection.read { sum &+= try stamp(of: row, in: $0) } }
    return sum
  }

  func update(_ rows: [UInt32], rowsEach: Int, fresh: Int) throws {
    for start in stride(from: 0, to: rows.count, by: rowsEach) {
      try connection.readWrite { transaction in
        for index in start..<start + rowsEach {
          let value = dataset.fresh[(fresh + index) % dataset.fresh.count]
          try transaction.set(value, metadata: nil, dataset.keys[Int(rows[index])], in: Dataset.collection)
        }
      }
    }
  }

  private func stamp(of row: UInt32, in transaction: any DriverTransaction) throws -> UInt64 {
    let object = try transaction.object(dataset.keys[Int(row)], in: Dataset.collection)
    guard let object, object.count >= 8 else { return .max }
    return object.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
  }
}
