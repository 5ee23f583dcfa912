internal import SQLiteBinding

/// A collection's table as one handle uses it: the compiled statements, and the stored form of objects. Not
/// thread-safe.
final class SQLiteCollection {
  /// A statement for rows. Parameters: ?1 is a key, ?2 the object or a second key, ?3 the metadata.
  enum Statement: Int, CaseIterable {
    case object, metadata, row, exists, count, scan, enumerate, enumerateRows
    case set, setMetadata, replace, remove, removeAll

    fileprivate func sql(for table: String) -> String {
      switch self {
      case .object: "SELECT object FROM \(table) WHERE key = ?1"
      case .metadata: "SELECT metadata FROM \(table) WHERE key = ?1"
      case .row: "SELECT object, metadata FROM \(table) WHERE key = ?1"
      case .exists: "SELECT 1 FROM \(table) WHERE key = ?1"
      case .count: "SELECT count(*) FROM \(table)"
      case .scan: "SELECT key, object FROM \(table) WHERE key BETWEEN ?1 AND ?2 ORDER BY key"
      case .enumerate: "SELECT key, object FROM \(table)"
      case .enumerateRows: "SELECT key, object, metadata FROM \(table)"
      case .set:
        "INSERT INTO \(table) VALUES (?1, ?2, ?3) "
          + "ON CONFLICT(key) DO UPDATE SET object = excluded.object, metadata = excluded.metadata"
      case .setMetadata: "UPDATE \(table) SET metadata = ?3 WHERE key = ?1"
      case .replace: "UPDATE \(table) SET object = ?2 WHERE key = ?1"
      case .remove: "DELETE FROM \(table) WHERE key = ?1"
      // Without a WHERE clause SQLite clears the whole table at once, but still counts its rows.
      case .removeAll: "DELETE FROM \(table)"
      }
    }
  }

  let name: String
  private let objects: StoredObjects
  private let sqlite: SQLiteHandle
  /// The statements that have been used, by `Statement.rawValue`.
  // A pointer, because access to a class's property would be checked for exclusivity at each call.
  private let statements: UnsafeMutablePointer<SQLiteStatement?>

  init(_ name: String, _ objects: StoredObjects, on sqlite: SQLiteHandle) {
    self.name = name
    self.objects = objects
    self.sqlite = sqlite
    statements = .allocate(capacity: Statement.allCases.count)
    statements.initialize(repeating: nil, count: Statement.allCases.count)
  }

  deinit {
    statements.deinitialize(count: Statement.allCases.count)
    statements.deallocate()
  }

  /// Returns the statement that creates a collection's table if it does not exist.
  static func schema(of name: String) -> String {
    "CREATE TABLE IF NOT EXISTS \(table(name))"
      + "(key TEXT NOT NULL PRIMARY KEY, object BLOB NOT NULL, metadata BLOB);"
  }

  /// Returns the quoted name of a collection's table. Names of collections consist of letters, digits, `-` and `_`.
  private static func table(_ name: String) -> String { "\"collection_\(name)\"" }

  /// Returns a statement, compiled at its first use. The caller must reset it.
  func statement(_ kind: Statement) throws -> SQLiteStatement {
    if let compiled = statements[kind.rawValue] { return compiled }
    let compiled = try sqlite.prepare(kind.sql(for: Self.table(name)))
    statements[kind.rawValue] = compiled
    return compiled
  }

  func stored(_ payload: [UInt8]) throws -> [UInt8] { try objects.stored(payload, of: name) }

  func payload(_ stored: UnsafeRawBufferPointer) throws -> [UInt8] { try objects.payload(stored, of: name) }
}
