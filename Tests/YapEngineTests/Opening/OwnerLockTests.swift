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

  @Test func `the lock is released with its process, however that ends`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/test.sqlite"
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let database = try YapDatabase(path: path, options: .quick)
      try database.newConnection().readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      kill(getpid(), SIGKILL)
    }
    #expect(FileManager.default.fileExists(atPath: path + "-owner"))
    let database = try YapDatabase(path: path, options: .quick)
    #expect(database.snapshot == 1)
    try database.close()
    try #expect(FileManager.default.contentsOfDirectory(atPath: folder.path) == ["test.sqlite"])
  }

  /// An owner removes the lock file when it closes. Two processes that open at that time must not both own it.
  @Test func `one of several processes that open and close at the same time owns the file`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let inside = SharedList<Int>()
      let crew = Crew()
      for thread in 0..<4 {
        try crew.add("thread \(thread)") {
          for _ in 0..<TestScale.count(300) {
            guard let lock = try? OwnerLock(databasePath: path) else { continue }
            inside.append(1)
            try Discrepancy.check(inside.all.reduce(0, +), 1, "owners")
            inside.append(-1)
            lock.release()
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
    let error = failure { _ = try YapDatabase(path: path, options: .quick) }
    try Discrepancy.check(error?.code, .alreadyOpen, "the code")
    guard let message = error?.message, message.contains(path), message.contains("process \(process),") else {
      throw Discrepancy("the message: \(error?.message ?? "none")")
    }
    // A symbolic link is rejected too.
    try FileManager.default.createSymbolicLink(atPath: path + "-link", withDestinationPath: path)
    try Discrepancy.check(code { _ = try YapDatabase(path: path + "-link") }, .alreadyOpen, "by a link")
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
