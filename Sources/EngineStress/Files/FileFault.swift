internal import CFaultVFS

/// A failure of one call of a VFS method, or of all calls from one on.
public struct FileFault: Sendable {
  public enum Method: String, Sendable, CaseIterable {
    case read, write, truncate, sync, fileSize, lock, checkReservedLock, shmMap
    /// Only calls that acquire a lock count and fail.
    case shmLock
    case fetch, open, delete, access, fullPathname

    var code: cfaultvfs_method {
      switch self {
      case .read: CFAULTVFS_METHOD_READ
      case .write: CFAULTVFS_METHOD_WRITE
      case .truncate: CFAULTVFS_METHOD_TRUNCATE
      case .sync: CFAULTVFS_METHOD_SYNC
      case .fileSize: CFAULTVFS_METHOD_FILE_SIZE
      case .lock: CFAULTVFS_METHOD_LOCK
      case .checkReservedLock: CFAULTVFS_METHOD_CHECK_RESERVED_LOCK
      case .shmMap: CFAULTVFS_METHOD_SHM_MAP
      case .shmLock: CFAULTVFS_METHOD_SHM_LOCK
      case .fetch: CFAULTVFS_METHOD_FETCH
      case .open: CFAULTVFS_METHOD_OPEN
      case .delete: CFAULTVFS_METHOD_DELETE
      case .access: CFAULTVFS_METHOD_ACCESS
      case .fullPathname: CFAULTVFS_METHOD_FULL_PATHNAME
      }
    }
  }

  public var method: Method
  /// The result code of SQLite, such as 522 for SQLITE_IOERR_SHORT_READ.
  public var code: Int32
  /// The number of the first call that fails, from 1 on, counted from `FileScope.setFault`; 0 only counts.
  public var call: UInt64
  /// The kinds of files whose calls count.
  public var kinds = Set(FileKind.allCases)
  /// Whether all later calls fail too, until the fault is removed.
  public var isSticky = false
  /// Whether a failing write writes the first half of its bytes, as on a full disk.
  public var writesHalf = false
}

extension FileScope {
  /// Sets the scope's fault, replaces the previous one, and starts its counts at 0.
  public func setFault(_ fault: FileFault) {
    cfaultvfs_set_fault(
      pointer,
      cfaultvfs_fault(
        method: fault.method.code,
        kinds: fault.kinds.reduce(0) { $0 | 1 << $1.rawValue },
        call: fault.call,
        code: fault.code,
        is_sticky: fault.isSticky ? 1 : 0,
        writes_half: fault.writesHalf ? 1 : 0
      )
    )
  }

  /// Removes the scope's fault. Its counts remain.
  public func removeFault() { cfaultvfs_remove_fault(pointer) }

  /// The calls that the last fault concerns, including those that failed, and the number of failures.
  public var faultCounts: (calls: UInt64, failures: UInt64) {
    let counts = cfaultvfs_count_faults(pointer)
    return (counts.calls, counts.failures)
  }
}
