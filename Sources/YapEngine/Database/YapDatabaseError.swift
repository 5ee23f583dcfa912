internal import Glibc
internal import SQLiteBinding
internal import ThreadingPrimitives

/// An error of the engine, with its kind, and with a message that contains the cause and a remedy.
///
/// Every call that can access the disk or a codec may throw it. Misuse by a caller throws it too, in every build. An
/// error that the caller's own block throws is passed on unchanged.
public struct YapDatabaseError: Error, Sendable, CustomStringConvertible {
  /// The kind of an error. The set is open: later versions may add codes.
  public struct Code: Hashable, Sendable {
    let name: String

    private init(_ name: String) { self.name = name }

    /// A transaction, checkpoint or close was begun inside a transaction for which it would have to wait.
    public static let nestedTransaction = Code("nestedTransaction")
    /// Transactions on several threads would have waited for each other forever; this call was chosen as the victim.
    public static let deadlock = Code("deadlock")
    /// A transaction object was used after its block, or on another thread.
    public static let transactionEnded = Code("transactionEnded")
    /// The system did not start a thread that the call needs.
    public static let noThread = Code("noThread")
    /// The database has been closed, or is closing.
    public static let closed = Code("closed")
    /// The file is already open, in this process or in another.
    public static let alreadyOpen = Code("alreadyOpen")
    /// The database file or its WAL was renamed, deleted or replaced while the database was open. Open connections
    /// continue with the original files, and new connections are refused.
    public static let fileMoved = Code("fileMoved")
    /// The connection's `permittedTransactions` exclude this kind of transaction, or the calling thread.
    public static let notPermitted = Code("notPermitted")
    /// The call would change a database that was opened with `YapDatabaseOptions.isReadOnly`.
    public static let readOnly = Code("readOnly")
    /// The call, or the task that awaited it, was cancelled.
    public static let cancelled = Code("cancelled")
    /// A read-write transaction would have ended the connection's long-lived read transaction.
    public static let longLivedReadInTheWay = Code("longLivedReadInTheWay")
    /// SQLite ended the transaction or bookmark after an error, or another program has written to the file.
    public static let snapshotLost = Code("snapshotLost")
    /// A codec could not encode or decode a value.
    public static let codec = Code("codec")
    /// A value has another type than the caller requested.
    public static let typeMismatch = Code("typeMismatch")
    /// An object or metadata was mutated after it had been stored and before the commit.
    public static let mutatedAfterSet = Code("mutatedAfterSet")
    /// The database was changed by the block of an enumeration, which did not end the enumeration.
    public static let mutatedDuringEnumeration = Code("mutatedDuringEnumeration")
    /// A lock was held outside the engine for longer than the busy timeout.
    public static let busy = Code("busy")
    /// A wait took longer than the caller allowed.
    public static let timeout = Code("timeout")
    /// The disk is full.
    public static let full = Code("full")
    /// The file is not a database, or is damaged.
    public static let corrupt = Code("corrupt")
    /// The file belongs to another program or to a later version of the engine, or does not support WAL mode.
    public static let incompatible = Code("incompatible")
    /// The WAL beside the file belongs to another database.
    public static let foreignWAL = Code("foreignWAL")
    /// An extension is already registered under that name.
    public static let alreadyRegistered = Code("alreadyRegistered")
    /// No extension is registered under that name.
    public static let notRegistered = Code("notRegistered")
    /// A closure of a view tried to change the database.
    public static let writeInView = Code("writeInView")
    /// Mappings do not fit the modifications, the view or the transaction with which they were used.
    public static let mismatchedMappings = Code("mismatchedMappings")
    /// An option or argument has a value that is not allowed.
    public static let invalidArgument = Code("invalidArgument")
    /// Any other failure of SQLite or of the file system.
    public static let storage = Code("storage")
  }

  public let code: Code
  /// The event, the affected file, connection or row, and usually a remedy.
  public let message: String
  /// SQLite's extended result code; nil if SQLite was not involved.
  public let sqliteCode: Int32?

  public init(_ code: Code, _ message: String, sqliteCode: Int32? = nil) {
    self.code = code
    self.message = message
    self.sqliteCode = sqliteCode
  }

  public var description: String { message }
}

extension YapDatabaseError {
  init(_ error: SQLiteError) {
    let (code, remedy): (Code, String) =
      switch error.primaryCode {
      case SQLiteCode.busy, SQLiteCode.locked:
        (.busy, "another program holds a lock on the file; wait for it, or raise the busy timeout")
      case SQLiteCode.readOnly:
        (.storage, "check the permissions; if its -shm file needs recovery, open the database once for writing")
      case SQLiteCode.full: (.full, "free some space and try again; the transaction was rolled back")
      case SQLiteCode.io where error.code == SQLiteCode.ioIndexSize:
        (.full, "free some space for the -shm file, and try again")
      case SQLiteCode.corrupt, SQLiteCode.notADatabase: (.corrupt, "restore the file from a backup")
      case SQLiteCode.io where error.code == SQLiteCode.ioWrite:
        (.storage, "check the disk, and the limit of file sizes (ulimit -f)")
      case SQLiteCode.cannotOpen:
        (.storage, Self.remedy(for: error.systemCode) ?? "check the file, its folder and their permissions")
      default: (.storage, Self.remedy(for: error.systemCode) ?? "see the SQLite code")
      }
    let cause = error.systemCode == 0 ? "" : ", \(String(cString: strerror(error.systemCode)))"
    self.init(
      code,
      "\(error.message) (SQLite \(error.code)\(cause)) in \"\(error.operation)\": \(remedy)",
      sqliteCode: error.code
    )
  }

  init(_ error: ThreadError) {
    self.init(
      .noThread,
      "\(error), and the database has no thread that is running: raise the limit of processes (ulimit -u, or the "
        + "container's limit of pids), or end other threads, and try again"
    )
  }

  static func cancelled(_ call: String, connection: String) -> YapDatabaseError {
    YapDatabaseError(
      .cancelled,
      "\(call) on connection \"\(connection)\" was cancelled with its task before it began; nothing was stored"
    )
  }

  static func deadlock(_ call: String, connection: String, _ deadlock: LaneDeadlock) -> YapDatabaseError {
    YapDatabaseError(
      .deadlock,
      "\(call) on connection \"\(connection)\" was refused to resolve a deadlock: \(deadlock). It had no effect. End "
        + "the enclosing transaction, and try again; use the asynchronous form inside transactions, or use connections "
        + "in the same order everywhere."
    )
  }

  static func nested(_ call: String, connection: String, inside holder: String) -> YapDatabaseError {
    YapDatabaseError(
      .nestedTransaction,
      "\(call) on connection \"\(connection)\" was called inside a transaction of \(holder) on the same thread, "
        + "for which it would wait forever. Use the current transaction, another connection, or the asynchronous form."
    )
  }
}
