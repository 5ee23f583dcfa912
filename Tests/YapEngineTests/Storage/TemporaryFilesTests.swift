import Foundation
import Glibc
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// A machine on which SQLite cannot write a temporary file, such as a container whose only writable folder is the
/// database's.
@Suite(.enabled(if: MountView.isAvailable)) struct TemporaryFilesTests {
  @Test func `without a folder for temporary files, writers work, and a vacuum names the remedy`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      reported {
        try MountView.create()
        try MountView.mountMemory(at: path, bytes: 200 << 20)
        try MountView.makeEverythingReadOnly(except: [path])
        chdir("/")
        try Discrepancy.check(TemporaryFiles.folder, nil, "the folder of temporary files")
        let error = try TemporaryFilesTests.use(path + "/test.sqlite")
        try Discrepancy.check(error?.sqliteCode, 6410, "SQLite's code")
        try TemporaryFilesTests.check(error, names: ["none of the folders", "SQLITE_TMPDIR"])
      }
    }
  }

  @Test func `with a full folder for temporary files, writers work, and a vacuum names the folder`() async throws {
    let folder = try TemporaryFolder()
    let small = try TemporaryFolder()
    defer { withExtendedLifetime((folder, small)) {} }
    await #expect(processExitsWith: .success) { [path = folder.path as String, small = small.path as String] in
      reported {
        try MountView.create()
        try MountView.mountMemory(at: small, bytes: 64 << 10)
        setenv("SQLITE_TMPDIR", small, 1)
        let error = try TemporaryFilesTests.use(path + "/test.sqlite")
        try Discrepancy.check(error?.code, .full, "the code")
        try TemporaryFilesTests.check(error, names: [small, "SQLITE_TMPDIR"])
        unsetenv("SQLITE_TMPDIR")
      }
    }
  }

  private static func check(_ error: YapDatabaseError?, names parts: [String]) throws {
    let message = error?.message ?? "no error"
    for part in parts where !message.contains(part) { throw Discrepancy("\(part) is missing in: \(message)") }
  }

  /// Writes rows of 100 kB behind savepoints, and vacuums a database that is larger than SQLite's cache.
  /// - Returns: The error of the vacuum.
  private static func use(_ path: String) throws -> YapDatabaseError? {
    var options = YapDatabaseOptions.quick
    options.joinAlways()
    let database = try YapDatabase(path: path, options: options)
    try database.waitForOpeningCheckpoint()
    let writers = try (0..<3).map { _ in try database.newConnection() }
    for round in 1...4 {
      let outcomes = writeTogether(
        writers.enumerated().map { number, connection in
          Writing(connection) { transaction in
            let value = [UInt8](repeating: UInt8(round), count: 100_000)
            for key in 0..<30 { try transaction.setObject(value, forKey: "\(number) \(key)") }
          }
        }
      )
      for outcome in outcomes where outcome.number == nil { throw Discrepancy("round \(round): \(outcome)") }
    }
    // The savepoint restores the pages of rows that it has replaced.
    let lost = writeTogether([
      Writing(writers[0]) { try $0.setObject([UInt8](repeating: 9, count: 100_000), forKey: "0 0") },
      Writing(writers[1]) { transaction in
        for key in 0..<30 { try transaction.setObject([UInt8](repeating: 8, count: 100_000), forKey: "1 \(key)") }
        throw Deliberate()
      },
    ])
    try Discrepancy.check(lost.map { $0.number != nil }, [true, false], "commits")
    for number in 0..<10 {
      try writers[0].readWrite { transaction in
        let value = [UInt8](repeating: 1, count: 100_000)
        for key in 0..<30 { try transaction.setObject(value, forKey: "\(number)-\(key)") }
      }
    }
    let error = failure { try writers[0].vacuum() }
    try Discrepancy.check(database.damage == nil, true, "no damage")
    try writers[1].readWrite { try $0.setObject("after", forKey: "last") }
    try writers[2].read { transaction in
      try Discrepancy.check((transaction.object(forKey: "0 0") as? [UInt8])?.first, 9, "the joined row")
      try Discrepancy.check((transaction.object(forKey: "1 29") as? [UInt8])?.first, 4, "the rolled-back row")
      try Discrepancy.check(transaction.numberOfKeys(), 391, "rows")
    }
    try database.close()
    return error
  }
}
