#if TestPoints
  internal import CSQLite

  extension SQLiteHandle {
    /// Lowers the number of parameters that a statement may have: statements with more no longer compile.
    package func limitVariables(to limit: Int32) {
      sqlite3_limit(database, SQLITE_LIMIT_VARIABLE_NUMBER, limit)
    }

    /// Calls `hook` inside each checkpoint of this handle, after SQLite has read the length of the WAL and before it
    /// reads the number of copied frames. A commit that restarts the WAL at this point triggers the WAL-reset defect.
    ///
    /// At that point SQLite calls xUnfetch of the database file. The hook replaces that method permanently.
    package func onCheckpointStep(_ hook: @escaping @Sendable () -> Void) {
      var file: UnsafeMutablePointer<sqlite3_file>?
      sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file)
      guard let file, let original = file.pointee.pMethods else { return }
      // Never freed: SQLite calls the methods until it closes the file, which may happen after the handle's deinit.
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

  /// A file's methods, followed by the hook's data, which SQLite does not access.
  private struct HookedMethods {
    var methods: sqlite3_io_methods
    let original: UnsafePointer<sqlite3_io_methods>
    let hook: @Sendable () -> Void
  }
#endif
