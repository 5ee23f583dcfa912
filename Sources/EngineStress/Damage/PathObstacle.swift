internal import Foundation
internal import Glibc

/// Something else than a regular file at the path of a database or of a file beside it.
enum PathObstacle: String, CaseIterable {
  case folder, fifo, fifoBesideWAL, socket, linkLoop, danglingLink, link, hardLink, emptyFile
  case walFolder, walFIFO, walLinkLoop, walDanglingLink
  case indexFolder, indexFIFO, indexLinkLoop, indexDanglingLink

  /// The name of the count of cases.
  var countName: String { "paths: \(rawValue)" }

  /// The suffix of the file in place of which the obstacle is.
  private var suffix: String {
    switch self {
    case .folder, .fifo, .fifoBesideWAL, .socket, .linkLoop, .danglingLink, .link, .hardLink, .emptyFile: ""
    case .walFolder, .walFIFO, .walLinkLoop, .walDanglingLink: "-wal"
    case .indexFolder, .indexFIFO, .indexLinkLoop, .indexDanglingLink: "-shm"
    }
  }

  /// The layout of the database whose files the obstacle replaces.
  var shape: DamageStore.Shape { self == .fifoBesideWAL ? .allInWAL : .closed }

  /// A symbolic link leads to the database itself. A file with two names is refused, because it has only one WAL.
  var expectation: DamageTrial.Expectation { self == .link ? .everything : .errorOrFinding }

  /// Replaces a file of the database at `path`.
  /// - Throws: `POSIXError`, and errors of Foundation.
  func place(at path: String) throws {
    let target = path + suffix
    let files = FileManager.default
    let moved = path + ".moved"
    switch self {
    case .link, .hardLink: try files.moveItem(atPath: path, toPath: moved)
    default: try? files.removeItem(atPath: target)
    }
    switch self {
    case .folder, .walFolder, .indexFolder: try SystemCall.check(mkdir(target, 0o700))
    case .fifo, .fifoBesideWAL, .walFIFO, .indexFIFO: try SystemCall.check(mkfifo(target, 0o600))
    case .socket: try SystemCall.check(mknod(target, S_IFSOCK | 0o600, 0))
    case .linkLoop, .walLinkLoop, .indexLinkLoop: try SystemCall.check(symlink(target, target))
    case .danglingLink, .walDanglingLink, .indexDanglingLink: try SystemCall.check(symlink(target + ".missing", target))
    case .link: try SystemCall.check(symlink(moved, target))
    case .hardLink: try SystemCall.check(Glibc.link(moved, target))
    case .emptyFile: try Data().write(to: URL(fileURLWithPath: target))
    }
  }
}
