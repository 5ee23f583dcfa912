import Foundation
import Glibc
import SQLiteBinding
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

@Suite struct OwnerLockTests {
  private func put(_ database: YapDatabase) throws {
    try database.newConnection().readWrite { try $0.setObject(bytes("1"), forKey: "k") }
  }

  //  this process                            another process
  //  ──────────────────────────────────────  ──────────────────────────────────────
  //  opens the database
  //                                          opens it: fails
  //  closes it
  //                                          opens it
  @Test func `another process cannot open the file, and the error names the owner`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/test.sqlite"
    let database = try YapDatabase(path: path, options: .quick)
    let process = Int(getpid())
    await #expect(processExitsWith: .success) { [path = path as String, process = process as Int] in
      reported { try OwnerLockTests.isRefused(path, by: process) }
    }
    // The failed open does no harm, and the lock is still held.
    try put(database)
    try database.close()
    await #expect(processExitsWith: .success) { [path = path as String] in
      reported {
        let database = try YapDatabase(path: path, options: .quick)
        try Discrepancy.check(database.snapshot, 1, "the snapshot")
        try database.close()
      }
    }
  }

  /// A kill releases the lock, and leaves no file of the engine's own.
  @Test func `the lock is released with its process, however that ends`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/test.sqlite"
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let database = try YapDatabase(path: path, options: .quick)
      try database.newConnection().readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      kill(getpid(), SIGKILL)
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(left).isSubset(of: ["test.sqlite", "test.sqlite-wal", "test.sqlite-shm"]), "\(left)")
    let database = try YapDatabase(path: path, options: .quick)
    #expect(database.snapshot == 1)
    try database.close()
    try #expect(FileManager.default.contentsOfDirectory(atPath: folder.path) == ["test.sqlite"])
  }

  /// Owners rename, replace and delete the file when they close it. Of those that open meanwhile, at most one owns the
  /// file at the path.
  @Test(arguments: ["kept", "deleted", "replaced"])
  func `one of several that open and close at the same time owns the file`(_ end: String) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let inside = SharedList<Int>()
      let crew = Crew()
      for thread in 0..<4 {
        try crew.add("thread \(thread)") {
          for _ in 0..<TestScale.count(300) {
            guard let file = try? OwnedFile.acquire(path, options: .impatient) else { continue }
            inside.append(1)
            try Discrepancy.check(inside.all.reduce(0, +), 1, "owners")
            try file.checkIsAtPath()
            inside.append(-1)
            if end == "deleted" { unlink(path) }
            if end == "replaced" { try Data().write(to: URL(fileURLWithPath: path), options: .atomic) }
            file.release()
          }
        }
      }
      #expect(crew.run() == nil)
      #expect(inside.all.count > 8)
    }
  }

  /// Another program may open the file with SQLite and hold its lock without the engine's lock.
  @Test func `a lock that another process holds ends in an error within the limit`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/test.sqlite"
    let database = try YapDatabase(path: path, options: .quick)
    try put(database)
    try database.close()
    let foreign = try SQLiteHandle(path: path)
    try foreign.execute("BEGIN IMMEDIATE")
    await #expect(processExitsWith: .success) { [path = path as String] in
      reported { try OwnerLockTests.isBusy(path) }
    }
    try foreign.execute("ROLLBACK")
    try foreign.close()
  }

  // MARK: In the other process

  private static func isRefused(_ path: String, by process: Int) throws {
    let error = failure { _ = try YapDatabase(path: path, options: .impatient) }
    try Discrepancy.check(error?.code, .alreadyOpen, "the code")
    guard let message = error?.message, message.contains(path), message.contains("process \(process),") else {
      throw Discrepancy("the message: \(error?.message ?? "none")")
    }
    try Discrepancy.check(code { try YapDatabase.checkIsClosed(path) }, .alreadyOpen, "checkIsClosed")
  }

  private static func isBusy(_ path: String) throws {
    var options = YapDatabaseOptions.quick
    options.busyTimeoutNanoseconds = 50_000_000
    let database = try YapDatabase(path: path, options: options)
    let connection = try database.newConnection()
    let started = MonotonicClock.now
    let error = failure { try connection.readWrite { try $0.setObject(bytes("2"), forKey: "k") } }
    try Discrepancy.check(error?.code, .busy, "the code")
    if MonotonicClock.now < started + 50_000_000 { throw Discrepancy("it did not wait for the limit") }
    try connection.read { try Discrepancy.check($0.object(forKey: "k") as? [UInt8], bytes("1"), "the value") }
    try Discrepancy.check(database.damage == nil, true, "a lock is no damage")
  }
}
