import Foundation
import Glibc
import HarnessPrimitives
import SQLiteBinding
import TestSupport
import Testing

@testable import YapEngine

/// The engine's own VFS: pages from a mapping, and the frames of a commit in one write.
@Suite struct EngineVFSTests {
  private static func handle(_ path: String, vfs isOwn: Bool = true) throws -> SQLiteHandle {
    var options = YapDatabaseOptions()
    options.usesEngineVFS = isOwn
    return try SQLiteHandle(path: path, vfs: EngineVFS.name(options))
  }

  private static let rowBytes = 900

  /// A table whose rows have numbers, written by transactions that SQLite has to spill into the WAL.
  private struct Table {
    let handle: SQLiteHandle
    /// The values by row, as of the open transaction.
    var rows: [Int64: Int64] = [:]

    init(_ path: String, pageSize: Int) throws {
      handle = try EngineVFSTests.handle(path)
      try handle.execute("PRAGMA page_size = \(pageSize)")
      try #require(handle.text("PRAGMA journal_mode = wal") == "wal")
      try handle.execute("PRAGMA synchronous = normal; PRAGMA cache_size = 8")
      try handle.execute("CREATE TABLE rows(row INTEGER PRIMARY KEY, value INTEGER, filler BLOB)")
    }

    mutating func change(_ random: inout RandomStream) throws {
      for _ in 0..<random.next() % 40 {
        let (row, value) = (Int64(random.next() % 300), Int64(random.next() % 1_000_000))
        if random.next() % 5 == 0 {
          try handle.execute("DELETE FROM rows WHERE row = \(row)")
          rows[row] = nil
        } else {
          let bytes = "randomblob(\(EngineVFSTests.rowBytes))"
          try handle.execute("INSERT OR REPLACE INTO rows VALUES(\(row), \(value), \(bytes))")
          rows[row] = value
        }
      }
    }

    /// Runs a transaction, which may be rolled back. It has no savepoints: SQLite 3.40.1 loses a commit at recovery if
    /// spilled frames were written again before a savepoint was rolled back.
    mutating func runTransaction(_ random: inout RandomStream) throws {
      let before = rows
      try handle.execute("BEGIN IMMEDIATE")
      for _ in 0...random.next() % 4 { try change(&random) }
      if random.next() % 4 == 0 {
        try handle.execute("ROLLBACK")
        rows = before
      } else {
        try handle.execute("COMMIT")
      }
    }
  }

  private static func values(_ handle: SQLiteHandle) throws -> [Int64: Int64] {
    var values: [Int64: Int64] = [:]
    let statement = try handle.prepare("SELECT row, value, length(filler) FROM rows")
    while try statement.step() {
      try #require(statement.integer(at: 2) == rowBytes)
      values[statement.integer(at: 0)] = statement.integer(at: 1)
    }
    return values
  }

  /// A copy of the files is what a crash of the process would leave.
  @Test(arguments: [512, 4_096, 65_536])
  func `after each transaction the files contain it wholly, and other handles see it`(pageSize: Int) throws {
    let seed = Seed.announce(for: "EngineVFSTests")
    var random = RandomStream(seed: seed, "VFS \(pageSize)")
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      var table = try Table(path, pageSize: pageSize)
      let mapped = try Self.handle(path)
      let plain = try Self.handle(path, vfs: false)
      for number in 0..<TestScale.count(150) {
        try table.runTransaction(&random)
        try #require(Self.values(mapped) == table.rows, "transaction \(number)")
        try #require(Self.values(plain) == table.rows, "transaction \(number)")
        for suffix in ["", "-wal"] {
          try FileManager.default.copyItem(atPath: path + suffix, toPath: folder + "/copy" + suffix)
        }
        let copy = try Self.handle(folder + "/copy", vfs: false)
        try #require(Self.values(copy) == table.rows, "transaction \(number)")
        try #require(copy.text("PRAGMA integrity_check") == "ok", "transaction \(number)")
        try copy.close()
        for suffix in ["", "-wal", "-shm"] { unlink(folder + "/copy" + suffix) }
        if random.next() % 10 == 0 {
          let mode: SQLiteCheckpointMode = random.next() % 2 == 0 ? .truncate : .restart
          _ = try (random.next() % 2 == 0 ? plain : mapped).checkpoint(mode)
        }
        if random.next() % 20 == 0 { try plain.execute("VACUUM") }
      }
    }
  }

  private func withFilledDatabase(_ body: (YapDatabase) throws -> Void) throws {
    try withDatabase { database in
      try database.newConnection().readWrite { transaction in
        for key in 0..<2_000 { try transaction.setObject([UInt8](repeating: 7, count: 500), forKey: "\(key)") }
      }
      _ = try database.checkpoint(.truncate)
      try body(database)
    }
  }

  @Test func `a file that another program truncates causes an error, and no signal`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/test.sqlite"
    let database = try YapDatabase(path: path, options: .quick)
    // More than a handle's page cache holds.
    let count = 20_000
    try database.newConnection().readWrite { transaction in
      for key in 0..<count { try transaction.setObject([UInt8](repeating: 7, count: 500), forKey: "\(key)") }
    }
    _ = try database.checkpoint(.truncate)
    let connection = try database.newConnection()
    connection.objectCacheLimit = 1
    let read: (Int) throws -> Int = { key in
      try connection.read { (try $0.object(forKey: "\(key)") as? [UInt8])?.count ?? 0 }
    }
    for key in 0..<count { try #require(try read(key) == 500) }
    try #require(truncate(path, 4_096) == 0)
    let errors = (0..<count).compactMap { key in failure { _ = try read(key) } }
    #expect(!errors.isEmpty)
    #expect(errors.allSatisfy { $0.code == .corrupt || $0.code == .storage }, "\(Set(errors.map(\.code)))")
    try? database.close()
  }

  @Test func `a handle reads on after other handles have truncated its files and made them longer again`() throws {
    try withFilledDatabase { database in
      let reader = try database.newConnection()
      reader.objectCacheLimit = 1
      let sum: () throws -> Int = {
        try reader.read { transaction in
          var sum = 0
          try transaction.enumerateKeysAndObjects { _, object, _ in sum += (object as? [UInt8])?.count ?? 0 }
          return sum
        }
      }
      let writer = try database.newConnection()
      for round in 1...5 {
        try #require(try sum() == 2_000 * 500)
        try writer.readWrite { try $0.removeAllObjects() }
        try writer.vacuum()
        _ = try database.checkpoint(.truncate)
        try #require(try sum() == 0)
        try writer.readWrite { transaction in
          let object = [UInt8](repeating: UInt8(round), count: 500)
          for key in 0..<2_000 { try transaction.setObject(object, forKey: "\(key)") }
        }
      }
    }
  }

  @Test func `a handle that lends pages of SQLite's own mapping sees all commits`() throws {
    var options = YapDatabaseOptions.quick
    options.mmapSize = 1 << 30
    try withDatabase(options) { database in
      let (writer, reader) = (try database.newConnection(), try database.newConnection())
      reader.objectCacheLimit = 1
      for round in 0..<20 {
        try writer.readWrite { transaction in
          for key in 0..<200 { try transaction.setObject("\(round)", forKey: "\(key) \(round)") }
        }
        if round % 3 == 0 { _ = try database.checkpoint(.passive) }
        try reader.read { transaction in
          for key in 0..<200 {
            try #require(try transaction.object(forKey: "\(key) \(round)") as? String == "\(round)")
          }
        }
      }
      try #expect(reader.effectiveSettings().mmapSize == 1 << 30)
    }
  }
}
