import Foundation
import Glibc
import TestSupport

/// A file system of its own with little room, in memory: a disk that is full for real, or can only be read. It takes a
/// right to mount that few but root have.
final class SmallDisk {
  static let isAvailable = (try? SmallDisk()) != nil

  private let folder: TemporaryFolder
  var path: String { folder.path }

  init() throws {
    folder = try TemporaryFolder()
    try Self.mount("-t", "tmpfs", "-o", "size=8m", "tmpfs", folder.path)
  }

  deinit { umount2(folder.path, Int32(MNT_DETACH)) }

  /// Leaves room for so many pages, and for nothing more.
  func fill(leavingPages pages: Int) throws {
    let filler = path + "/filler"
    // Not removed: a child process that is being started may hold it open, and its room would come back later.
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

/// What lies below a folder: the bytes of each file by its path. Two of them differ by what has happened meanwhile.
func contents(of folder: String) throws -> [String: Data] {
  var contents: [String: Data] = [:]
  for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where name != "filler" {
    contents[name] = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
  }
  return contents
}
