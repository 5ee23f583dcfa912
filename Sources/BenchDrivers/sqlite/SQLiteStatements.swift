internal import SQLiteBinding

/// The statements on a collection's table that one handle has compiled. Not thread-safe.
final class SQLiteStatements {
  private let collection: String
  private let sqlite: SQLiteHandle
  /// The statements that have been used, by `SQLiteRowStatement.rawValue`.
  // A pointer, because access to a class's property would be checked for exclusivity at each call.
  private let compiled: UnsafeMutablePointer<SQLiteStatement?>

  init(of collection: String, on sqlite: SQLiteHandle) {
    self.collection = collection
    self.sqlite = sqlite
    compiled = .allocate(capacity: SQLiteRowStatement.allCases.count)
    compiled.initialize(repeating: nil, count: SQLiteRowStatement.allCases.count)
  }

  deinit {
    compiled.deinitialize(count: SQLiteRowStatement.allCases.count)
    compiled.deallocate()
  }

  /// Returns a statement, compiled at its first use. The caller must reset it.
  subscript(kind: SQLiteRowStatement) -> SQLiteStatement {
    get throws {
      if let known = compiled[kind.rawValue] { return known }
      let new = try sqlite.prepare(kind.sql(for: collection))
      compiled[kind.rawValue] = new
      return new
    }
  }
}
