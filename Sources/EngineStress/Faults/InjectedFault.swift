internal import SQLiteBinding

/// A way in which calls of the VFS fail. Only codes that SQLite permits a method to return are used.
struct InjectedFault: Sendable {
  let name: String
  let method: FileFault.Method
  let code: Int32
  var kinds = Set(FileKind.allCases)
  var isSticky = false
  var writesHalf = false

  /// SQLite takes a short read of the database file for zeros behind its end, so only the other files have short reads.
  /// A lock that stays busy costs 10 s for each attempt, so it is busy once.
  static let all: [InjectedFault] = once + once.filter { $0.code != SQLiteCode.busy }.map(\.sticky)

  private static let once = [
    InjectedFault(name: "read IOERR_READ", method: .read, code: SQLiteCode.ioRead),
    InjectedFault(name: "read SHORT_READ", method: .read, code: SQLiteCode.ioShortRead, kinds: [.wal, .journal]),
    InjectedFault(name: "write IOERR_WRITE", method: .write, code: SQLiteCode.ioWrite),
    InjectedFault(name: "write FULL", method: .write, code: SQLiteCode.full),
    InjectedFault(name: "write FULL after half", method: .write, code: SQLiteCode.full, writesHalf: true),
    InjectedFault(name: "sync IOERR_FSYNC", method: .sync, code: SQLiteCode.ioSync),
    InjectedFault(name: "truncate IOERR_TRUNCATE", method: .truncate, code: SQLiteCode.ioTruncate),
    InjectedFault(name: "fileSize IOERR_FSTAT", method: .fileSize, code: SQLiteCode.ioFileSize),
    InjectedFault(name: "open CANTOPEN", method: .open, code: SQLiteCode.cannotOpen),
    InjectedFault(name: "open IOERR_NOMEM", method: .open, code: SQLiteCode.ioNoMemory),
    InjectedFault(name: "delete IOERR_DELETE", method: .delete, code: SQLiteCode.ioDelete),
    InjectedFault(name: "shmMap IOERR_SHMMAP", method: .shmMap, code: SQLiteCode.ioIndexMap),
    InjectedFault(name: "shmMap IOERR_SHMSIZE", method: .shmMap, code: SQLiteCode.ioIndexSize),
    InjectedFault(name: "shmMap IOERR_NOMEM", method: .shmMap, code: SQLiteCode.ioNoMemory),
    InjectedFault(name: "shmLock BUSY", method: .shmLock, code: SQLiteCode.busy),
    InjectedFault(name: "shmLock IOERR_SHMLOCK", method: .shmLock, code: SQLiteCode.ioIndexLock),
  ]

  private var sticky: InjectedFault {
    var fault = self
    fault.isSticky = true
    return fault
  }

  /// The name of the count of failed calls.
  var countName: String { "failed calls: \(name)" }

  /// The fault of the call with this number.
  func ofCall(_ call: UInt64) -> FileFault {
    FileFault(method: method, code: code, call: call, kinds: kinds, isSticky: isSticky, writesHalf: writesHalf)
  }
}
