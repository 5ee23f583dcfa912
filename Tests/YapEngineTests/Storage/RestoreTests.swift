import Foundation
import Glibc
import SQLiteBinding
import TestSupport
import Testing

@testable import YapEngine

@Suite struct RestoreTests {
  /// A database with 10 rows "old", and a backup of another one with 300 rows "new".
  private struct Files {
    let folder: String
    var database: String { folder + "/data/test.sqlite" }
    var backup: String { folder + "/backups/monday" }

    init(_ folder: String) throws {
      self.folder = folder
      for name in ["data", "backups"] { mkdir(folder + "/" + name, 0o755) }
      try StoredFiles.create(database, count: 10, value: "old")
      let source = try YapDatabase(path: folder + "/source", options: .quick)
      let connection = try source.newConnection()
      for part in 0..<3 {
        try connection.readWrite { transaction in
          for key in 0..<100 { try transaction.setObject("new", forKey: "\(part * 100 + key)") }
        }
      }
      try connection.backup(to: backup)
      try source.close()
    }

    func names(in name: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder + "/" + name).sorted()
    }
  }

  private func withFiles(_ body: (Files) throws -> Void) throws {
    try withTemporaryFolder { try body(Files($0)) }
  }

  /// Checks that `restore` throws, and changes nothing.
  private func expectRefusal(
    _ expected: YapDatabaseError.Code,
    _ files: Files,
    from backup: String? = nil,
    _ comment: Comment
  ) throws {
    let before = try ["data", "backups"].map { try StoredFiles.contents(of: files.folder + "/" + $0) }
    let error = failure { try YapDatabase.restore(from: backup ?? files.backup, to: files.database) }
    #expect(error?.code == expected, "\(comment): \(error?.message ?? "no error")")
    try #expect(["data", "backups"].map { try StoredFiles.contents(of: files.folder + "/" + $0) } == before, comment)
  }

  @Test func `a restored database has the rows and the number of the backup, and can be used`() throws {
    try withFiles { files in
      let backup = try StoredFiles.contents(of: files.folder + "/backups")
      try #expect(YapDatabase.restore(from: files.backup, to: files.database) == 3)
      try #expect(files.names(in: "data") == ["test.sqlite"])
      try #expect(StoredFiles.contents(of: files.folder + "/backups") == backup)
      try StoredFiles.check(files.database, count: 300, value: "new")
      let database = try YapDatabase(path: files.database, options: .quick)
      try database.newConnection().readWrite { try $0.setObject("later", forKey: "k") }
      #expect(database.snapshot == 4)
      try database.close()
      // The backup can be restored again.
      try #expect(YapDatabase.restore(from: files.backup, to: files.database) == 3)
      try StoredFiles.check(files.database, count: 300, value: "new")
    }
  }

  /// A killed process leaves the WAL, which SQLite would apply to the restored file.
  @Test func `the files that a killed process has left beside the database are removed`() throws {
    try withFiles { files in
      unlink(files.database)
      try StoredFiles.kill(files.folder + "/other", into: files.folder + "/data") { database in
        let writer = try database.newConnection()
        for key in 0..<50 { try writer.readWrite { try $0.setObject(key, forKey: "\(key)") } }
      }
      for suffix in ["", "-wal", "-shm"] {
        rename(files.folder + "/data/killed.sqlite" + suffix, files.database + suffix)
      }
      try StoredFiles.put("a journal", at: files.database + "-journal")
      try YapDatabase.restore(from: files.backup, to: files.database)
      try #expect(files.names(in: "data") == ["test.sqlite"])
      try StoredFiles.check(files.database, count: 300, value: "new")
    }
  }

  @Test func `a database that is missing, damaged or behind a link is restored`() throws {
    try withFiles { files in
      unlink(files.database)
      try YapDatabase.restore(from: files.backup, to: files.database)
      try StoredFiles.check(files.database, count: 300, value: "new")
      try Data(bytes("no database")).write(to: URL(fileURLWithPath: files.database))
      let link = files.folder + "/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: files.database)
      try YapDatabase.restore(from: files.backup, to: link)
      try #expect(FileManager.default.destinationOfSymbolicLink(atPath: link) == files.database)
      try StoredFiles.check(files.database, count: 300, value: "new")
    }
  }

  @Test func `the restored file has the permissions of the former one, or else of the backup`() throws {
    try withFiles { files in
      chmod(files.database, 0o660)
      chmod(files.backup, 0o600)
      try YapDatabase.restore(from: files.backup, to: files.database)
      #expect(StoredFiles.permissions(files.database) == 0o660)
      unlink(files.database)
      try YapDatabase.restore(from: files.backup, to: files.database)
      #expect(StoredFiles.permissions(files.database) == 0o600)
    }
  }

  @Test func `an open database is neither replaced nor taken for a backup`() async throws {
    try withFiles { files in
      let database = try YapDatabase(path: files.database, options: .quick)
      #expect(code { try YapDatabase.restore(from: files.backup, to: files.database) } == .alreadyOpen)
      try database.newConnection().read { try #expect($0.numberOfKeys() == 10) }
      try database.close()
      let open = try YapDatabase(path: files.backup, options: .quick)
      #expect(code { try YapDatabase.restore(from: files.backup, to: files.database) } == .alreadyOpen)
      try open.close()
      try StoredFiles.check(files.database, count: 10, value: "old")
    }
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let files = try Files(folder.path)
    let database = try YapDatabase(path: files.database, options: .quick)
    await #expect(processExitsWith: .success) { [backup = files.backup as String, path = files.database as String] in
      reported {
        let code = code { try YapDatabase.restore(from: backup, to: path) }
        try Discrepancy.check(code, .alreadyOpen, "in another process")
      }
    }
    try database.close()
  }

  @Test func `a backup that cannot be used is refused, and nothing changes`() throws {
    try withFiles { files in
      try expectRefusal(.invalidArgument, files, from: files.folder + "/backups/none", "a missing backup")
      try expectRefusal(.invalidArgument, files, from: files.folder + "/backups", "a folder")
      try expectRefusal(.invalidArgument, files, from: files.database, "the database itself")
      let link = files.folder + "/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: files.database)
      try expectRefusal(.invalidArgument, files, from: link, "a link to the database")
      let healthy = try #require(FileManager.default.contents(atPath: files.backup))
      let url = URL(fileURLWithPath: files.backup)
      func change(_ sql: String) throws {
        try healthy.write(to: url)
        let handle = try SQLiteHandle(path: files.backup)
        try handle.execute("PRAGMA journal_mode = DELETE; \(sql)")
        try handle.close()
      }
      try Data().write(to: url)
      try expectRefusal(.incompatible, files, "an empty file")
      try Data(bytes("no database at all, but long enough to have a header, which is of 100 bytes in SQLite ......"))
        .write(to: url)
      try expectRefusal(.corrupt, files, "a text")
      try healthy.prefix(healthy.count / 2).write(to: url)
      try expectRefusal(.corrupt, files, "half a file")
      var damaged = healthy
      damaged.replaceSubrange(5 * 4_096..<6 * 4_096, with: Data(repeating: 0x55, count: 4_096))
      try damaged.write(to: url)
      try expectRefusal(.corrupt, files, "a damaged page")
      try change("PRAGMA application_id = 1")
      try expectRefusal(.incompatible, files, "another program's file")
      try change("PRAGMA user_version = 1000")
      try expectRefusal(.incompatible, files, "a later layout")
      try change("PRAGMA user_version = \(Schema.version - 1)")
      try expectRefusal(.incompatible, files, "an earlier layout")
      try change("DELETE FROM snapshot WHERE id = 1")
      try expectRefusal(.corrupt, files, "no snapshot number")
      try change("PRAGMA application_id = 0; PRAGMA user_version = 0")
      try expectRefusal(.incompatible, files, "a dump")
      try healthy.write(to: url)
      try StoredFiles.put("a WAL without its index", at: files.backup + "-wal")
      try expectRefusal(.incompatible, files, "a WAL without its index")
    }
  }

  @Test func `the copied files of a killed database are a backup, together with the commits in the WAL`() throws {
    try withFiles { files in
      try StoredFiles.kill(files.folder + "/other", into: files.folder + "/backups") { database in
        let writer = try database.newConnection()
        for key in 0..<50 { try writer.readWrite { try $0.setObject("new", forKey: "\(key)") } }
      }
      let backup = files.folder + "/backups/killed.sqlite"
      let before = try StoredFiles.contents(of: files.folder + "/backups")
      try #expect(YapDatabase.restore(from: backup, to: files.database) == 50)
      try #expect(StoredFiles.contents(of: files.folder + "/backups") == before)
      try StoredFiles.check(files.database, count: 50, value: "new")
      // The WAL of another database is not read.
      rename(backup + "-wal", files.backup + "-wal")
      rename(backup + "-shm", files.backup + "-shm")
      try expectRefusal(.foreignWAL, files, "a WAL of another database")
    }
  }

  @Test(.enabled(if: MountView.isAvailable))
  func `a backup on a read-only file system is restored, and a full disk changes nothing`() async throws {
    await #expect(processExitsWith: .success) {
      reported {
        try MountView.create()
        try RestoreTests().withFiles { files in
          let healthy = try Data(contentsOf: URL(fileURLWithPath: files.backup))
          try MountView.mountMemory(at: files.folder + "/backups", bytes: 1 << 20)
          try healthy.write(to: URL(fileURLWithPath: files.backup))
          try MountView.makeReadOnly(files.folder + "/backups")
          try YapDatabase.restore(from: files.backup, to: files.database)
          try StoredFiles.check(files.database, count: 300, value: "new")
          try MountView.mountMemory(at: files.folder + "/data", bytes: 512 << 10)
          try StoredFiles.create(files.database, count: 3, value: "old")
          var status = statvfs()
          statvfs(files.folder + "/data", &status)
          let free = Int(status.f_bavail) * Int(status.f_frsize)
          try Data(count: free - 8_192).write(to: URL(fileURLWithPath: files.folder + "/data/ballast"))
          let before = try StoredFiles.contents(of: files.folder + "/data")
          try Discrepancy.check(code { try YapDatabase.restore(from: files.backup, to: files.database) }, .full, "full")
          try Discrepancy.check(StoredFiles.contents(of: files.folder + "/data"), before, "the files")
          // An open database needs space for its -shm file.
          unlink(files.folder + "/data/ballast")
          try StoredFiles.check(files.database, count: 3, value: "old")
        }
      }
    }
  }
}
