internal import Glibc

/// Checks the path of a database before any file is accessed. SQLite interprets some paths specially, and its errors
/// for others do not name the cause.
enum DatabasePath {
  /// - Throws: `invalidArgument` if a database cannot have this path.
  static func check(_ path: String) throws(YapDatabaseError) {
    if path.isEmpty {
      throw refusal("the path of the database is empty", "give the path of a file")
    }
    if path == ":memory:" {
      throw refusal(
        "\":memory:\" is SQLite's name for a database without a file, which connections cannot share",
        "give the path of a file; one in /dev/shm is kept in memory"
      )
    }
    if path.hasPrefix("file:") {
      throw refusal(
        "\(path) begins with \"file:\", which SQLite reads as a URI",
        "give a plain path, such as ./\(path)"
      )
    }
    if path.utf8.contains(0) {
      throw refusal("the path of the database has a NUL byte, at which SQLite would cut it", "give a path without one")
    }
    try checkFolder(of: path)
  }

  private static func checkFolder(of path: String) throws(YapDatabaseError) {
    var status = stat()
    if path.hasSuffix("/") || (stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR) {
      throw refusal("\(path) is a folder", "give the path of a file in it")
    }
    let folder = folder(of: path)
    if stat(folder, &status) == 0 {
      guard status.st_mode & S_IFMT != S_IFDIR else { return }
      throw refusal("\(path) cannot be opened, because \(folder) is not a folder", "choose another path")
    }
    switch errno {
    case ENOENT:
      throw refusal(
        "\(path) cannot be opened, because the folder \(folder) does not exist",
        "create the folder first, or choose another path"
      )
    case ENOTDIR:
      throw refusal("\(path) cannot be opened, because a part of \(folder) is not a folder", "choose another path")
    default: return  // opening the file throws an error that names the cause
    }
  }

  /// The folder of a file; "." for a name without a slash.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func refusal(_ found: String, _ remedy: String) -> YapDatabaseError {
    YapDatabaseError(.invalidArgument, "\(found): \(remedy)")
  }
}
