#if GRDB
  internal import BenchScenario
  internal import Foundation
  internal import GRDB
  internal import ThreadingPrimitives

  /// A transaction on one of GRDB's connections, within its block. GRDB itself rejects writes in a read.
  final class GRDBTransaction: DriverTransaction {
    let snapshot: UInt64
    /// Whether the transaction has changed a row, so that it has to be committed.
    private(set) var hasChanged = false
    /// The time in SQLite's steps with GRDB's binding of arguments; 0 in a read.
    private(set) var statementNanoseconds: UInt64 = 0
    private let isWriting: Bool
    private let connection: Database
    private let objects: StoredObjects

    init(snapshot: UInt64, isWriting: Bool, _ connection: Database, _ objects: StoredObjects) {
      self.snapshot = snapshot
      self.isWriting = isWriting
      self.connection = connection
      self.objects = objects
    }

    // MARK: Reading

    func object(_ key: String, in collection: String) throws -> [UInt8]? {
      try first(sql(.object, collection), [key]) { try object($0, at: 0, of: collection) }
    }

    func metadata(_ key: String, in collection: String) throws -> [UInt8]? {
      try first(sql(.metadata, collection), [key]) { try Self.bytes($0, at: 0) } ?? nil
    }

    func row(_ key: String, in collection: String) throws -> (object: [UInt8], metadata: [UInt8]?)? {
      try first(sql(.row, collection), [key]) { row in
        (try object(row, at: 0, of: collection), try Self.bytes(row, at: 1))
      }
    }

    func exists(_ key: String, in collection: String) throws -> Bool {
      try first(sql(.exists, collection), [key]) { _ in true } ?? false
    }

    func storedObject(_ key: String, in collection: String) throws -> [UInt8]? { try object(key, in: collection) }
    func storedMetadata(_ key: String, in collection: String) throws -> [UInt8]? { try metadata(key, in: collection) }
    /// Returns nil, because the driver returns objects only as bytes.
    func document(_ key: String, in collection: String) -> Document? { nil }

    func objects(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws {
      for (index, key) in keys.enumerated() { visit(index, try object(key, in: collection)) }
    }

    func scan(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws {
      guard let first = keys.first, let last = keys.last else { return }
      let rows = try rows(sql(.scan, collection), [first, last])
      try SQLiteTables.visit(
        keys,
        found: { try next(rows).map { ($0[0], try object($0, at: 1, of: collection)) } },
        visit
      )
    }

    func enumerate(_ collection: String, _ visit: (String, [UInt8]) -> Void) throws {
      let rows = try rows(sql(.enumerate, collection))
      while let row = try next(rows) { visit(row[0], try object(row, at: 1, of: collection)) }
    }

    func enumerateRows(_ collection: String, _ visit: (String, [UInt8], [UInt8]?) -> Void) throws {
      let rows = try rows(sql(.enumerateRows, collection))
      while let row = try next(rows) {
        visit(row[0], try object(row, at: 1, of: collection), try Self.bytes(row, at: 2))
      }
    }

    func viewRange(
      _ view: String,
      group: String,
      from index: Int,
      count: Int,
      _ body: (String, [UInt8]) -> Void
    ) throws {
      throw SQLiteDriverError("GRDB has no views whose rows are looked up by position")
    }

    func count(in collection: String) throws -> Int {
      try first(sql(.count, collection)) { $0[0] } ?? 0
    }

    // MARK: Writing

    func set(_ object: [UInt8], metadata: [UInt8]?, _ key: String, in collection: String) throws {
      let object = Data(try objects.stored(object, of: collection))
      try change(sql(.set, collection), [key, object, metadata.map { Data($0) }])
    }

    func setMetadata(_ metadata: [UInt8], _ key: String, in collection: String) throws {
      try change(sql(.setMetadata, collection), [key, nil, Data(metadata)])
    }

    func replace(_ object: [UInt8], _ key: String, in collection: String) throws {
      try change(sql(.replace, collection), [key, Data(try objects.stored(object, of: collection))])
    }

    func touch(_ key: String, in collection: String) throws {
      throw SQLiteDriverError("GRDB reports no changes of unchanged rows, so a touch has no effect")
    }

    func remove(_ key: String, in collection: String) throws { try change(sql(.remove, collection), [key]) }

    func removeAll(in collection: String) throws { try change(sql(.removeAll, collection)) }

    /// Counts the transaction's commit. Must be called last, and only if the transaction has changed a row.
    func incrementCommit() throws { try change(SQLiteTables.incrementCommit) }

    private func change(_ sql: String, _ arguments: StatementArguments = []) throws {
      let statement = try connection.cachedStatement(sql: sql)
      try timed { try statement.execute(arguments: arguments) }
      if connection.changesCount > 0 { hasChanged = true }
    }

    // MARK: Statements

    private func sql(_ statement: SQLiteRowStatement, _ collection: String) -> String { statement.sql(for: collection) }

    /// Returns the rows of a cached statement. A row is valid only as long as the cursor, whose release resets the
    /// statement.
    private func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> RowCursor {
      try Row.fetchCursor(connection.cachedStatement(sql: sql), arguments: arguments)
    }

    private func next(_ rows: RowCursor) throws -> Row? { try timed { try rows.next() } }

    /// Returns the result of `take` for the first row; nil if there is no row.
    private func first<Result>(
      _ sql: String,
      _ arguments: StatementArguments = [],
      take: (Row) throws -> Result
    ) throws -> Result? {
      let rows = try rows(sql, arguments)
      return try withExtendedLifetime(rows) { try next(rows).map(take) }
    }

    private func object(_ row: Row, at column: Int, of collection: String) throws -> [UInt8] {
      try row.withUnsafeData(atIndex: column) { data in
        try (data ?? Data()).withUnsafeBytes { try objects.payload($0, of: collection) }
      }
    }

    private static func bytes(_ row: Row, at column: Int) throws -> [UInt8]? {
      try row.withUnsafeData(atIndex: column) { data in data.map { [UInt8]($0) } }
    }

    private func timed<Result>(_ body: () throws -> Result) rethrows -> Result {
      guard isWriting else { return try body() }
      let began = MonotonicClock.now
      defer { statementNanoseconds += MonotonicClock.now - began }
      return try body()
    }
  }

  extension Database {
    /// Returns the number of the newest commit that the connection sees.
    func newestCommit() throws -> UInt64 {
      let number = try Int64.fetchOne(cachedStatement(sql: SQLiteTables.selectCommit))
      guard let number else { throw SQLiteDriverError("the table \"commits\" is empty; expected one row") }
      return UInt64(bitPattern: number)
    }
  }
#endif
