import Foundation
import Glibc
import TestSupport

/// A small file system in memory, which can really be full or read-only. It needs the permission to mount, which
/// usually only root has.
final class SmallDisk {
  static let isAvailable = (try? SmallDisk()) != nil

  private let folder: TemporaryFolder
  var path: String { folder.path }

  init() throws {
    folder = try TemporaryFolder()
    try Self.mount("-t", "tmpfs", "-o", "size=8m", "tmpfs", folder.path)
  }

  deinit { umount2(folder.path, Int32(MNT_DETACH)) }

  /// Fills the disk up to a number of free pages.
  func fill(leavingPages pages: Int) throws {
    let filler = path + "/filler"
    // The file is truncated and not removed, because a child process that is being started may hold it open, and its
    // space would be freed later.
    truncate(filler, 0)
    var state = statvfs()
    guard statvfs(path, &state) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    let bytes = max(0, Int(state.f_bavail) - pages) * Int(state.f_bsize)
    try Data(count: bytes).write(to: URL(fileURLWithPath: filler))
  }

  func allowReadingOnly() throws { try Self.mount("-o", "remount,ro", path) }

  private static func mount(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["mount"] + arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteNoPermission) }
  }
}

/// The bytes of each file below a folder, by its path.
func contents(of folder: String) throws -> [String: Data] {
  var contents: [String: Data] = [:]
  for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where name != "filler" {
    contents[name] = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
  }
  return contents
}
