internal import SQLiteBinding
internal import ThreadingPrimitives

/// An opened database file, and the data that was read from it at open.
struct OpenedFile {
  let handle: EngineHandle
  let damage: Damage
  let lockWaits = LockWaits()
  let snapshot: UInt64
  let pageSize: Int
  let collections: [(number: Int64, name: String)]
  /// The names of the extensions stored by earlier runs.
  let extensions: [String]
  /// The cost of reading an earlier run's WAL; nil if there was none.
  let recovery: YapDatabaseRecovery?

  /// Opens the file. If it is damaged and the options allow it, opens an empty database in its place.
  static func open(
    _ path: String,
    options: YapDatabaseOptions
  ) throws -> (file: OpenedFile, replaced: YapDatabaseReplacedFile?) {
    let cause: YapDatabaseError
    do {
      return (try OpenedFile(path, options: options), nil)
    } catch let error as YapDatabaseError where CorruptFile.isCause(error) {
      cause = error
    }
    // The handle of the damaged file is closed by now.
    let replaced = try CorruptFile.remove(path, action: options.corruptAction, cause: cause)
    return (try OpenedFile(path, options: options), replaced)
  }

  private init(_ path: String, options: YapDatabaseOptions) throws {
    let walBytes = WALFile.size(databasePath: path)
    let began = MonotonicClock.now
    damage = Damage(path: path)
    handle = try EngineHandle(
      path: path,
      options: options,
      isFirst: true,
      alone: walBytes > 0 ? FileWithoutWAL(path: path) : .unknown,
      damage: damage,
      lockWaits: lockWaits
    )
    do {
      snapshot = try handle.storedSnapshot()
      let nanoseconds = MonotonicClock.now - began
      pageSize = Int(try handle.sqlite.integer("PRAGMA page_size") ?? 4096)
      recovery = YapDatabaseRecovery(walBytes: walBytes, pageSize: pageSize, nanoseconds: nanoseconds)
      let statement = try handle.sqlite.prepare("SELECT number, name FROM collections")
      var collections: [(number: Int64, name: String)] = []
      while try statement.step() { collections.append((statement.integer(at: 0), statement.text(at: 1))) }
      self.collections = collections
      extensions = try ExtensionTable(handle: handle).rows().map(\.name)
      try handle.sqlite.setCheckpointOnClose(true)
    } catch let error as SQLiteError {
      throw YapDatabaseError(error)
    }
  }
}
