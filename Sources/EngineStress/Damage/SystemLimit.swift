internal import Foundation
internal import Glibc

/// A resource that the system refuses while the limit is imposed.
enum SystemLimit: String, CaseIterable {
  case openFiles = "limit of open files"
  case fileSize = "limit of file sizes"
  case tinyFileSystem = "full file system"
  case readOnlyFileSystem = "read-only file system"
  case readOnlyFolder = "read-only folder"
  case readOnlyFile = "read-only file"

  /// The name of the count of refusals.
  var countName: String { "refusals: \(rawValue)" }

  /// Whether the limit is imposed by mounting a file system.
  var needsMounts: Bool { self == .tinyFileSystem || self == .readOnlyFileSystem }

  /// Whether the limit binds only users other than root.
  var bindsOnlyOthers: Bool { self == .readOnlyFolder || self == .readOnlyFile }

  /// Whether the machine permits the limit in the processes of `CaseProgram.inMountNamespace`.
  var isPermitted: Bool {
    if needsMounts { return MountNamespace.isAvailable }
    return !bindsOnlyOthers || MountNamespace.obeysFileModes
  }
}

/// Imposes limits on this process, and lifts them. A process may impose one at a time.
struct ImposedLimit {
  private static let nobody: uid_t = 65_534
  private static let tinyBytes = 2 << 20

  let limit: SystemLimit
  /// The folder of the database.
  let folder: String
  let path: String

  /// - Returns: nil if the limit is not possible here.
  init?(_ limit: SystemLimit, folder: String, path: String) {
    self.limit = limit
    self.folder = folder
    self.path = path
    if limit.needsMounts, !Self.canMount(at: folder) { return nil }
    if limit.bindsOnlyOthers, geteuid() == 0, !Self.canBecomeNobody { return nil }
  }

  /// Makes room for the database. Must be called before its files are created.
  func prepare() throws {
    guard limit == .tinyFileSystem else { return }
    try SystemCall.check(mount("tmpfs", folder, "tmpfs", 0, "size=\(Self.tinyBytes)"))
  }

  /// - Parameter room: The rest of the resource: open files, or bytes.
  func impose(room: Int) throws {
    switch limit {
    case .openFiles:
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      try Self.setLimit(RLIMIT_NOFILE, to: UInt(open + room))
    case .fileSize:
      // Without this, the kernel would end the process.
      signal(SIGXFSZ, SIG_IGN)
      try Self.setLimit(RLIMIT_FSIZE, to: UInt(room))
    case .tinyFileSystem:
      var status = statvfs()
      try SystemCall.check(statvfs(folder, &status))
      let free = Int(status.f_bavail) * Int(status.f_frsize)
      try Data(count: max(free - room, 0)).write(to: URL(fileURLWithPath: ballast))
    case .readOnlyFileSystem: try MountNamespace.makeReadOnly(folder)
    case .readOnlyFolder, .readOnlyFile:
      if limit == .readOnlyFolder { chmod(folder, 0o555) } else { chmod(folder, 0o777) }
      for suffix in DamageStore.suffixes { chmod(path + suffix, limit == .readOnlyFile ? 0o444 : 0o666) }
      if geteuid() == 0 { try SystemCall.check(seteuid(Self.nobody)) }
    }
  }

  func lift() throws {
    switch limit {
    case .openFiles: try Self.setLimit(RLIMIT_NOFILE, to: nil)
    case .fileSize: try Self.setLimit(RLIMIT_FSIZE, to: nil)
    case .tinyFileSystem:
      try FileManager.default.removeItem(atPath: ballast)
      try SystemCall.check(mount("", folder, "", UInt(MS_REMOUNT), "size=\(16 * Self.tinyBytes)"))
    case .readOnlyFileSystem: try SystemCall.check(umount2(folder, Int32(MNT_DETACH)))
    case .readOnlyFolder, .readOnlyFile:
      if getuid() == 0 { try SystemCall.check(seteuid(0)) }
      chmod(folder, 0o700)
      for suffix in DamageStore.suffixes { chmod(path + suffix, 0o600) }
    }
  }

  /// Removes what `prepare` has made.
  func end() throws {
    if limit == .tinyFileSystem { try SystemCall.check(umount2(folder, Int32(MNT_DETACH))) }
  }

  private var ballast: String { folder + "/ballast" }

  private static func canMount(at folder: String) -> Bool {
    guard mount("tmpfs", folder, "tmpfs", 0, "size=4096") == 0 else { return false }
    return umount2(folder, Int32(MNT_DETACH)) == 0
  }

  private static var canBecomeNobody: Bool { seteuid(nobody) == 0 && seteuid(0) == 0 }

  /// Sets the soft limit; nil sets it to the hard one.
  private static func setLimit(_ resource: __rlimit_resource, to value: UInt?) throws {
    var limits = rlimit()
    try SystemCall.check(getrlimit(__rlimit_resource_t(resource.rawValue), &limits))
    limits.rlim_cur = min(value ?? limits.rlim_max, limits.rlim_max)
    try SystemCall.check(setrlimit(__rlimit_resource_t(resource.rawValue), &limits))
  }
}
