internal import CPlatform
internal import Glibc
internal import Synchronization
internal import ThreadingPrimitives

/// The files that this process has open as databases. A second owner in one process would serve stale caches.
enum OpenFiles {
  struct Identity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    /// A file that is deleted while it is open gives its inode to another one, before its claim is let go.
    private let birth: UInt64

    /// nil if there is no file.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt64(status.st_dev)
      inode = UInt64(status.st_ino)
      birth = cplatform_file_birth(path)
    }
  }

  /// One claimed file.
  final class Claim: Sendable {
    private let identity: Identity
    private let isReleased = Atomic<Bool>(false)

    fileprivate init(_ identity: Identity) { self.identity = identity }

    deinit { release() }

    /// Lets the file go, once: when it is called again another database may have claimed the file.
    func release() {
      guard !isReleased.exchange(true, ordering: .relaxed) else { return }
      _ = OpenFiles.open.withLock { $0.remove(identity) }
    }
  }

  private static let open = Guarded<Set<Identity>>([])

  /// Claims the file, by what it is and not by what it is called.
  /// - Throws: `alreadyOpen` when it is claimed.
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

  /// Whether the file at `path`, if there is one, is claimed. Asked before SQLite opens it a second time.
  static func isClaimed(_ path: String) -> Bool {
    guard let identity = Identity(path) else { return false }
    return open.withLock { $0.contains(identity) }
  }
}
