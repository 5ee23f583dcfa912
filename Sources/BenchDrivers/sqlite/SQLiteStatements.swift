internal import SQLiteBinding

/// A collection's table as one handle uses it: the compiled statements, and the stored form of objects. Not
/// thread-safe.
final class SQLiteCollection {
  let name: String
  private let objects: StoredObjects
  private let hasDocuments: Bool
  private let sqlite: SQLiteHandle
  /// The statements that have been used, by `SQLiteRowStatement.rawValue`.
  // A pointer, because access to a class's property would be checked for exclusivity at each call.
  private let statements: UnsafeMutablePointer<SQLiteStatement?>

  init(_ name: String, _ objects: StoredObjects, on sqlite: SQLiteHandle) {
    self.name = name
    self.objects = objects
    hasDocuments = objects.areDocuments(in: name)
    self.sqlite = sqlite
    statements = .allocate(capacity: SQLiteRowStatement.allCases.count)
    statements.initialize(repeating: nil, count: SQLiteRowStatement.allCases.count)
  }

  deinit {
    statements.deinitialize(count: SQLiteRowStatement.allCases.count)
    statements.deallocate()
  }

  /// Returns a statement, compiled at its first use. The caller must reset it.
  func statement(_ kind: SQLiteRowStatement) throws -> SQLiteStatement {
    if let compiled = statements[kind.rawValue] { return compiled }
    let compiled = try sqlite.prepare(kind.sql(for: name))
    statements[kind.rawValue] = compiled
    return compiled
  }

  func stored(_ payload: [UInt8]) throws -> [UInt8] {
    hasDocuments ? try objects.stored(payload, of: name) : payload
  }

  func payload(_ stored: UnsafeRawBufferPointer) throws -> [UInt8] {
    hasDocuments ? try objects.payload(stored, of: name) : [UInt8](stored)
  }
}
