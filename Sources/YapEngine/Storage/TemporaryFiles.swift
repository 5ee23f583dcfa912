internal import Glibc

/// The temporary files of SQLite. Only VACUUM needs one: see `Schema.prepare`.
enum TemporaryFiles {
  /// The folder in which SQLite creates temporary files; nil if it finds none that can be written.
  ///
  /// SQLite takes the first of these folders that exists and can be written:
  /// https://sqlite.org/tempfiles.html#temporary_file_storage_locations
  static var folder: String? {
    let variables: [String] = ["SQLITE_TMPDIR", "TMPDIR"]
    let named = variables.compactMap { getenv($0).map { String(cString: $0) } }
    return (named + ["/var/tmp", "/usr/tmp", "/tmp", "."]).first { folder in
      var status = stat()
      return stat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && access(folder, W_OK | X_OK) == 0
    }
  }

  /// SQLITE_FULL, SQLITE_CANTOPEN and SQLITE_IOERR_GETTEMPPATH; https://sqlite.org/rescode.html
  private static let causes: Set<Int32> = [13, 14, 6410]

  /// Adds the folder of temporary files and the remedy to an error of VACUUM that the folder may have caused. Returns
  /// other errors unchanged.
  static func explained(_ error: YapDatabaseError, vacuumOf path: String) -> YapDatabaseError {
    guard let code = error.sqliteCode, causes.contains(code) || causes.contains(code & 0xff) else { return error }
    let found =
      folder.map { "SQLite creates it in \($0), where there may be too little space" }
      ?? "none of the folders in SQLITE_TMPDIR, TMPDIR, /var/tmp, /usr/tmp, /tmp and the working folder can be written"
    return YapDatabaseError(
      error.code,
      "\(path) cannot be vacuumed: \(error.message). A vacuum needs a temporary file of up to the size of the "
        + "database, and as much space for the WAL beside the database. For the temporary file, \(found). Start the "
        + "process with SQLITE_TMPDIR set to a folder with enough space. The rows are unchanged.",
      sqliteCode: error.sqliteCode
    )
  }
}
