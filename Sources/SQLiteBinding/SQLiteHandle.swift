internal import CSQLite

/// One `sqlite3*`. It is not thread-safe: its owner must ensure that only one thread at a time uses it.
public final class SQLiteHandle {
  // Exclusive access is not checked at run time, because every call of SQLite reads this property.
  @exclusivity(unchecked)
  private(set) var database: OpaquePointer?
  /// Frames in the WAL after this handle's last commit, as reported by `sqlite3_wal_hook`.
  private let walFrames: UnsafeMutablePointer<Int32>
  private let lockWaiting: UnsafeMutablePointer<LockWaiting>
  /// Whether the connection is closed with the handle.
  private let isOwner: Bool
  let clock = StatementClock()
  /// The header of the WAL-index, which stays mapped until the handle is closed; nil until it is first needed.
  var walIndex: UnsafePointer<UInt32>?

  /// Opens `path` for reading and writing.
  ///
  /// The handle has extended result codes, no automatic checkpoint, and no mutex of its own.
  /// - Parameters:
  ///   - createsFile: Whether to create the file if there is none.
  ///   - vfs: The name of a registered VFS; nil for the default one.
  public convenience init(path: String, createsFile: Bool = true, vfs: String? = nil) throws(SQLiteError) {
    try self.init(path, path: path, SQLITE_OPEN_READWRITE | (createsFile ? SQLITE_OPEN_CREATE : 0), vfs: vfs)
  }

  /// Opens the database file for reading without its WAL and journal, and without taking a lock.
  ///
  /// Closing the handle drops every POSIX lock that the process holds on the file, as closing any descriptor does.
  /// Therefore no other handle of the process may have the file open. https://sqlite.org/uri.html#uriimmutable
  public convenience init(fileAlone path: String) throws(SQLiteError) {
    try self.init("file:\(Self.escaped(path))?immutable=1", path: path, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
  }

  /// Opens the database for reading together with its WAL. Creates and changes no file: the -shm file must exist, and
  /// is only read. If no other process has the file open, SQLite builds an index of the WAL in memory instead.
  /// https://sqlite.org/walformat.html#the_read_only_wal_mode_database
  public convenience init(readingWithWAL path: String) throws(SQLiteError) {
    try self.init("file:\(Self.escaped(path))?readonly_shm=1", path: path, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
  }

  /// Escapes the bytes of a path that may be special in a URI. A path with two leading slashes gets an empty authority.
  private static func escaped(_ path: String) -> String {
    let absolute = path.utf8.starts(with: "//".utf8) ? "//" + path : path
    return absolute.utf8.reduce(into: "") { result, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        result += byte < 16 ? "%0" : "%"
        result += String(byte, radix: 16)
      }
    }
  }

  /// Uses a connection that another library has opened and closes. It has no automatic checkpoint from now on, and
  /// keeps its busy handler, so that `setBusyTimeout` and `onLockWait` have no effect.
  ///
  /// The connection must stay open until the handle is released, and must make no commit after that.
  public init(ofOtherLibrary connection: OpaquePointer) {
    walFrames = .allocate(capacity: 1)
    walFrames.initialize(to: 0)
    lockWaiting = .allocate(capacity: 1)
    lockWaiting.initialize(to: LockWaiting())
    isOwner = false
    database = connection
    countFrames()
  }

  private init(_ name: String, path: String, _ access: Int32, vfs: String? = nil) throws(SQLiteError) {
    walFrames = .allocate(capacity: 1)
    walFrames.initialize(to: 0)
    lockWaiting = .allocate(capacity: 1)
    lockWaiting.initialize(to: LockWaiting())
    isOwner = true
    let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
    let code = sqlite3_open_v2(name, &database, flags, vfs)
    guard code == SQLITE_OK else {
      let error = failure(code, "open \(path)")
      sqlite3_close_v2(database)
      database = nil
      throw error
    }
    sqlite3_extended_result_codes(database, 1)
    Self.handleLocks(of: database, with: lockWaiting)
    countFrames()
  }

  /// Stores the frames of each commit in `walFrames`. The hook replaces the automatic checkpoint.
  private func countFrames() {
    sqlite3_wal_hook(
      database,
      { frames, _, _, count in
        frames?.assumingMemoryBound(to: Int32.self).pointee = count
        return SQLITE_OK
      },
      walFrames
    )
  }

  deinit {
    // Statements that outlive the handle keep the connection open as a zombie until they are finalized.
    if isOwner { sqlite3_close_v2(database) }
    walFrames.deallocate()
    lockWaiting.deinitialize(count: 1)
    lockWaiting.deallocate()
  }

  /// The number of frames in the WAL after this handle's last commit; 0 before the first.
  public var walFramesAfterCommit: Int { Int(walFrames.pointee) }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed.
  public var changes: Int { Int(sqlite3_changes64(database)) }

  /// The number of rows that all INSERT, UPDATE and DELETE statements of the handle have changed.
  public var totalChanges: Int { Int(sqlite3_total_changes64(database)) }

  /// The rowid of the last inserted row; 0 after it was set to 0 and no row was inserted since.
  public var lastInsertedRowid: Int64 {
    get { sqlite3_last_insert_rowid(database) }
    set { sqlite3_set_last_insert_rowid(database, newValue) }
  }

  /// Whether a transaction is open.
  public var isInTransaction: Bool { sqlite3_get_autocommit(database) == 0 }

  /// Sets how long a statement waits for a lock before it fails with SQLITE_BUSY.
  public func setBusyTimeout(milliseconds: Int32) {
    lockWaiting.pointee.limitMilliseconds = milliseconds
  }

  /// Calls `body` before each sleep of a call that waits for a lock. One wait may consist of several sleeps.
  public func onLockWait(_ body: @escaping @Sendable () -> Void) {
    lockWaiting.pointee.onWait = body
  }

  /// Sets whether closing this handle as the last one of its file checkpoints and deletes the WAL. Initially true.
  public func setCheckpointOnClose(_ isOn: Bool) throws(SQLiteError) {
    let code = csqlite_set_checkpoint_on_close(database, isOn ? 1 : 0)
    guard code == SQLITE_OK else { throw failure(code, "set checkpoint on close") }
  }

  /// Releases as much memory of the handle as possible.
  public func releaseMemory() {
    sqlite3_db_release_memory(database)
  }

  /// Whether a statement has begun and has neither ended nor been reset.
  public var hasLiveStatements: Bool {
    var statement = sqlite3_next_stmt(database, nil)
    while let found = statement {
      if sqlite3_stmt_busy(found) != 0 { return true }
      statement = sqlite3_next_stmt(database, found)
    }
    return false
  }

  /// Compiles one statement.
  public func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw failure(code, sql) }
    return SQLiteStatement(statement, sql: sql, clock)
  }

  /// Runs statements that are used once and whose rows are not needed.
  public func execute(_ sql: String) throws(SQLiteError) {
    let code = sqlite3_exec(database, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code, sql) }
  }

  /// Runs `sql` and returns the first column of the first row as text; nil if there is no row. For pragmas.
  public func text(_ sql: String) throws(SQLiteError) -> String? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.text(at: 0) : nil
  }

  /// Runs `sql` and returns the first column of the first row as an integer; nil if there is no row. For pragmas.
  public func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(at: 0) : nil
  }

  /// Closes the handle. Fails with SQLITE_BUSY if a statement or a backup of the handle still exists.
  public func close() throws(SQLiteError) {
    let code = sqlite3_close(database)
    guard code == SQLITE_OK else { throw failure(code, "close") }
    database = nil
    walIndex = nil
  }

  /// Copies frames of the WAL to the database file.
  /// - Throws: `SQLiteError` for every error except SQLITE_BUSY, which is part of the result.
  public func checkpoint(_ mode: SQLiteCheckpointMode) throws(SQLiteError) -> SQLiteCheckpointResult {
    var frames: Int32 = -1
    var copied: Int32 = -1
    let code = sqlite3_wal_checkpoint_v2(database, nil, mode.rawValue, &frames, &copied)
    guard code == SQLITE_OK || code & 0xff == SQLITE_BUSY else { throw failure(code, "checkpoint \(mode)") }
    return SQLiteCheckpointResult(
      isBusy: code != SQLITE_OK,
      framesInWAL: frames < 0 ? nil : Int(frames),
      framesCopied: copied < 0 ? nil : Int(copied)
    )
  }

  /// Syncs the database file, which need not contain all frames of the WAL.
  public func syncFile() throws(SQLiteError) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let found = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    let code = file.map { $0.pointee.pMethods.pointee.xSync($0, SQLITE_SYNC_NORMAL) } ?? found
    guard code == SQLITE_OK else { throw SQLiteError(code: code, operation: "sync of the database file") }
  }

  /// Whether the path with which the handle was opened leads to another file now, or to none.
  public var hasMoved: Bool {
    var answer: Int32 = 0
    let code = sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &answer)
    return code == SQLITE_OK && answer != 0
  }

  /// The bytes that the calling thread has written to the files of all databases since its start, and the syncs that it
  /// has made; nil unless the handle's VFS counts them.
  public var writesOfThread: SQLiteThreadWrites? {
    var writes = csqlite_thread_writes()
    guard csqlite_thread_writes(database, &writes) == SQLITE_OK else { return nil }
    return SQLiteThreadWrites(bytes: Int(writes.bytes), syncs: Int(writes.syncs))
  }

  /// Returns nil if the backup cannot begin; `lastError` then returns the reason.
  func beginBackup(of source: SQLiteHandle) -> OpaquePointer? {
    sqlite3_backup_init(database, "main", source.database, "main")
  }

  func lastError(_ operation: String) -> SQLiteError { failure(sqlite3_errcode(database), operation) }

  private func failure(_ code: Int32, _ operation: String) -> SQLiteError {
    SQLiteError(ofHandle: database, code: code, operation: operation)
  }
}

/// The treatment of connections that block a checkpoint: https://sqlite.org/c3ref/wal_checkpoint_v2.html
public enum SQLiteCheckpointMode: Int32, Sendable {
  /// Copies the frames that readers allow, without waiting.
  case passive = 0
  /// Waits for the writer and for readers of older snapshots, at most for the busy timeout, then copies everything.
  case full = 1
  /// Like full, then waits until the WAL can restart.
  case restart = 2
  /// Like restart, then truncates the WAL file to 0 bytes.
  case truncate = 3
}

/// The bytes that one thread has written to files, and the number of its syncs.
public struct SQLiteThreadWrites: Sendable, Equatable {
  public let bytes: Int
  public let syncs: Int

  public static func - (later: Self, earlier: Self) -> Self {
    Self(bytes: later.bytes - earlier.bytes, syncs: later.syncs - earlier.syncs)
  }
}

/// The result of a checkpoint.
public struct SQLiteCheckpointResult: Sendable, Equatable {
  /// Whether a connection blocked the checkpoint, so that less was done than the mode requires.
  public let isBusy: Bool
  /// Frames in the WAL, 0 after truncating it; nil if SQLite did not report them: if busy, or without WAL mode.
  public let framesInWAL: Int?
  /// Frames of the WAL that are in the database file, copied by this or an earlier checkpoint; 0 or nil likewise.
  public let framesCopied: Int?
}

/// The busy handler of a handle. If another connection holds a needed lock, it sleeps for 1 ms, later for up to 100 ms,
/// and lets SQLite try again, until the time limit. The delays are the same as in SQLite's own busy timeout, which
/// is not used because its sleeps cannot be counted.
struct LockWaiting {
  private static let delays: [Int32] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

  var limitMilliseconds: Int32 = 0
  var onWait: (@Sendable () -> Void)?
  private var waitedMilliseconds: Int32 = 0

  /// - Parameter earlier: The number of earlier calls for the same lock.
  /// - Returns: Whether to try again; false if the time limit is reached.
  mutating func wait(earlier: Int32) -> Bool {
    if earlier == 0 { waitedMilliseconds = 0 }
    let left = limitMilliseconds - waitedMilliseconds
    guard left > 0 else { return false }
    onWait?()
    waitedMilliseconds += sqlite3_sleep(min(Self.delays[min(Int(earlier), Self.delays.count - 1)], left))
    return true
  }
}

extension SQLiteHandle {
  /// Sets the busy handler. Must be called once, when the handle is opened. `waiting` must live as long as the handle.
  static func handleLocks(of database: OpaquePointer?, with waiting: UnsafeMutablePointer<LockWaiting>) {
    sqlite3_busy_handler(
      database,
      { waiting, earlier in
        waiting?.assumingMemoryBound(to: LockWaiting.self).pointee.wait(earlier: earlier) == true ? 1 : 0
      },
      waiting
    )
  }
}
