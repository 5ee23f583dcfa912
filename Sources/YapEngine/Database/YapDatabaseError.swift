internal import SQLiteBinding
internal import ThreadingPrimitives

/// What went wrong, to what, and what to do about it.
///
/// Every call that can reach the disk or a codec throws it, and so does every misuse that a caller can commit at run
/// time, in every build. An error that the caller's own block throws passes through as it is.
public struct YapDatabaseError: Error, Sendable, CustomStringConvertible {
  /// What kind of thing happened. Open: later versions may have more.
  public struct Code: Hashable, Sendable {
    let name: String

    private init(_ name: String) { self.name = name }

    /// A transaction was begun inside a transaction that it would have to wait for.
    public static let nestedTransaction = Code("nestedTransaction")
    /// Transactions on several threads would have waited for each other without end; this call was given up.
    public static let deadlock = Code("deadlock")
    /// A transaction object was used after its block, or on another thread.
    public static let transactionEnded = Code("transactionEnded")
    /// The database, or the connection, has been closed.
    public static let closed = Code("closed")
    /// The file is open already, in this process or in another.
    public static let alreadyOpen = Code("alreadyOpen")
    /// The connection's `permittedTransactions` do not have this one.
    public static let notPermitted = Code("notPermitted")
    /// The caller asked to stop.
    public static let cancelled = Code("cancelled")
    /// A read-write transaction would have ended the connection's long-lived read transaction.
    public static let longLivedReadInTheWay = Code("longLivedReadInTheWay")
    /// The connection lost the snapshot that it had bookmarked.
    public static let snapshotLost = Code("snapshotLost")
    /// A codec could not encode or decode a value.
    public static let codec = Code("codec")
    /// A value is of another type than the caller asked for.
    public static let typeMismatch = Code("typeMismatch")
    /// An object was mutated between being stored and the commit.
    public static let mutatedAfterSet = Code("mutatedAfterSet")
    /// The collection was changed while it was enumerated.
    public static let mutatedDuringEnumeration = Code("mutatedDuringEnumeration")
    /// Somebody outside the engine held a lock for longer than the busy timeout.
    public static let busy = Code("busy")
    /// Waiting took longer than the caller allowed.
    public static let timeout = Code("timeout")
    /// The disk is full.
    public static let full = Code("full")
    /// The file is not a database, or is damaged.
    public static let corrupt = Code("corrupt")
    /// The file belongs to another program, or to a later version of this one.
    public static let incompatible = Code("incompatible")
    /// The WAL beside the file belongs to another database.
    public static let foreignWAL = Code("foreignWAL")
    /// An extension is registered under that name already.
    public static let alreadyRegistered = Code("alreadyRegistered")
    /// No extension is registered under that name.
    public static let notRegistered = Code("notRegistered")
    /// A closure of a view has tried to change the database.
    public static let writeInView = Code("writeInView")
    /// Mappings and modifications are not of snapshots that follow each other.
    public static let mismatchedMappings = Code("mismatchedMappings")
    /// An option or an argument has a value that cannot be used.
    public static let invalidArgument = Code("invalidArgument")
    /// Any other failure that SQLite told.
    public static let storage = Code("storage")
  }

  public let code: Code
  /// What happened, to what, and what to do.
  public let message: String
  /// SQLite's extended result code, where SQLite was involved.
  public let sqliteCode: Int32?

  public init(_ code: Code, _ message: String, sqliteCode: Int32? = nil) {
    self.code = code
    self.message = message
    self.sqliteCode = sqliteCode
  }

  public var description: String { message }
}

extension YapDatabaseError {
  /// SQLITE_IOERR_WRITE; https://www.sqlite.org/rescode.html
  private static let failedWrite: Int32 = 778

  init(_ error: SQLiteError) {
    let (code, remedy): (Code, String) =
      switch error.primaryCode {
      case 5, 6: (.busy, "another program holds a lock on the file; wait for it, or raise the busy timeout")
      case 13: (.full, "free some space and try again; nothing of the transaction was kept")
      case 11, 26: (.corrupt, "restore the file from a backup")
      case 10 where error.code == Self.failedWrite:
        (.storage, "check the disk, and the limit of file sizes (ulimit -f)")
      default: (.storage, "see the SQLite code")
      }
    self.init(
      code,
      "\(error.message) (SQLite \(error.code)) in \"\(error.operation)\": \(remedy)",
      sqliteCode: error.code
    )
  }

  static func deadlock(_ call: String, connection: String, _ deadlock: LaneDeadlock) -> YapDatabaseError {
    YapDatabaseError(
      .deadlock,
      "\(call) on connection \"\(connection)\" was given up, because threads would have waited for each other without "
        + "end: \(deadlock). Nothing of it was done. Let the transaction around it end, and try again; use the "
        + "asynchronous form inside transactions, or take connections in the same order everywhere."
    )
  }

  static func nested(_ call: String, connection: String, inside holder: String) -> YapDatabaseError {
    YapDatabaseError(
      .nestedTransaction,
      "\(call) on connection \"\(connection)\" was called inside a transaction of \(holder) on the same thread, "
        + "which it would wait for without end. Use the transaction you are in, or another connection, "
        + "or the asynchronous form."
    )
  }
}
