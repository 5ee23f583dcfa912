import Foundation
import Glibc
import SQLiteBinding
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// The target of a backup.
@Suite struct BackupTests {
  private func withRows(_ body: (YapDatabaseConnection, _ folder: String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let database = try YapDatabase(path: folder + "/test.sqlite", options: .quick)
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        for key in 0..<200 { try transaction.setObject("v", forKey: "\(key)") }
      }
      try body(connection, folder)
      try database.close()
    }
  }

  private func copies(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("copy") }.sorted()
  }

  /// SQLite would recover such a file into the copy at its first open.
  @Test(arguments: ["-wal", "-shm", "-journal"])
  func `a backup beside a file that SQLite would take for a part of the copy is refused`(suffix: String) throws {
    try withRows { connection, folder in
      let remains = bytes("the last commits of a database whose file was deleted")
      try Data(remains).write(to: URL(fileURLWithPath: folder + "/copy" + suffix))
      let error = failure { try connection.backup(to: folder + "/copy") }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message.contains("/copy\(suffix) belongs to an earlier file") == true, "\(error?.message ?? "")")
      try #expect(copies(in: folder) == ["copy" + suffix])
      #expect(FileManager.default.contents(atPath: folder + "/copy" + suffix) == Data(remains))
      unlink(folder + "/copy" + suffix)
      try connection.backup(to: folder + "/copy")
      try StoredFiles.check(folder + "/copy", count: 200)
    }
  }

  @Test func `a backup replaces no file, link or folder, and names what is there`() throws {
    try withRows { connection, folder in
      let manager = FileManager.default
      try manager.createSymbolicLink(atPath: folder + "/copy-dangling", withDestinationPath: folder + "/missing")
      try manager.createSymbolicLink(atPath: folder + "/copy-link", withDestinationPath: folder + "/test.sqlite")
      try manager.linkItem(atPath: folder + "/test.sqlite", toPath: folder + "/copy-hard")
      try manager.createDirectory(atPath: folder + "/copy-folder", withIntermediateDirectories: false)
      let before = try copies(in: folder)
      for name in before + ["test.sqlite"] {
        let error = failure { try connection.backup(to: folder + "/" + name) }
        #expect(error?.code == .invalidArgument && error?.message.contains(name) == true, "\(name): \(error as Any)")
      }
      for path in ["", folder + "/missing/copy", folder + "/test.sqlite/copy", "file:copy", folder + "/"] {
        #expect(code { try connection.backup(to: path) } == .invalidArgument, "\(path)")
      }
      try #expect(copies(in: folder) == before)
      unlink(folder + "/copy-hard")
    }
  }

  @Test func `the end of an open database whose file was deleted leaves a backup at its path unchanged`() throws {
    try withRows { connection, folder in
      let other = try YapDatabase(path: folder + "/copy", options: .quick)
      unlink(folder + "/copy")
      #expect(code { try connection.backup(to: folder + "/copy") } == .invalidArgument)
      unlink(folder + "/copy-wal")
      unlink(folder + "/copy-shm")
      try connection.backup(to: folder + "/copy")
      try other.close()
      try StoredFiles.check(folder + "/copy", count: 200)
    }
  }

  //  first connection                        second connection
  //  ──────────────────────────────────────  ──────────────────────────────────────
  //  copies a page
  //                                          backs up to the same path: refused
  //  completes the copy
  @Test func `two backups to one path do not write the same file`() throws {
    try withRows { connection, folder in
      let second = try connection.database.newConnection()
      var error: YapDatabaseError?
      try connection.backup(to: folder + "/copy", pagesPerStep: 1) { progress in
        if progress.copiedPages == 1 { error = failure { try second.backup(to: folder + "/copy") } }
      }
      #expect(error?.code == .alreadyOpen && error?.message.contains("another copy") == true)
      try StoredFiles.check(folder + "/copy", count: 200)
    }
  }

  @Test func `a file that appears during the backup is kept`() throws {
    try withRows { connection, folder in
      let error = failure {
        try connection.backup(to: folder + "/copy") { _ in
          try StoredFiles.put("mine", at: folder + "/copy")
        }
      }
      #expect(error?.code == .invalidArgument)
      #expect(FileManager.default.contents(atPath: folder + "/copy") == Data(bytes("mine")))
      try #expect(copies(in: folder) == ["copy"])
    }
  }

  @Test func `what an interrupted backup has left is replaced`() throws {
    try withRows { connection, folder in
      for suffix in ["", "-wal", "-journal", "-shm"] {
        try StoredFiles.put("remains", at: folder + "/copy.partial" + suffix)
      }
      try connection.backup(to: folder + "/copy")
      try #expect(copies(in: folder) == ["copy"])
      try StoredFiles.check(folder + "/copy", count: 200)
    }
  }

  @Test(arguments: [0o600, 0o640, 0o664])
  func `a copy has the permissions of the database, also while it is written`(permissions: Int) throws {
    try withRows { connection, folder in
      chmod(folder + "/test.sqlite", mode_t(permissions))
      try connection.backup(to: folder + "/copy", pagesPerStep: 1) { _ in
        for name in try copies(in: folder) {
          try Discrepancy.check(StoredFiles.permissions(folder + "/" + name), permissions, name)
        }
      }
      #expect(StoredFiles.permissions(folder + "/copy") == permissions)
    }
  }

  @Test func `a copy with a relative path lies in the folder that was the working folder at the start`() async throws {
    await #expect(processExitsWith: .success) {
      reported {
        try BackupTests().withRows { connection, folder in
          chdir(folder)
          mkdir("other", 0o755)
          try connection.backup(to: "copy", pagesPerStep: 1) { _ in chdir(folder + "/other") }
          try Discrepancy.check(FileManager.default.contentsOfDirectory(atPath: folder + "/other"), [], "other")
          try StoredFiles.check(folder + "/copy", count: 200)
        }
      }
    }
  }

  @Test(.enabled(if: MountView.isAvailable)) func `a backup to a full disk fails, and leaves no file`() async throws {
    await #expect(processExitsWith: .success) {
      reported {
        try MountView.create()
        try BackupTests().withRows { connection, folder in
          mkdir(folder + "/small", 0o755)
          try MountView.mountMemory(at: folder + "/small", bytes: 16 << 10)
          let error = failure { try connection.backup(to: folder + "/small/copy") }
          try Discrepancy.check(error?.code, .full, "the code")
          guard error?.message.contains(folder + "/small/copy") == true else { throw Discrepancy("\(error as Any)") }
          try Discrepancy.check(FileManager.default.contentsOfDirectory(atPath: folder + "/small"), [], "files")
          try connection.readWrite { try $0.setObject("v", forKey: "199") }
          try Discrepancy.check(connection.database.damage == nil, true, "no damage")
          try MountView.makeReadOnly(folder + "/small")
          try Discrepancy.check(code { try connection.backup(to: folder + "/small/copy") }, .storage, "read-only")
        }
      }
    }
  }

  /// The WAL of a killed database beside the path, as in the public report that led to the check.
  @Test func `the WAL of an earlier database is not applied to a backup`() throws {
    try withRows { connection, folder in
      try StoredFiles.kill(folder + "/other", into: folder) { database in
        let writer = try database.newConnection()
        for key in 0..<50 { try writer.readWrite { try $0.setObject(key, forKey: "\(key)") } }
      }
      unlink(folder + "/killed.sqlite")
      let target = folder + "/killed.sqlite"
      #expect(code { try connection.backup(to: target) } == .invalidArgument)
      #expect(WALFile.size(databasePath: target) > 50 * 4_096)
      #expect(!FileManager.default.fileExists(atPath: target))
    }
  }
}
