import Foundation
import Glibc
import SQLiteBinding
import TestSupport
import Testing

@testable import YapEngine

@Suite struct CorruptFileTests {
  private func options(_ action: YapDatabaseCorruptAction) -> YapDatabaseOptions {
    var options = YapDatabaseOptions.quick
    options.corruptAction = action
    return options
  }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  private func write(_ byte: UInt8, _ path: String, count: Int = 5_000) throws {
    try Data(repeating: byte, count: count).write(to: URL(fileURLWithPath: path))
  }

  private func rowCount(_ database: YapDatabase) throws -> Int {
    try database.newConnection().read { try $0.numberOfKeysInAllCollections() }
  }

  private func contents(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  @Test func `a file that is not a database is moved aside with its WAL, and an empty database is created`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      try write(0x41, folder + "/test.sqlite.1.corrupt-wal")  // its name is taken
      try write(0x42, path)
      try write(0x43, path + "-wal", count: 40_000)
      try write(0x44, path + "-shm", count: 32_768)
      let database = try YapDatabase(path: path, options: options(.rename))
      let recovery = try #require(database.replacedFile)
      #expect(recovery.action == .rename)
      #expect(recovery.cause.code == .corrupt && recovery.cause.sqliteCode == 26)
      let moved = path + ".2.corrupt"
      #expect(recovery.files == [moved, moved + "-shm", moved + "-wal"])
      try #expect(contents(moved) == Data(repeating: 0x42, count: 5_000))
      try #expect(contents(moved + "-wal") == Data(repeating: 0x43, count: 40_000))
      #expect(database.snapshot == 0)
      try database.newConnection().readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      try database.close()
      let again = try YapDatabase(path: path, options: options(.rename))
      #expect(again.replacedFile == nil && again.snapshot == 1)
      try again.close()
    }
  }

  @Test func `a file that is not a database can be deleted or left unchanged`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      for suffix in ["", "-wal", "-shm"] { try write(0x42, path + suffix) }
      let error = failure { _ = try YapDatabase(path: path, options: options(.fail)) }
      #expect(error?.code == .corrupt)
      try #expect(names(folder) == ["test.sqlite", "test.sqlite-shm", "test.sqlite-wal"])
      // SQLite rebuilds the -shm file from the WAL whenever it opens it.
      for suffix in ["", "-wal"] { try #expect(contents(path + suffix) == Data(repeating: 0x42, count: 5_000)) }
      let database = try YapDatabase(path: path, options: options(.delete))
      #expect(database.replacedFile?.action == .delete && database.replacedFile?.files.isEmpty == true)
      try database.close()
      try #expect(names(folder) == ["test.sqlite"])
    }
  }

  /// An overwritten page of the schema causes SQLITE_CORRUPT, not SQLITE_NOTADB.
  @Test func `a damaged page that opening reads counts as damage`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let first = try YapDatabase(path: path, options: options(.fail))
      try first.newConnection().readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      try first.close()
      var data = try contents(path)
      data.replaceSubrange(100..<4_000, with: Data(repeating: 0xff, count: 3_900))
      try data.write(to: URL(fileURLWithPath: path))
      #expect(failure { _ = try YapDatabase(path: path, options: options(.fail)) }?.sqliteCode.map { $0 & 0xff } == 11)
      try #expect(contents(path) == data)
      let database = try YapDatabase(path: path, options: options(.rename))
      #expect(database.replacedFile?.cause.sqliteCode.map { $0 & 0xff } == 11)
      try #expect(contents(path + ".1.corrupt") == data)
      try database.close()
    }
  }

  /// None of these cases is damage, whatever the options.
  @Test(arguments: YapDatabaseCorruptAction.allCases)
  func `other errors do not move the files`(action: YapDatabaseCorruptAction) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      // Another program's database.
      let foreign = try SQLiteHandle(path: path)
      try foreign.execute("CREATE TABLE theirs(a)")
      try foreign.close()
      #expect(code { _ = try YapDatabase(path: path, options: options(action)) } == .incompatible)
      try #expect(names(folder) == ["test.sqlite"])
      // A folder at the path.
      try FileManager.default.createDirectory(atPath: folder + "/folder", withIntermediateDirectories: false)
      #expect(code { _ = try YapDatabase(path: folder + "/folder", options: options(action)) } == .invalidArgument)
      // A lock that is held while the file is created.
      let locked = folder + "/locked.sqlite"
      let holder = try SQLiteHandle(path: locked)
      try holder.execute("BEGIN EXCLUSIVE")
      var impatient = options(action)
      impatient.busyTimeoutNanoseconds = 10_000_000
      #expect(code { _ = try YapDatabase(path: locked, options: impatient) } == .busy)
      try holder.close()
      try #expect(names(folder).allSatisfy { !$0.contains("corrupt") })
    }
  }

  @Test(arguments: ["snapshot SET number", "collections SET number"], [-1, .min, .max, 1 << 62] as [Int64])
  func `numbers that would overflow are refused`(column: String, number: Int64) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let database = try YapDatabase(path: path, options: .quick)
      try database.newConnection().readWrite { try $0.setObject("a", forKey: "a", inCollection: "c") }
      try database.close()
      let handle = try SQLiteHandle(path: path)
      try handle.execute("UPDATE \(column) = \(number) WHERE rowid = 1")
      try handle.close()
      let error = failure { _ = try YapDatabase(path: path, options: .quick) }
      #expect(error?.code == .corrupt)
      #expect(error?.message.contains("number \(number); restore") == true, "\(error?.message ?? "no error")")
    }
  }

  @Test func `a WAL whose database file is lost is not used for a new file`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/test.sqlite"
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let database = try YapDatabase(path: path, options: .quick)
      try database.newConnection().readWrite { try $0.setObject(bytes("old"), forKey: "k") }
      kill(getpid(), SIGKILL)
    }
    try FileManager.default.removeItem(atPath: path)
    #expect(FileManager.default.fileExists(atPath: path + "-wal"))
    let database = try YapDatabase(path: path, options: .quick)
    #expect(database.snapshot == 0)
    try #expect(rowCount(database) == 0)
    try database.close()
  }

  // MARK: Damage found in use

  @Test func `damage found in use is reported, and nothing more is written`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let first = try YapDatabase(path: path, options: .quick)
      try first.newConnection().readWrite { transaction in
        for index in 0..<2_000 { try transaction.setObject(bytes("value \(index)"), forKey: "key \(index)") }
      }
      try first.close()
      var data = try contents(path)
      // The first pages of the tables stay, and most of the rows are overwritten.
      data.replaceSubrange(10 * 4_096..<data.count, with: Data(repeating: 0xff, count: data.count - 10 * 4_096))
      try data.write(to: URL(fileURLWithPath: path))
      let database = try YapDatabase(path: path, options: .quick)
      #expect(database.replacedFile == nil && database.damage == nil)
      let connection = try database.newConnection()
      let error = failure { try connection.read { try $0.enumerateRows { _, _, _, _ in } } }
      #expect(error?.code == .corrupt)
      #expect(database.damage?.code == .corrupt)
      let refused = failure { try connection.readWrite { _ in _ = Issue.record("the block ran") } }
      #expect(refused?.code == .corrupt)
      #expect(refused?.message.contains(path) == true)
      try connection.read { #expect($0.snapshot == 1) }
      try? database.close()
    }
  }
}
