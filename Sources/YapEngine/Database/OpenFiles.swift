internal import CPlatform
internal import Glibc
internal import Synchronization
internal import ThreadingPrimitives

/// The files that this process has open as databases. A second owner in the same process would serve stale caches.
enum OpenFiles {
  struct Identity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    /// Needed because another file may get the inode of a file that was deleted while open, before its claim is
    /// released.
    private let birth: UInt64

    /// nil if the file does not exist.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt64(status.st_dev)
      inode = UInt64(status.st_ino)
      birth = cplatform_file_birth(path)
    }
  }

  /// The claim on one file.
  final class Claim: Sendable {
    private let identity: Identity
    private let isReleased = Atomic<Bool>(false)

    fileprivate init(_ identity: Identity) { self.identity = identity }

    deinit { release() }

    /// Releases the claim. Later calls do nothing, because another database may have claimed the file since.
    func release() {
      guard !isReleased.exchange(true, ordering: .relaxed) else { return }
      _ = OpenFiles.open.withLock { $0.remove(identity) }
    }
  }

  private static let open = Guarded<Set<Identity>>([])

  /// Claims the file by its identity, not by its path.
  /// - Throws: `alreadyOpen` if the file is claimed.
  static func claim(_ path: String) throws(YapDatabaseError) -> Claim {
    guard let identity = Identity(path) else {
      throw YapDatabaseError(
        .storage,
        "\(path) cannot be found after it was opened: \(String(cString: strerror(errno)))"
      )
    }
    guard open.withLock({ $0.insert(identity).inserted }) else {
      throw YapDatabaseError(
        .alreadyOpen,
        "\(path) is open in this process: use that database, or close it first"
      )
    }
    return Claim(identity)
  }

  /// Whether the file at `path`, if it exists, is claimed. Checked before SQLite opens the file a second time.
  static func isClaimed(_ path: String) -> Bool {
    guard let identity = Identity(path) else { return false }
    return open.withLock { $0.contains(identity) }
  }
}
