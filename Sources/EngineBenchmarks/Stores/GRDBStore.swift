#if GRDB
  internal import Foundation
  internal import GRDB

  /// GRDB's pool over YapDatabase's own table, with cached statements. It does not use the snapshot row.
  // The pool may be used by any thread.
  final class GRDBStore: RowStore, @unchecked Sendable {
    let name = ContestantName.grdb
    private let pool: DatabasePool
    private let dataset: Dataset

    private static let readSQL = "SELECT object FROM data WHERE collection = ? AND key = ?"
    private static let updateSQL = "UPDATE data SET object = ?, metadata = NULL WHERE collection = ? AND key = ?"

    /// - Parameter path: A file that the C loop has loaded.
    init(path: String, dataset: Dataset) throws {
      self.dataset = dataset
      var configuration = Configuration()
      // Writers wait for a reader that holds the write lock for a moment: it has found a half-written WAL-index header.
      configuration.busyMode = .timeout(10)
      pool = try DatabasePool(path: path, configuration: configuration)
      // Not in `prepareDatabase`: when the pool then enters WAL mode, it sets its connection for writes to NORMAL.
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = OFF") }
    }

    func close() throws { try pool.close() }

    func readNothing(_ count: Int) throws {
      for _ in 0..<count { try pool.read { _ in } }
    }

    func readTogether(_ rows: [UInt32]) throws -> UInt64 {
      try pool.read { database in
        var sum: UInt64 = 0
        for row in rows { sum &+= try self.stamp(of: row, in: database) }
        return sum
      }
    }

    func readEach(_ rows: [UInt32]) throws -> UInt64 {
      var sum: UInt64 = 0
      for row in rows { sum &+= try pool.read { try self.stamp(of: row, in: $0) } }
      return sum
    }

    func update(_ rows: [UInt32], rowsEach: Int, fresh: Int) throws {
      for start in stride(from: 0, to: rows.count, by: rowsEach) {
        try pool.write { database in
          let statement = try database.cachedStatement(sql: Self.updateSQL)
          for index in start..<start + rowsEach {
            let value = Data(dataset.fresh[(fresh + index) % dataset.fresh.count])
            let key = dataset.keys[Int(rows[index])]
            try statement.execute(arguments: [value, Dataset.collection, key])
          }
        }
      }
    }

    private func stamp(of row: UInt32, in database: Database) throws -> UInt64 {
      let statement = try database.cachedStatement(sql: Self.readSQL)
      let found = try Data.fetchOne(statement, arguments: [Dataset.collection, dataset.keys[Int(row)]])
      guard let found, found.count >= 8 else { return .max }
      return found.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }
  }
#endif
