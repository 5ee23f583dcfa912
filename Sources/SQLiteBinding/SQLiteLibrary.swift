internal import CSQLite

/// The SQLite library that this program is linked with.
public enum SQLiteLibrary {
  /// The version, such as "3.40.1".
  public static var version: String { String(cString: sqlite3_libversion()) }

  /// The check-in of SQLite's source that the library was built from.
  public static var sourceID: String { String(cString: sqlite3_sourceid()) }

  /// The library's compile-time options, without their SQLITE_ prefix.
  public static var compileOptions: [String] {
    var options: [String] = []
    var index: Int32 = 0
    while let option = sqlite3_compileoption_get(index) {
      options.append(String(cString: option))
      index += 1
    }
    return options
  }

  /// The length in bytes of the longest path of a file that the library can open.
  public static var longestPathBytes: Int { sqlite3_vfs_find(nil).map { Int($0.pointee.mxPathname) } ?? 512 }

  /// Whether a checkpoint beside a commit of another handle can lose commits: the WAL-reset defect of versions 3.7.0 to
  /// 3.51.2, fixed in 3.51.3, and in the older lines from 3.44.6 and 3.50.7 on. See https://sqlite.org/wal.html, "the
  /// WAL-reset bug".
  public static var hasWALResetDefect: Bool { hasWALResetDefect(versionNumber: Int(sqlite3_libversion_number())) }

  static func hasWALResetDefect(versionNumber: Int) -> Bool {
    switch versionNumber {
    case ..<3_007_000: false
    case 3_044_006..<3_045_000, 3_050_007..<3_051_000: false
    default: versionNumber < 3_051_003
    }
  }
}
