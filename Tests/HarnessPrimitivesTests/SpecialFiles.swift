import Glibc
import TestSupport

/// Files that are not regular files.
extension TemporaryFolder {
  func makePipe(_ name: String) -> String {
    mkfifo(path + "/" + name, 0o600)
    return path + "/" + name
  }

  func makeSocket(_ name: String) -> String {
    // The path of a socket must be short, so it is relative to a descriptor of the folder.
    let folder = open(path, O_RDONLY | O_DIRECTORY)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer {
      close(descriptor)
      close(folder)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "/proc/self/fd/\(folder)/\(name)".utf8) }
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return path + "/" + name
  }

  func makeLink(_ name: String, to target: String) -> String {
    symlink(target, path + "/" + name)
    return path + "/" + name
  }
}
