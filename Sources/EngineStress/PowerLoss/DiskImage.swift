internal import CommitLedger
internal import Glibc

/// The files of a database as a disk contains them. The shared memory is never among them.
struct DiskImage: Sendable, Equatable {
  var files: [FileKind: [UInt8]] = [:]

  /// The endings of the paths of the files that an image can have.
  static let suffixes: [(kind: FileKind, suffix: String)] = [(.database, ""), (.wal, "-wal"), (.journal, "-journal")]

  /// A digest of the names and contents.
  var digest: UInt64 {
    var digest = LedgerDigest()
    for (kind, _) in Self.suffixes {
      guard let bytes = files[kind] else { continue }
      withUnsafeBytes(of: (UInt64(kind.rawValue), UInt64(bytes.count))) { digest.add($0) }
      bytes.withUnsafeBytes { digest.add($0) }
    }
    return digest.value
  }

  /// Writes the files for a database at `path`, and removes all other files that a database there can have.
  /// - Throws: `StoreProblem`.
  func write(at path: String) throws {
    Self.remove(at: path)
    for (kind, suffix) in Self.suffixes {
      guard let bytes = files[kind] else { continue }
      let descriptor = open(path + suffix, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else { throw StoreProblem.notWritten(path + suffix, errno) }
      defer { close(descriptor) }
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard written == bytes.count else { throw StoreProblem.notWritten(path + suffix, written < 0 ? errno : ENOSPC) }
    }
  }

  /// Removes all files that a database at `path` can have.
  static func remove(at path: String) {
    for suffix in ["", "-wal", "-journal", "-shm"] { unlink(path + suffix) }
  }
}
