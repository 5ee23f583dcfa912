internal import Foundation
internal import Glibc
internal import SystemFiles

/// The folder of an engine's socket, which only its owner may enter.
///
/// The engine's process creates it and removes it at its end, so nothing is left of a harness that ends at once. What
/// is left where both processes were killed, `removeAbandoned` removes.
struct SocketFolder: Codable, Sendable {
  /// Not the folder for temporary files that the environment names: its path may be too long for a socket.
  private static let parent = "/tmp"
  private static let prefix = "yapbench-"

  let path: String

  /// Names a new one; its path is short enough for a socket's.
  init() {
    path = "\(Self.parent)/\(Self.prefix)\(UUID().uuidString)"
  }

  var socketPath: String { Self.socketPath(in: path) }

  /// - Returns: marks the folder as used, as long as it is held; nil where the file system has no locks.
  /// - Throws: `POSIXError` or `FileProblem`.
  func create() throws -> OwnershipLock? {
    // An engine that crashed has left its folder.
    remove()
    let lock = try OwnershipLock(of: path)
    guard mkdir(path, 0o700) == 0 else {
      let code = errno
      lock?.removeMark()
      throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
    }
    return lock
  }

  /// Does nothing where there is none.
  func remove() {
    Self.remove(path)
    OwnershipLock.removeMark(of: path)
  }

  /// Removes the folders of engine processes that have ended without doing so.
  /// - Returns: their paths.
  static func removeAbandoned() -> [String] {
    let isOurs = { (name: String) in
      name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil
    }
    return OwnershipLock.abandoned(in: parent, where: isOurs).map { lock in
      remove(lock.path)
      lock.removeMark()
      return lock.path
    }
  }

  private static func socketPath(in folder: String) -> String { folder + "/engine" }

  private static func remove(_ path: String) {
    unlink(socketPath(in: path))
    rmdir(path)
  }
}
