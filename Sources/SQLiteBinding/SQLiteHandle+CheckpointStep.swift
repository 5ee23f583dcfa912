#if TestPoints
  internal import CSQLite

  extension SQLiteHandle {
    /// Calls `hook` inside each checkpoint of this handle, between its look at how long the WAL is and its look at how
    /// much of that is copied. A commit that begins the WAL anew just there is what the WAL-reset defect needs.
    ///
    /// At that step SQLite calls xUnfetch of the database file; the hook takes that method's place, for good.
    package func onCheckpointStep(_ hook: @escaping @Sendable () -> Void) {
      var file: UnsafeMutablePointer<sqlite3_file>?
      sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file)
      guard let file, let original = file.pointee.pMethods else { return }
      // Never freed: SQLite calls the methods until it closes the file, after the handle's own end.
      let hooked = UnsafeMutablePointer<HookedMethods>.allocate(capacity: 1)
      hooked.initialize(to: HookedMethods(methods: original.pointee, original: original, hook: hook))
      hooked.pointee.methods.xUnfetch = { file, offset, page in
        guard let file else { return SQLITE_OK }
        let methods = UnsafeRawPointer(file.pointee.pMethods).assumingMemoryBound(to: HookedMethods.self)
        if page == nil { methods.pointee.hook() }
        return methods.pointee.original.pointee.xUnfetch(file, offset, page)
      }
      file.pointee.pMethods = UnsafeRawPointer(hooked).assumingMemoryBound(to: sqlite3_io_methods.self)
    }
  }

  /// A file's methods, and behind them, where SQLite does not look, what the hook needs.
  private struct HookedMethods {
    var methods: sqlite3_io_methods
    let original: UnsafePointer<sqlite3_io_methods>
    let hook: @Sendable () -> Void
  }
#endif
