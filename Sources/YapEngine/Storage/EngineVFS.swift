internal import CYapVFS
internal import SQLiteBinding

/// The engine's own SQLite VFS.
enum EngineVFS {
  /// Returns the VFS for a handle; nil for SQLite's default one.
  static func name(_ options: YapDatabaseOptions) throws(SQLiteError) -> String? {
    guard options.usesEngineVFS else { return nil }
    let code = cyapvfs_register()
    guard code == 0 else {
      throw SQLiteError(code: code, message: "the VFS cannot be registered", operation: "open a database")
    }
    return CYAPVFS_NAME
  }
}
