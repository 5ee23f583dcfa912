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
  static let all: [InjectedFault] = once + once.filter { $0.code != 5 }.map(\.sticky)

  private static let once = [
    InjectedFault(name: "read IOERR_READ", method: .read, code: 266),
    InjectedFault(name: "read SHORT_READ", method: .read, code: 522, kinds: [.wal, .journal]),
    InjectedFault(name: "write IOERR_WRITE", method: .write, code: 778),
    InjectedFault(name: "write FULL", method: .write, code: 13),
    InjectedFault(name: "write FULL after half", method: .write, code: 13, writesHalf: true),
    InjectedFault(name: "sync IOERR_FSYNC", method: .sync, code: 1_034),
    InjectedFault(name: "truncate IOERR_TRUNCATE", method: .truncate, code: 1_546),
    InjectedFault(name: "fileSize IOERR_FSTAT", method: .fileSize, code: 1_802),
    InjectedFault(name: "open CANTOPEN", method: .open, code: 14),
    InjectedFault(name: "open IOERR_NOMEM", method: .open, code: 3_082),
    InjectedFault(name: "delete IOERR_DELETE", method: .delete, code: 2_570),
    InjectedFault(name: "shmMap IOERR_SHMMAP", method: .shmMap, code: 5_386),
    InjectedFault(name: "shmMap IOERR_SHMSIZE", method: .shmMap, code: 4_874),
    InjectedFault(name: "shmMap IOERR_NOMEM", method: .shmMap, code: 3_082),
    InjectedFault(name: "shmLock BUSY", method: .shmLock, code: 5),
    InjectedFault(name: "shmLock IOERR_SHMLOCK", method: .shmLock, code: 5_130),
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
    FileFault(method, code: code, call: call, kinds: kinds, isSticky: isSticky, writesHalf: writesHalf)
  }
}
