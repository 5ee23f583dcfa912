internal import Foundation
internal import Glibc
internal import HarnessPrimitives

/// The folder of an engine's socket. Only its owner may enter it.
///
/// The engine's process creates the folder and removes it when it exits, also if the harness was killed. If the
/// engine's process is killed, the harness removes the folder; if both are, `removeAbandoned` of a later run does.
struct SocketFolder: Codable, Sendable {
  /// Not the environment's folder for temporary files: its path may be too long for a socket.
  private static let parent = "/tmp"
  private static let prefix = "yapbench-"

  let path: String

  /// Chooses a new path that is short enough for a socket.
  init() {
    path = "\(Self.parent)/\(Self.prefix)\(UUID().uuidString)"
  }

  var socketPath: String { Self.socketPath(in: path) }

  /// - Returns: A lock that marks the folder as used while it is held; nil if the file system has no locks.
  /// - Throws: `POSIXError` or `FileProblem`.
  func create() throws -> OwnershipLock? {
    // An earlier process of this engine that crashed has not removed the folder.
    remove()
    let lock = try OwnershipLock(of: path)
    guard mkdir(path, 0o700) == 0 else {
      let code = errno
      lock?.removeMark()
      throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
    }
    return lock
  }

  /// Removes the folder and its mark, if they exist.
  func remove() {
    Self.remove(path)
    OwnershipLock.removeMark(of: path)
  }

  /// Removes the folders of engine processes that have ended without removing them.
  /// - Returns: The removed paths.
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

/// The address of a socket in the file system, which connects the two processes of a run.
struct SocketAddress {
  /// The maximum length of a path in `sun_path`, in bytes.
  static let longestPath = 107

  let path: String

  /// - Throws: `POSIXError`.
  func connect() throws -> Channel {
    let descriptor = try open()
    let code = withAddress { Glibc.connect(descriptor, $0, $1) }
    guard code == 0 else { throw Self.failure(closing: descriptor) }
    return Channel(socket: descriptor)
  }

  /// Creates the socket at `path`.
  /// - Returns: The descriptor from which connections can be accepted.
  /// - Throws: `POSIXError`.
  func listen() throws -> Int32 {
    let descriptor = try open()
    guard withAddress({ Glibc.bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, 512) == 0 else {
      throw Self.failure(closing: descriptor)
    }
    return descriptor
  }

  private func open() throws -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = Glibc.socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return descriptor
  }

  private static func failure(closing descriptor: Int32) -> POSIXError {
    let error = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    Glibc.close(descriptor)
    return error
  }

  private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(Self.longestPath)) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }
}
