internal import Glibc
internal import SQLiteBinding

/// Checks the path of a database and resolves it before any file is opened. SQLite interprets some paths specially, and
/// its errors for others do not name the cause.
enum DatabasePath {
  /// The largest number of symbolic links that are followed for a file that does not exist, for which `realpath` fails:
  /// the kernel's limit, path_resolution(7).
  private static let linkLimit = 40
  /// The longest suffix of the files that SQLite creates beside a database.
  private static let longestSuffix = "-journal"

  /// Returns the absolute path of the file without symbolic links, ".", and "..". The file itself may be missing, also
  /// behind a symbolic link.
  /// - Throws: `invalidArgument` if a database cannot have this path; `storage` if the path cannot be resolved.
  static func resolve(_ path: String) throws(YapDatabaseError) -> String {
    try checkText(of: path)
    var name = path
    for _ in 0...linkLimit {
      try checkKind(of: name)
      try checkFolder(of: name)
      if let resolved = try existing(name) {
        try checkLength(of: resolved, given: path)
        return resolved
      }
      guard let folder = try existing(folder(of: name)) else {
        throw refusal("\(path) cannot be opened, because a folder was removed meanwhile", "create the folder again")
      }
      let location = join(folder, lastName(of: name))
      guard let target = target(ofLink: location) else {
        try checkLength(of: location, given: path)
        return location
      }
      name = target.hasPrefix("/") ? target : join(folder, target)
    }
    throw refusal("\(path) cannot be opened, because it leads through too many symbolic links", "remove some of them")
  }

  private static func checkText(of path: String) throws(YapDatabaseError) {
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
      throw refusal("the path of the database has a NUL byte, which ends it for SQLite", "give a path without one")
    }
  }

  /// Anything but a regular file is refused before it is opened, because opening a FIFO for reading waits for a writer.
  private static func checkKind(of path: String) throws(YapDatabaseError) {
    var status = stat()
    if path.hasSuffix("/") || (stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR) {
      throw refusal("\(path) is a folder", "give the path of a file in it")
    }
    guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
      throw refusal("\(path) is not a regular file", "choose another path")
    }
  }

  private static func checkFolder(of path: String) throws(YapDatabaseError) {
    var status = stat()
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
    default: return  // resolving the path throws an error that names the cause
    }
  }

  /// SQLite appends suffixes to the path, and limits the length of the result.
  private static func checkLength(of resolved: String, given path: String) throws(YapDatabaseError) {
    let subject = resolved == path ? path : "\(path), which is \(resolved),"
    let limit = SQLiteLibrary.longestPathBytes - longestSuffix.utf8.count
    guard resolved.utf8.count <= limit else {
      throw refusal(
        "\(subject) has \(resolved.utf8.count) bytes, and SQLite supports at most \(limit)",
        "choose a shorter path"
      )
    }
    let nameBytes = lastName(of: resolved).utf8.count
    let nameLimit = pathconf(folder(of: resolved), Int32(_PC_NAME_MAX)) - longestSuffix.utf8.count
    guard nameLimit < 0 || nameBytes <= nameLimit else {
      throw refusal(
        "the name of \(subject) has \(nameBytes) bytes; at most \(nameLimit) leave room for the suffixes of the files "
          + "beside it, such as \(longestSuffix)",
        "choose a shorter name"
      )
    }
  }

  // MARK: Parts and links

  /// The folder of a file; "." for a name without a slash.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func lastName(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  static func join(_ folder: String, _ name: String) -> String { (folder == "/" ? "" : folder) + "/" + name }

  /// Whether there is anything at `path`, even a symbolic link to a missing file.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Returns the absolute path of an existing file or folder, without symbolic links; nil if there is none.
  /// - Throws: `storage` if that cannot be determined; `invalidArgument` if the path is not valid UTF-8.
  static func existing(_ path: String) throws(YapDatabaseError) -> String? {
    guard let resolved = realpath(path, nil) else {
      if errno == ENOENT { return nil }
      throw .ofSystem("\(path) cannot be resolved")
    }
    defer { free(resolved) }
    return try text(resolved, of: path)
  }

  /// nil if there is no symbolic link at `path`, or if its target is not valid UTF-8.
  private static func target(ofLink path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(validating: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func text(_ resolved: UnsafePointer<CChar>, of path: String) throws(YapDatabaseError) -> String {
    if let text = String(validatingCString: resolved) { return text }
    throw refusal(
      "\(path) cannot be opened, because a folder above it has a name that is not valid UTF-8: "
        + String(cString: resolved),
      "rename the folder"
    )
  }

  private static func refusal(_ found: String, _ remedy: String) -> YapDatabaseError {
    YapDatabaseError(.invalidArgument, "\(found): \(remedy)")
  }
}

extension YapDatabaseError {
  /// An error of the file system, whose cause is in `errno`.
  static func ofSystem(_ attempt: String, _ code: Int32 = errno) -> YapDatabaseError {
    let cause = String(cString: strerror(code))
    return YapDatabaseError(.storage, "\(attempt): \(cause)\(remedy(for: code).map { "; \($0)" } ?? "")")
  }

  /// The remedy for an error of the system; nil if its text says enough.
  static func remedy(for code: Int32) -> String? {
    switch code {
    case EMFILE:
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      return "close files or connections, or raise the process's limit of open files (ulimit -n), which is "
        + "\(limit.rlim_cur)"
    case ENFILE: return "close files in other processes, or raise the system's limit of open files (fs.file-max)"
    case EACCES, EPERM: return "change the permissions or the owner of the file or its folder, or run as another user"
    case EROFS: return "put the file on a file system that can be written"
    default: return nil
    }
  }
}
