internal import FoundationEssentials
internal import Glibc

/// The reason why a file or folder cannot be used.
public struct FileProblem: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Reason: Sendable, Equatable {
    /// There is no file at the path, or only a symbolic link to a missing one.
    case missing
    /// The path leads to something other than a regular file, such as "a named pipe".
    case notRegular(kind: String)
    /// A system call failed.
    case system(operation: String, code: Int32)
  }

  public let path: String
  public let reason: Reason

  init(_ path: String, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// - Parameter operation: a past participle, such as "opened".
  init(_ path: String, notBeing operation: String, code: Int32) {
    let isMissing = code == ENOENT || code == ENOTDIR
    self.init(path, isMissing ? .missing : .system(operation: operation, code: code))
  }

  /// A description of the problem, without the path and without a full stop.
  public var explanation: String {
    switch reason {
    case .missing:
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
      guard let target else { return "there is no such file" }
      return "this symbolic link leads to \(target), which does not exist"
    case .notRegular(let kind): return "this is \(kind); expected a regular file"
    case .system(_, ELOOP): return "this symbolic link leads in a circle"
    case .system(let operation, let code): return "it cannot be \(operation): \(String(cString: strerror(code)))"
    }
  }

  public var description: String { "\(path): \(explanation)" }
}

/// A symbolic link in the file system.
public enum SymbolicLink {
  /// Returns the first link in `path` that leads in a circle or to a missing file; nil if there is none.
  ///
  /// Parts of the path that do not exist are not reported, because they may be created.
  public static func broken(onTheWayTo path: String) -> FileProblem? {
    var prefix = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      prefix += (prefix.isEmpty || prefix.hasSuffix("/") ? "" : "/") + part
      var status = stat()
      guard lstat(prefix, &status) == 0 else { return nil }
      if status.st_mode & S_IFMT == S_IFLNK, stat(prefix, &status) != 0, errno == ENOENT || errno == ELOOP {
        return FileProblem(prefix, notBeing: "followed", code: errno)
      }
    }
    return nil
  }
}
