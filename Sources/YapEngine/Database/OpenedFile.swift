internal import SQLiteBinding
internal import ThreadingPrimitives

/// An opened database file, and the data that was read from it at open.
struct OpenedFile {
  let owned: OwnedFile
  let handle: EngineHandle
  let damage: Damage
  let lockWaits: LockWaits
  let snapshot: UInt64
  let pageSize: Int
  let collections: [(number: Int64, name: String)]
  /// The names of the extensions stored by earlier runs.
  let extensions: [String]
  /// The WAL that an earlier run left, and the time taken to read it; nil if no frame was left.
  let recovery: YapDatabaseRecovery?
  /// nil unless the file is only read.
  private(set) var readOnlyFile: ReadOnlyFile?

  /// Opens the file, which becomes owned by this process. If it is damaged and the options allow it, opens an empty
  /// database in its place.
  static func open(
    _ path: String,
    options: YapDatabaseOptions
  ) throws -> (file: OpenedFile, replaced: YapDatabaseReplacedFile?) {
    let path = try DatabasePath.resolve(path)
    if options.isReadOnly { return (try read(path, options: options), nil) }
    let owned = try OwnedFile.acquire(path, options: options)
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
    try self.init(owned) { walBytes, damage, lockWaits in
      try EngineHandle(
        file: owned,
        options: options,
        isFirst: true,
        alone: walBytes > 0 ? FileWithoutWAL(path: owned.path) : .unknown,
        damage: damage,
        lockWaits: lockWaits
      )
    }
    try owned.openWAL()
    try owned.checkIsAtPath()
    do { try handle.sqlite.setCheckpointOnClose(true) } catch { throw YapDatabaseError(error) }
  }

  /// Opens a file that is only read. Tries again, at most for the busy timeout, if that fails while another process
  /// opens or closes the file, because that process then creates or deletes the files beside it.
  private static func read(_ path: String, options: YapDatabaseOptions) throws -> OpenedFile {
    let owned = try OwnedFile.claimForReading(path)
    let deadline = options.busyDeadline
    while true {
      let file = ReadOnlyFile(path)
      var isWhole = false
      do {
        try file.check()
        isWhole = true
        return try OpenedFile(owned, reading: file, options: options)
      } catch {
        let mayPass = file.hasChanged || (!isWhole || Self.mayPass(error)) && owned.isOpenElsewhere
        guard mayPass, MonotonicClock.now < deadline else { throw error }
      }
      MonotonicClock.sleep(until: min(MonotonicClock.now + ReadOnlyFile.pollNanoseconds, deadline))
    }
  }

  /// Whether an error of SQLite may come from files that another process is creating or deleting.
  private static func mayPass(_ error: any Error) -> Bool {
    let code = (error as? YapDatabaseError)?.sqliteCode.map(SQLiteCode.primary) ?? SQLiteCode.error
    return [SQLiteCode.readOnly, SQLiteCode.cannotOpen, SQLiteCode.busy].contains(code)
  }

  private init(_ owned: OwnedFile, reading file: ReadOnlyFile, options: YapDatabaseOptions) throws {
    try self.init(owned) { _, damage, lockWaits in
      let alone = file.parts == .fileAndWAL ? FileWithoutWAL(path: owned.path) : .unknown
      return try EngineHandle(reading: file, options: options, alone: alone, damage: damage, lockWaits: lockWaits)
    }
    readOnlyFile = file
    if file.parts == .fileAndWAL { try owned.openWAL() }
    try owned.checkIsAtPath()
  }

  /// Opens the first handle by `open`, and reads the data that is needed at open.
  private init(
    _ owned: OwnedFile,
    open: (_ walBytes: Int, Damage, LockWaits) throws -> EngineHandle
  ) throws {
    self.owned = owned
    let walBytes = WALFile.size(databasePath: owned.path)
    let began = MonotonicClock.now
    damage = Damage(path: owned.path)
    lockWaits = LockWaits()
    handle = try open(walBytes, damage, lockWaits)
    do {
      snapshot = try handle.storedSnapshot()
      let nanoseconds = MonotonicClock.now - began
      pageSize = Int(try handle.sqlite.integer("PRAGMA page_size") ?? 4096)
      recovery = YapDatabaseRecovery(walBytes: walBytes, pageSize: pageSize, nanoseconds: nanoseconds)
      collections = try handle.collections(path: owned.path)
      extensions = try ExtensionTable(handle: handle).rows().map(\.name)
    } catch let error as SQLiteError {
      throw YapDatabaseError(error)
    }
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
