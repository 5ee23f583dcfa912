internal import SQLiteBinding
internal import ThreadingPrimitives

/// An opened database file, and the data that was read from it at open.
struct OpenedFile {
  let owned: OwnedFile
  let handle: EngineHandle
  let damage: Damage
  let lockWaits = LockWaits()
  let snapshot: UInt64
  let pageSize: Int
  let codableFormat: YapDatabaseCodableFormat
  let collections: [(number: Int64, name: String)]
  /// The names of the extensions stored by earlier runs.
  let extensions: [String]
  /// The WAL that an earlier run left, and the time taken to read it; nil if no frame was left.
  let recovery: YapDatabaseRecovery?

  /// Opens the file, which becomes owned by this process. If it is damaged and the options allow it, opens an empty
  /// database in its place.
  static func open(
    _ path: String,
    options: YapDatabaseOptions
  ) throws -> (file: OpenedFile, replaced: YapDatabaseReplacedFile?) {
    let owned = try OwnedFile.acquire(try DatabasePath.resolve(path), options: options)
    let cause: YapDatabaseError
    do {
      return (try OpenedFile(owned, options: options), nil)
    } catch let error as YapDatabaseError where CorruptFile.isCause(error) {
      cause = error
    } catch {
      owned.abandon()
      throw error
    }
    // The handle of the damaged file is closed by now.
    let replaced = try CorruptFile.remove(owned.path, action: options.corruptAction, cause: cause)
    let new = try OwnedFile.acquire(owned.path, options: options)
    // The lock on the damaged file is held until the new file is locked.
    owned.release()
    return (try OpenedFile(new, options: options), replaced)
  }

  private init(_ owned: OwnedFile, options: YapDatabaseOptions) throws {
    self.owned = owned
    let path = owned.path
    let walBytes = WALFile.size(databasePath: path)
    let began = MonotonicClock.now
    damage = Damage(path: path, omissions: options.testHooks.omissions.damage)
    handle = try EngineHandle(
      file: owned,
      options: options,
      isFirst: true,
      alone: walBytes > 0 ? FileWithoutWAL(path: path) : .unknown,
      damage: damage,
      lockWaits: lockWaits
    )
    do {
      snapshot = try handle.storedSnapshot()
      try owned.openWAL()
      try owned.checkIsAtPath()
      let nanoseconds = MonotonicClock.now - began
      pageSize = Int(try handle.sqlite.integer("PRAGMA page_size") ?? 4096)
      recovery = YapDatabaseRecovery(walBytes: walBytes, pageSize: pageSize, nanoseconds: nanoseconds)
      codableFormat = try Self.codableFormat(handle.sqlite, path: path)
      let statement = try handle.sqlite.prepare("SELECT number, name FROM collections")
      var collections: [(number: Int64, name: String)] = []
      while try statement.step() {
        let (number, name) = (statement.integer(at: 0), statement.text(at: 1))
        // Larger numbers are not reached by counting, and the next one would overflow.
        guard number >> 62 == 0 else {
          let found = "the collection \"\(name)\" has the number \(number)"
          throw YapDatabaseError(.corrupt, "\(path): \(found); restore the file from a backup")
        }
        collections.append((number, name))
      }
      self.collections = collections
      extensions = try ExtensionTable(handle: handle).rows().map(\.name)
      try handle.sqlite.setCheckpointOnClose(true)
    } catch let error as SQLiteError {
      throw YapDatabaseError(error)
    }
  }

  private static func codableFormat(_ handle: SQLiteHandle, path: String) throws -> YapDatabaseCodableFormat {
    let number = try handle.integer("SELECT number FROM snapshot WHERE id = 3")
    guard let number, let found = CodableFormatNumber(rawValue: number) else {
      let problem = "the format of Codable values is \(number.map(String.init) ?? "missing"), expected 0 or 1"
      throw YapDatabaseError(.corrupt, "\(path): \(problem); restore the file from a backup")
    }
    return found.format
  }
}

/// The WAL of an earlier run that was found at open, for instance after a crash, and the time taken to read it.
///
/// SQLite reads such a WAL from beginning to end before anything else can be read. Its frames are copied to the
/// database file later, beside transactions. A WAL above `aggressiveCheckpointAt` is then reset, and its file truncated
/// if it is longer than `journalSizeLimit`.
public struct YapDatabaseRecovery: Sendable, Equatable {
  /// The size of the WAL file at open, in bytes.
  public let walBytes: Int
  /// The number of frames that fit into the file, including frames of transactions that were not committed.
  public let frames: Int
  /// The time from the opening of the file until the newest commit's number was read.
  public let nanoseconds: UInt64

  /// nil if the WAL has no frame.
  init?(walBytes: Int, pageSize: Int, nanoseconds: UInt64) {
    frames = WALFile.frames(inBytes: walBytes, pageSize: pageSize)
    guard frames > 0 else { return nil }
    self.walBytes = walBytes
    self.nanoseconds = nanoseconds
  }
}
