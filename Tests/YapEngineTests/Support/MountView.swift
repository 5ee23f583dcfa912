import Foundation
import Glibc

@testable import YapEngine

/// A view of the mounted file systems that belongs to the calling thread, and to the threads that it creates.
///
/// For a test in a process of its own, which may then mount file systems without an effect on the system.
enum MountView {
  /// Whether the process may create a view: as root, unless a container forbids it.
  static let isAvailable = geteuid() == 0 && succeeds("unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/tmp")

  /// `MS_REC | MS_PRIVATE`, and `MS_REMOUNT | MS_BIND | MS_RDONLY`; https://man7.org/linux/man-pages/man2/mount.2.html
  private static let isPrivate: UInt = 0x4_4000
  private static let isReadOnly: UInt = 0x1021

  /// Creates the view.
  static func create() throws {
    guard let function = dlsym(nil, "unshare") else { throw Discrepancy("the system has no unshare") }
    let unshare = unsafeBitCast(function, to: (@convention(c) (Int32) -> Int32).self)
    guard unshare(0x2_0000) == 0 else { throw Discrepancy("no view: \(String(cString: strerror(errno)))") }
    guard mount("none", "/", nil, isPrivate, nil) == 0 else { throw Discrepancy("the view is shared: \(errno)") }
  }

  /// Mounts an empty file system of `bytes` at `folder`.
  static func mountMemory(at folder: String, bytes: Int) throws {
    let code = mount("tmpfs", folder, "tmpfs", 0, "size=\(bytes)")
    guard code == 0 else { throw Discrepancy("no tmpfs at \(folder): \(String(cString: strerror(errno)))") }
  }

  /// Makes the mounted file system that contains `folder`, which must be its root, read-only.
  static func makeReadOnly(_ folder: String) throws {
    guard mount(nil, folder, nil, isReadOnly, nil) == 0 else { throw Discrepancy("\(folder) is writable: \(errno)") }
  }

  /// Makes every file system read-only, except those at the given folders.
  static func makeEverythingReadOnly(except folders: [String]) throws {
    for line in try String(contentsOfFile: "/proc/self/mounts", encoding: .utf8).split(separator: "\n") {
      let point = String(line.split(separator: " ")[1])
      // Some pseudo file systems refuse; they have no writable folders.
      if !folders.contains(point) { try? makeReadOnly(point) }
    }
  }

  private static func succeeds(_ command: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
