#if GRDB
  internal import Foundation
  internal import GRDB
  internal import ThreadingPrimitives

  /// A transaction on one of GRDB's connections, within its block. GRDB itself rejects writes in a read.
  final class GRDBTransaction: PlainTransaction {
    let snapshot: UInt64
    /// Whether the transaction has changed a row, so that it has to be committed.
    private(set) var hasChanged = false
    /// The time in SQLite's steps with GRDB's binding of arguments; 0 in a read.
    private(set) var statementNanoseconds: UInt64 = 0
    private let isWriting: Bool
    private let connection: Database
    private let collections: DriverCollections<[String]>

    init(snapshot: UInt64, isWriting: Bool, _ connection: Database, _ collections: DriverCollections<[String]>) {
      self.snapshot = snapshot
      self.isWriting = isWriting
      self.connection = connection
      self.collections = collections
    }

    // MARK: Reading

    func object(_ key: String, in collection: String) throws -> [UInt8]? {
      let rows = try collections.named(collection)
      return try first(.object, of: rows, [key]) { try Self.object($0, at: 0, of: rows) }
    }

    func metadata(_ key: String, in collection: String) throws -> [UInt8]? {
      try first(.metadata, of: collections.named(collection), [key]) { try Self.bytes($0, at: 0) } ?? nil
    }

    func row(_ key: String, in collection: String) throws -> (object: [UInt8], metadata: [UInt8]?)? {
      let rows = try collections.named(collection)
      return try first(.row, of: rows, [key]) { row in
        (try Self.object(row, at: 0, of: rows), try Self.bytes(row, at: 1))
      }
    }

    func exists(_ key: String, in collection: String) throws -> Bool {
      try first(.exists, of: collections.named(collection), [key]) { _ in true } ?? false
    }

    func scan(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws {
      guard let first = keys.first, let last = keys.last else { return }
      let rows = try collections.named(collection)
      let cursor = try cursor(.scan, of: rows, [first, last])
      var merge = ScanMerge(keys)
      while let row = try next(cursor) { try merge.take(row[0], object: Self.object(row, at: 1, of: rows), visit) }
      merge.end(visit)
    }

    func enumerate(_ collection: String, _ visit: (String, [UInt8]) -> Void) throws {
      let rows = try collections.named(collection)
      let cursor = try cursor(.enumerate, of: rows)
      while let row = try next(cursor) { visit(row[0], try Self.object(row, at: 1, of: rows)) }
    }

    func enumerateRows(_ collection: String, _ visit: (String, [UInt8], [UInt8]?) -> Void) throws {
      let rows = try collections.named(collection)
      let cursor = try cursor(.enumerateRows, of: rows)
      while let row = try next(cursor) {
        visit(row[0], try Self.object(row, at: 1, of: rows), try Self.bytes(row, at: 2))
      }
    }

    func count(in collection: String) throws -> Int {
      try first(.count, of: collections.named(collection)) { $0[0] } ?? 0
    }

    // MARK: Writing

    func set(_ object: [UInt8], metadata: [UInt8]?, _ key: String, in collection: String) throws {
      let rows = try collections.named(collection)
      try change(rows.handle[.set], [key, Data(try rows.stored(object)), metadata.map { Data($0) }])
    }

    func setMetadata(_ metadata: [UInt8], _ key: String, in collection: String) throws {
      try change(collections.named(collection).handle[.setMetadata], [key, nil, Data(metadata)])
    }

    func replace(_ object: [UInt8], _ key: String, in collection: String) throws {
      let rows = try collections.named(collection)
      try change(rows.handle[.replace], [key, Data(try rows.stored(object))])
    }

    func remove(_ key: String, in collection: String) throws {
      try change(collections.named(collection).handle[.remove], [key])
    }

    func removeAll(in collection: String) throws { try change(collections.named(collection).handle[.removeAll]) }

    /// Counts the transaction's commit. Must be called last, and only if the transaction has changed a row.
    func incrementCommit() throws { try change(SQLiteTables.incrementCommit) }

    private func change(_ sql: String, _ arguments: StatementArguments = []) throws {
      let statement = try connection.cachedStatement(sql: sql)
      try timed { try statement.execute(arguments: arguments) }
      if connection.changesCount > 0 { hasChanged = true }
    }

    // MARK: Statements

    /// Returns the rows of a cached statement. A row is valid only as long as the cursor, whose release resets the
    /// statement.
    private func cursor(
      _ statement: SQLiteRowStatement,
      of rows: DriverCollection<[String]>,
      _ arguments: StatementArguments = []
    ) throws -> RowCursor {
      try Row.fetchCursor(connection.cachedStatement(sql: rows.handle[statement]), arguments: arguments)
    }

    private func next(_ cursor: RowCursor) throws -> Row? { try timed { try cursor.next() } }

    /// Returns the result of `take` for the first row; nil if there is no row.
    private func first<Result>(
      _ statement: SQLiteRowStatement,
      of rows: DriverCollection<[String]>,
      _ arguments: StatementArguments = [],
      take: (Row) throws -> Result
    ) throws -> Result? {
      let cursor = try cursor(statement, of: rows, arguments)
      return try withExtendedLifetime(cursor) { try next(cursor).map(take) }
    }

    private static func object(_ row: Row, at column: Int, of rows: DriverCollection<[String]>) throws -> [UInt8] {
      try row.withUnsafeData(atIndex: column) { data in
        try (data ?? Data()).withUnsafeBytes { try rows.payload($0) }
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

  extension [String] {
    /// The SQL of a statement in a list of all of them.
    fileprivate subscript(statement: SQLiteRowStatement) -> String { self[statement.rawValue] }
  }

  extension Database {
    /// Returns the number of the newest commit that the connection sees.
    func newestCommit() throws -> UInt64 {
      let number = try Int64.fetchOne(cachedStatement(sql: SQLiteTables.selectCommit))
      guard let number else { throw DriverError("the table \"commits\" is empty; expected one row") }
      return UInt64(bitPattern: number)
    }
  }
#endif
