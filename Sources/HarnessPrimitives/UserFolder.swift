internal import FoundationEssentials
internal import Glibc

/// A folder for files of this program in the user's home folder.
///
/// Source: XDG Base Directory Specification 0.8, which also states that a relative path in a variable is ignored.
public enum UserFolder: Sendable {
  /// Files that can be made again.
  case cache
  /// Files that should persist.
  case state

  private var variable: String { self == .cache ? "XDG_CACHE_HOME" : "XDG_STATE_HOME" }

  /// The absolute path of `yapbench` in the folder that the variable names, by default `~/.cache` or `~/.local/state`.
  public var path: String { path(in: ProcessInfo.processInfo.environment) }

  /// The part of an error message that states how to choose another folder.
  public var remedy: String { "set \(variable) to a folder that can be written" }

  func path(in environment: [String: String]) -> String {
    if let folder = environment[variable], folder.hasPrefix("/") { return folder + "/yapbench" }
    return Self.home(in: environment) + (self == .cache ? "/.cache/yapbench" : "/.local/state/yapbench")
  }

  /// The home folder: `HOME`, or without it the entry in the system's list of users.
  private static func home(in environment: [String: String]) -> String {
    if let home = environment["HOME"], !home.isEmpty {
      // git and the compiler run in other folders.
      return home.hasPrefix("/") ? home : FileManager.default.currentDirectoryPath + "/" + home
    }
    return getpwuid(geteuid()).flatMap { String(validatingCString: $0.pointee.pw_dir) } ?? "/"
  }
}

/// A folder for files that are written later.
public enum WritableFolder {
  /// Creates the folder, and the folders above it, as far as they are missing, and checks that files can be created in
  /// it.
  /// - Throws: `FileProblem`.
  public static func prepare(_ path: String) throws(FileProblem) {
    var folder = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      folder += "/" + part
      let code = mkdir(folder, 0o777) == 0 ? 0 : errno
      // `mkdir` may also fail for a folder that exists, as in a file system that cannot be written.
      if code != 0, access(folder, F_OK) != 0 { throw FileProblem(folder, .system(operation: "created", code: code)) }
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileProblem(path, .system(operation: "opened", code: errno)) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw FileProblem(path, .system(operation: "used as a folder", code: ENOTDIR))
    }
    guard access(path, W_OK | X_OK) == 0 else { throw FileProblem(path, .system(operation: "written", code: errno)) }
  }
}

/// A file that is written later.
public enum WritableFile {
  /// Checks that an existing file is a regular one that can be written, and no symbolic link.
  /// - Throws: `FileProblem`.
  public static func check(_ path: String) throws(FileProblem) {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw FileProblem(path, notBeing: "opened", code: errno) }
    guard status.st_mode & S_IFMT != S_IFLNK else { throw FileProblem(path, .notRegular(kind: "a symbolic link")) }
    try RegularFile.checkIsRegular(status, path)
    guard access(path, W_OK) == 0 else { throw FileProblem(path, .system(operation: "written", code: errno)) }
  }
}
