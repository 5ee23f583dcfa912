#if LMDB
  internal import CLMDB

  /// An error of LMDB.
  struct LMDBError: Error, CustomStringConvertible {
    /// LMDB's code or the system's error number.
    let code: Int32
    let description: String

    /// - Parameters:
    ///   - operation: The failed operation, such as "store a row".
    ///   - remedy: A sentence that says what to do.
    init(code: Int32, _ operation: String, remedy: String? = nil) {
      self.code = code
      let text = String(cString: mdb_strerror(code))
      description = "LMDB cannot \(operation): \(text) (code \(code))" + (remedy.map { ". " + $0 } ?? "")
    }

    var isDamage: Bool {
      switch code {
      case MDB_CORRUPTED, MDB_INVALID, MDB_PAGE_NOTFOUND, MDB_PANIC: true
      default: false
      }
    }
  }
#endif
