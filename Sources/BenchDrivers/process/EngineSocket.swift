internal import Foundation
internal import Glibc

/// The address of the socket through which the two processes of a run open channels.
///
/// It is a name in the kernel's abstract namespace and not a file, so nothing is left of it when its last descriptor is
/// closed, however the processes end. Source: unix(7).
struct SocketAddress: Codable, Sendable {
  let name: String

  /// Chooses a new name.
  init() { name = "yapbench-\(UUID().uuidString)" }

  /// - Throws: `POSIXError`.
  func connect() throws -> Channel {
    let descriptor = try open()
    let code = withAddress { Glibc.connect(descriptor, $0, $1) }
    guard code == 0 else { throw Self.failure(closing: descriptor) }
    return Channel(socket: descriptor)
  }

  /// Creates the socket.
  /// - Returns: The descriptor from which connections can be accepted.
  /// - Throws: `POSIXError`.
  func listen() throws -> Int32 {
    let descriptor = try open()
    guard withAddress({ Glibc.bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, 512) == 0 else {
      throw Self.failure(closing: descriptor)
    }
    return descriptor
  }

  /// Whether the process at the other end of an accepted connection has this process's user: an abstract name has no
  /// permissions.
  static func isOwn(_ connection: Int32) -> Bool {
    // The fields of `struct ucred`: the process, the user and the group.
    var peer: [UInt32] = [0, .max, 0]
    var bytes = socklen_t(peer.count * MemoryLayout<UInt32>.size)
    return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer[1] == geteuid()
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
    // An abstract name begins with a null byte, and ends with the address.
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      UnsafeMutableRawBufferPointer(rebasing: path.dropFirst()).copyBytes(from: name.utf8)
    }
    let bytes = MemoryLayout<sa_family_t>.size + 1 + name.utf8.count
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(bytes)) }
    }
  }
}
