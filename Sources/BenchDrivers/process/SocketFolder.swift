internal import Foundation
internal import Glibc

/// The folder of an engine's socket, which only its owner may enter.
///
/// The engine's process makes it, and takes it away at its end: so nothing stays of a harness that is ended at once.
struct SocketFolder: Codable, Sendable {
  let path: String

  /// Names a new one; its path is short enough for a socket's.
  init() {
    // Not the folder for temporary files that the environment names: its path may be too long.
    path = "/tmp/yapbench-\(UUID().uuidString)"
  }

  var socketPath: String { path + "/engine" }

  /// - Throws: `POSIXError`.
  func create() throws {
    // That of an engine that could not take it away.
    remove()
    guard mkdir(path, 0o700) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  /// Does nothing where there is none.
  func remove() {
    unlink(socketPath)
    rmdir(path)
  }
}
