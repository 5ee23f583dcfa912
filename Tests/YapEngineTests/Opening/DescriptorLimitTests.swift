import Foundation
import Glibc
import SQLiteBinding
import TestSupport
import Testing

@testable import YapEngine

/// The process has no file descriptor left. Each test runs in a process of its own, because the limit is the process's.
@Suite struct DescriptorLimitTests {
  /// Runs `body` with room for `free` more descriptors.
  private static func withDescriptors(_ free: Int, _ body: () throws -> Void) throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    // Descriptors are numbered without gaps once the gaps are filled.
    var filling: [Int32] = []
    var next = dup(0)
    let used = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
    let last = used.max() ?? 0
    while next < last {
      filling.append(next)
      next = dup(0)
    }
    close(next)
    defer { for descriptor in filling { close(descriptor) } }
    var low = limit
    low.rlim_cur = rlim_t(Int(next) + free)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &low)
    defer { setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) }
    try body()
  }

  private static func expectCause(_ what: String, _ body: () throws -> Void) throws {
    let error = failure(body)
    try Discrepancy.check(error?.code, .storage, "the code of \(what)")
    for expected in ["Too many open files", "ulimit -n"] where error?.message.contains(expected) != true {
      throw Discrepancy("\(what): \(error?.message ?? "no error")")
    }
  }

  /// A handle needs up to two descriptors: for the database file and for the WAL.
  @Test(arguments: 0...1) func `a new connection names the limit, and everything else continues`(free: Int) async {
    await #expect(processExitsWith: .success) { [free = free as Int] in
      reported {
        var options = YapDatabaseOptions.quick
        options.handlePoolLimit = 0
        try withDatabase(options) { database in
          let connection = try database.newConnection()
          try connection.readWrite { try $0.setObject(bytes("1"), forKey: "k") }
          try DescriptorLimitTests.withDescriptors(free) {
            try DescriptorLimitTests.expectCause("newConnection") { _ = try database.newConnection() }
            try connection.readWrite { try $0.setObject(bytes("2"), forKey: "k") }
          }
          try Discrepancy.check(database.damage == nil, true, "no damage")
          let value = try database.newConnection().read { try $0.object(forKey: "k") as? [UInt8] }
          try Discrepancy.check(value, bytes("2"), "the value")
        }
      }
    }
  }

  /// Whatever the number of free descriptors, opening succeeds or names the limit, and leaves no file.
  @Test func `opening names the limit, however far it gets`() async {
    await #expect(processExitsWith: .success) {
      reported {
        try withTemporaryFolder { folder in
          var failures = 0
          for free in 0..<14 {
            let path = folder + "/\(free).sqlite"
            try DescriptorLimitTests.withDescriptors(free) {
              let error = failure { try YapDatabase(path: path, options: .quick).close() }
              guard let error else { return }
              failures += 1
              guard error.message.contains("Too many open files") else { throw Discrepancy("\(free): \(error)") }
            }
            if failures > free { try? FileManager.default.removeItem(atPath: path) }
            try YapDatabase(path: path, options: .quick).close()
          }
          guard (2..<14).contains(failures) else { throw Discrepancy("\(failures) failures") }
        }
      }
    }
  }

  @Test(arguments: 0...5) func `a backup succeeds or names the limit`(free: Int) async {
    await #expect(processExitsWith: .success) { [free = free as Int] in
      reported {
        try withDatabase { database in
          let connection = try database.newConnection()
          try connection.readWrite { try $0.setObject(bytes("1"), forKey: "k") }
          try DescriptorLimitTests.withDescriptors(free) {
            let error = failure { try connection.backup(to: database.path + ".copy") }
            if error == nil, free > 1 { return }
            try DescriptorLimitTests.expectCause("backup") { if let error { throw error } }
          }
        }
      }
    }
  }
}
