internal import Foundation

/// Access to rows by row and section in mappings: as by the `IndexPath` of section and row.
extension YapDatabaseViewTransaction {
  public func object(
    atRow row: Int,
    inSection section: Int,
    withMappings mappings: YapDatabaseViewMappings
  ) throws -> Any? {
    try object(atIndexPath: IndexPath(indexes: [section, row]), withMappings: mappings)
  }

  public func object<Value: Sendable>(
    _ type: Value.Type,
    atRow row: Int,
    inSection section: Int,
    withMappings mappings: YapDatabaseViewMappings
  ) throws -> Value? {
    try object(type, atIndexPath: IndexPath(indexes: [section, row]), withMappings: mappings)
  }

  public func metadata(
    atRow row: Int,
    inSection section: Int,
    withMappings mappings: YapDatabaseViewMappings
  ) throws -> Any? {
    try metadata(atIndexPath: IndexPath(indexes: [section, row]), withMappings: mappings)
  }

  public func metadata<Value: Sendable>(
    _ type: Value.Type,
    atRow row: Int,
    inSection section: Int,
    withMappings mappings: YapDatabaseViewMappings
  ) throws -> Value? {
    try metadata(type, atIndexPath: IndexPath(indexes: [section, row]), withMappings: mappings)
  }

  public func collectionKey(
    forRow row: Int,
    inSection section: Int,
    withMappings mappings: YapDatabaseViewMappings
  ) throws -> (collection: String, key: String)? {
    try collectionKey(atIndexPath: IndexPath(indexes: [section, row]), withMappings: mappings)
  }

  /// Returns the section and the row at which a row of the database is shown; nil if it is not shown.
  public func rowAndSection(
    forKey key: String,
    inCollection collection: String = "",
    withMappings mappings: YapDatabaseViewMappings
  ) throws -> (row: Int, section: Int)? {
    try indexPath(forKey: key, inCollection: collection, withMappings: mappings).map { ($0[1], $0[0]) }
  }
}
