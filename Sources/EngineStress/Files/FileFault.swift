internal import CFaultVFS

/// A failure of one call of a VFS method, or of all calls from one on.
package struct FileFault: Sendable {
  /// The methods that can fail, with the numbers of `cfaultvfs_method`.
  package enum Method: UInt32, Sendable, CaseIterable {
    case read, write, truncate, sync, fileSize, lock, checkReservedLock, shmMap
    /// Only calls that acquire a lock count and fail.
    case shmLock
    case fetch, open, delete, access, fullPathname
  }

  package var method: Method
  /// The result code of SQLite, such as 522 for SQLITE_IOERR_SHORT_READ.
  package var code: Int32
  /// The number of the first call that fails, from 1 on, counted from `FileScope.setFault`; 0 only counts.
  package var call: UInt64
  /// The kinds of files whose calls count.
  package var kinds = Set(FileKind.allCases)
  /// Whether all later calls fail too, until the fault is removed.
  package var isSticky = false
  /// Whether a failing write writes the first half of its bytes, as on a full disk.
  package var writesHalf = false
}

extension FileScope {
  /// Sets the scope's fault, replaces the previous one, and starts its counts at 0.
  package func setFault(_ fault: FileFault) {
    cfaultvfs_set_fault(
      pointer,
      cfaultvfs_fault(
        method: cfaultvfs_method(rawValue: fault.method.rawValue),
        kinds: fault.kinds.reduce(0) { $0 | 1 << $1.rawValue },
        call: fault.call,
        code: fault.code,
        is_sticky: fault.isSticky ? 1 : 0,
        writes_half: fault.writesHalf ? 1 : 0
      )
    )
  }

  /// Removes the scope's fault. Its counts remain.
  package func removeFault() { cfaultvfs_remove_fault(pointer) }

  /// The calls that the last fault concerns, including those that failed, and the number of failures.
  package var faultCounts: (calls: UInt64, failures: UInt64) {
    let counts = cfaultvfs_count_faults(pointer)
    return (counts.calls, counts.failures)
  }
}
