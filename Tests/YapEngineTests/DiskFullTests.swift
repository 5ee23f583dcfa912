import Foundation
import Glibc
import SQLiteBinding
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

@Suite struct DiskFullTests {
  /// The state that a failed transaction must not change.
  private struct Untouched: Equatable {
    let snapshot: UInt64
    let seen: [[UInt8]?]
    let told: [UInt64]

    init(_ database: YapDatabase, _ connections: [YapDatabaseConnection], _ listener: Listener) throws {
      snapshot = database.snapshot
      seen = try connections.map { try $0.read { try $0.object(forKey: "k") as? [UInt8] } }
      told = listener.told.all.map(\.snapshot)
    }
  }

  /// The file must not grow, so statements fail in the middle of the transaction.
  @Test func `a full file fails the transaction, and no notification is posted`() throws {
    try withDatabase { database in
      let sqlite = database.writer.handle.sqlite
      try attempt(
        database,
        fill: { try sqlite.execute("PRAGMA max_page_count = 10") },
        clear: { try sqlite.execute("PRAGMA max_page_count = 1000000") }
      )
    }
  }

  /// A file system of 2 MiB, if the system allows the mount. Writes to the WAL fail at COMMIT or when the cache spills;
  /// each size fails at another point.
  @Test(.enabled(if: geteuid() == 0), arguments: [8, 64, 300, 600])
  func `a full disk fails the transaction, and no notification is posted`(kilobytesLeft: Int) throws {
    try withTemporaryFolder { folder in
      guard mount("tmpfs", folder, "tmpfs", 0, "size=2m") == 0 else { return }  // not in every container
      defer { umount2(folder, Int32(MNT_DETACH)) }
      let database = try YapDatabase(path: folder + "/test.sqlite", options: .quick)
      let ballast = folder + "/ballast"
      try attempt(
        database,
        fill: { try Self.fill(ballast, leaving: kilobytesLeft * 1_024, in: folder) },
        clear: { try FileManager.default.removeItem(atPath: ballast) }
      )
      try database.close()
      let handle = try SQLiteHandle(path: folder + "/test.sqlite")
      try #expect(handle.text("PRAGMA integrity_check") == "ok")
      try handle.close()
    }
  }

  /// Several transactions are committed together while the disk is full. They fail together, and acknowledged ones are
  /// in the file.
  @Test(.enabled(if: geteuid() == 0 && TestHooks.areBuiltIn), arguments: [8, 64])
  func `a full disk fails a joint commit as a whole`(kilobytesLeft: Int) throws {
    try withTemporaryFolder { folder in
      guard mount("tmpfs", folder, "tmpfs", 0, "size=2m") == 0 else { return }  // not in every container
      defer { umount2(folder, Int32(MNT_DETACH)) }
      var options = YapDatabaseOptions.quick
      options.joinAlways()
      let database = try YapDatabase(path: folder + "/test.sqlite", options: options)
      try database.waitForOpeningCheckpoint()
      let writers = try (0..<3).map { _ in try database.newConnection() }
      try writers[0].readWrite { try $0.setObject(bytes("before"), forKey: "k") }
      try Self.fill(folder + "/ballast", leaving: kilobytesLeft * 1_024, in: folder)
      let outcomes = writeTogether(
        writers.enumerated().map { place, connection in
          Writing(connection) { transaction in
            try transaction.setObject(bytes("lost"), forKey: "k")
            for index in 0..<100 {
              try transaction.setObject([UInt8](repeating: 1, count: 4_000), forKey: "\(place) \(index)")
            }
          }
        }
      )
      #expect(outcomes.contains { ($0.failure as? YapDatabaseError)?.code == .full })
      let committed = outcomes.compactMap(\.number).sorted()
      #expect(committed == Array((1..<database.snapshot).map { $0 + 1 }))
      for connection in writers {
        try connection.read { transaction in
          let expected = bytes(committed.isEmpty ? "before" : "lost")
          try #expect(transaction.object(forKey: "k") as? [UInt8] == expected)
          try #expect(transaction.numberOfKeys() == 1 + 100 * committed.count)
        }
      }
      try FileManager.default.removeItem(atPath: folder + "/ballast")
      try writers[1].readWrite { try $0.setObject(bytes("after"), forKey: "k") }
      try database.close()
      let handle = try SQLiteHandle(path: folder + "/test.sqlite")
      try #expect(handle.text("PRAGMA integrity_check") == "ok")
      try handle.close()
    }
  }

  private func attempt(_ database: YapDatabase, fill: () throws -> Void, clear: () throws -> Void) throws {
    let writer = try database.newConnection(name: "writer")
    let reader = try database.newConnection(name: "reader")
    let ui = try database.newConnection(name: "ui")
    let listener = Listener(database)
    try writer.readWrite { try $0.setObject(bytes("before"), forKey: "k") }
    #expect(eventually { listener.told.all.count == 1 })
    try ui.beginLongLivedReadTransaction()
    let before = try Untouched(database, [writer, reader, ui], listener)
    try fill()
    let error = failure {
      try writer.readWrite { transaction in
        try transaction.setObject(bytes("lost"), forKey: "k")
        for index in 0..<400 { try transaction.setObject([UInt8](repeating: 1, count: 4_000), forKey: "\(index)") }
      }
    }
    #expect(error?.code == .full, "\(error?.message ?? "no error")")
    try #expect(Untouched(database, [writer, reader, ui], listener) == before)
    try clear()
    #expect(database.damage == nil)
    try writer.readWrite { try $0.setObject(bytes("after"), forKey: "k") }
    #expect(database.snapshot == 2)
    try reader.read { transaction in
      try #expect(transaction.object(forKey: "k") as? [UInt8] == bytes("after"))
      try #expect(transaction.numberOfKeys() == 1)
    }
    try #expect(ui.beginLongLivedReadTransaction().map(\.snapshot) == [2])
    #expect(eventually { listener.told.all.map(\.snapshot) == [1, 2] })
    try ui.endLongLivedReadTransaction()
  }

  /// A write beyond the system's limit of file sizes fails with this code.
  @Test func `the error of a failed write names what to check`() {
    let error = YapDatabaseError(SQLiteError(code: 778, message: "disk I/O error", operation: "COMMIT"))
    #expect(error.code == .storage && error.sqliteCode == 778)
    #expect(
      error.message
        == "disk I/O error (SQLite 778) in \"COMMIT\": check the disk, and the limit of file sizes (ulimit -f)"
    )
  }

  private static func fill(_ path: String, leaving bytes: Int, in folder: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil) else { throw Discrepancy("no ballast") }
    let ballast = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? ballast.close() }
    while true {
      var status = statvfs()
      statvfs(folder, &status)
      let free = Int(status.f_bavail) * Int(status.f_frsize)
      if free <= bytes { return }
      // If another process takes the last space, the disk is full too.
      do { try ballast.write(contentsOf: Data(repeating: 0, count: min(free - bytes, 4_096))) } catch { return }
    }
  }
}
