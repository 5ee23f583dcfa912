import Foundation
import Glibc
import SQLiteBinding
import TestSupport
import Testing

@testable import YapEngine

/// Files with several names, and files that several users or several libraries use.
@Suite struct SharedFileTests {
  private func write(_ path: String) throws {
    let database = try YapDatabase(path: path, options: .quick)
    try database.newConnection().readWrite { try $0.setObject(bytes("1"), forKey: "k") }
    try database.close()
  }

  // MARK: Hard links

  @Test func `a file with several names is refused under each of them until they are removed`() throws {
    try withTemporaryFolder { folder in
      let (path, other) = (folder + "/test.sqlite", folder + "/other.sqlite")
      try write(path)
      #expect(link(path, other) == 0)
      for name in [path, other] {
        let error = failure { _ = try YapDatabase(path: name, options: .quick) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains("\(name) has 2 names (hard links)") == true, "\(error?.message ?? "")")
      }
      try #expect(FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["other.sqlite", "test.sqlite"])
      #expect(unlink(other) == 0)
      let database = try YapDatabase(path: path, options: .quick)
      #expect(database.snapshot == 1)
      try database.close()
    }
  }

  /// The owner continues, because its WAL keeps its name.
  @Test func `a name that is added while the file is open admits no second owner`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let (path, other) = (folder.path + "/test.sqlite", folder.path + "/other.sqlite")
    let database = try YapDatabase(path: path, options: .quick)
    #expect(link(path, other) == 0)
    await #expect(processExitsWith: .success) { [other = other as String] in
      reported {
        let found = code { _ = try YapDatabase(path: other, options: .quick) }
        try Discrepancy.check(found, .invalidArgument, "the code while the file has two names")
      }
    }
    #expect(code { _ = try YapDatabase(path: other, options: .impatient) } == .alreadyOpen)
    try database.newConnection().syncReadWrite { try $0.setObject(bytes("1"), forKey: "k") }
    #expect(unlink(path) == 0)
    // The lock is that of the file, whose only name is the other one now.
    await #expect(processExitsWith: .success) { [other = other as String] in
      reported {
        let found = code { _ = try YapDatabase(path: other, options: .impatient) }
        try Discrepancy.check(found, .alreadyOpen, "the code under the other name")
      }
    }
    try database.close()
    let again = try YapDatabase(path: other, options: .quick)
    #expect(again.snapshot == 1)
    try again.close()
  }

  // MARK: Mounts

  /// Whether this process may mount file systems.
  private static let canMount: Bool = {
    let isMounted = try? withTemporaryFolder { folder in
      guard bind(folder, folder) else { return false }
      return umount2(folder, Int32(MNT_DETACH)) == 0
    }
    return isMounted == true
  }()

  private static func bind(_ source: String, _ target: String) -> Bool {
    mount(source, target, nil, UInt(MS_BIND), nil) == 0
  }

  @Test(.enabled(if: canMount, "the permission to mount is needed"))
  func `a mounted file is refused, because its WAL would be beside the mount point`() throws {
    try withTemporaryFolder { folder in
      let (path, mounted) = (folder + "/test.sqlite", folder + "/mounted.sqlite")
      try write(path)
      try Data().write(to: URL(fileURLWithPath: mounted))
      try #require(Self.bind(path, mounted))
      defer { umount2(mounted, Int32(MNT_DETACH)) }
      let error = failure { _ = try YapDatabase(path: mounted, options: .quick) }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message.contains("mount the folder") == true, "\(error?.message ?? "")")
      // The file itself can be opened, and then only once, whatever is mounted where.
      let database = try YapDatabase(path: path, options: .quick)
      #expect(code { _ = try YapDatabase(path: mounted, options: .impatient) } == .alreadyOpen)
      try database.close()
    }
  }

  @Test(.enabled(if: canMount, "the permission to mount is needed"))
  func `a file is open once through all mounts of its folder`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let (data, mounted) = (folder.path + "/data", folder.path + "/mounted")
    for name in [data, mounted] {
      try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: false)
    }
    let database = try YapDatabase(path: data + "/test.sqlite", options: .quick)
    try #require(Self.bind(data, mounted))
    defer { umount2(mounted, Int32(MNT_DETACH)) }
    await #expect(processExitsWith: .success) { [path = mounted + "/test.sqlite" as String] in
      reported {
        try Discrepancy.check(code { _ = try YapDatabase(path: path, options: .impatient) }, .alreadyOpen, "the code")
      }
    }
    try database.close()
    try write(data + "/test.sqlite")
    await #expect(processExitsWith: .success) { [path = mounted + "/test.sqlite" as String] in
      reported {
        let database = try YapDatabase(path: path, options: .quick)
        try Discrepancy.check(database.snapshot, 1, "the snapshot")
        try database.close()
      }
    }
  }

  // MARK: Users

  /// Opens the database as another user, writes, and closes it or is killed.
  private static func use(_ path: String, as user: uid_t, group: gid_t, isKilled: Bool = false) throws {
    if setgroups(0, nil) != 0 || setgid(group) != 0 || setuid(user) != 0 { throw Discrepancy("still root") }
    umask(0o002)
    let database = try YapDatabase(path: path, options: .quick)
    try database.newConnection().readWrite { try $0.setObject(bytes("\(user)"), forKey: "k") }
    if isKilled { kill(getpid(), SIGKILL) }
    try database.close()
  }

  /// - Returns: The path of a database in a folder of user 1234 and group 5000, which the group can write to.
  private func makeSharedFolder(_ folder: String) throws -> String {
    chmod(folder, 0o755)
    let shared = folder + "/shared"
    #expect(mkdir(shared, 0o770) == 0 && chown(shared, 1234, 5000) == 0 && chmod(shared, 0o2770) == 0)
    return shared + "/test.sqlite"
  }

  @Test(.enabled(if: geteuid() == 0, "only root can become other users"))
  func `a service opens its database after a tool of root was killed`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = try makeSharedFolder(folder.path)
    await #expect(processExitsWith: .success) { [path = path as String] in
      reported { try SharedFileTests.use(path, as: 1234, group: 5000) }
    }
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      try SharedFileTests.use(path, as: 0, group: 0, isKilled: true)
    }
    await #expect(processExitsWith: .success) { [path = path as String] in
      reported { try SharedFileTests.use(path, as: 1234, group: 5000) }
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can become other users"))
  func `users of a group share a database that the group can write to`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = try makeSharedFolder(folder.path)
    await #expect(processExitsWith: .success) { [path = path as String] in
      reported { try SharedFileTests.use(path, as: 1111, group: 5000) }
    }
    chmod(path, 0o660)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      try SharedFileTests.use(path, as: 1111, group: 5000, isKilled: true)
    }
    await #expect(processExitsWith: .success) { [path = path as String] in
      reported { try SharedFileTests.use(path, as: 2222, group: 5000) }
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can become other users"))
  func `a file without permission to write is refused with the cause and a remedy`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = try makeSharedFolder(folder.path)
    try write(path)
    chmod(path, 0o644)
    await #expect(processExitsWith: .success) { [path = path as String] in
      reported {
        let error = failure { try SharedFileTests.use(path, as: 2222, group: 5000) }
        try Discrepancy.check(error?.code, .storage, "the code")
        let expected = "cannot be opened for reading and writing: Permission denied; change the permissions"
        try Discrepancy.check(error?.message.contains(expected) == true, true, "\(error?.message ?? "")")
      }
    }
    try #expect(FileManager.default.contentsOfDirectory(atPath: folder.path + "/shared") == ["test.sqlite"])
  }

  // MARK: SQLite beside the engine

  /// Closing any descriptor of the file would drop the locks of the program's own connection.
  @Test func `opening and closing leaves the locks of other SQLite connections of the process`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/test.sqlite"
    try write(path)
    let foreign = try SQLiteHandle(path: path)
    try #expect(foreign.integer("SELECT number FROM snapshot WHERE id = 1") == 1)
    func check(_ moment: String) async {
      await #expect(processExitsWith: .success, "\(moment)") { [path = path as String, owner = getpid() as Int32] in
        reported {
          try Discrepancy.check(OtherOwner(path).sqliteLockHolder, owner, "the holder of SQLite's lock")
        }
      }
    }
    await check("before")
    try write(path)
    await check("after the database was opened and closed")
    let owner = try OtherOwner(path)
    #expect(code { _ = try YapDatabase(path: path, options: .impatient) } == .alreadyOpen)
    #expect(code { try YapDatabase.checkIsClosed(path) } == .alreadyOpen)
    owner.release()
    await check("after opening was refused")
    try foreign.close()
    // The descriptors that had to stay open are closed now.
    try write(path)
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) == path
    }
    withExtendedLifetime(owner) { #expect(open.count == 1, "\(open)") }
  }
}
