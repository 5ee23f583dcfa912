import Foundation
import Glibc
import SQLiteBinding
import TestSupport
import Testing

@testable import YapEngine

/// The files of an open database are renamed, deleted or replaced.
///
/// Open connections continue with the original files. No new handle is opened on other files, and nothing of a
/// successor at the path is changed.
@Suite struct MovedFileTests {
  enum Change: String, CaseIterable {
    case renamed, allRenamed, folderRenamed, deleted, allDeleted, replaced, replacedByCopy, recreated
    case walRenamed, walDeleted, walReplaced

    /// Applies the change. The files are in a folder of their own.
    func apply(_ path: String) throws {
      let files = FileManager.default
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      switch self {
      case .renamed: try files.moveItem(atPath: path, toPath: path + ".old")
      case .allRenamed:
        for suffix in ["", "-wal", "-shm"] { try files.moveItem(atPath: path + suffix, toPath: path + ".old" + suffix) }
      case .folderRenamed: try files.moveItem(atPath: folder, toPath: folder + ".old")
      case .deleted: try files.removeItem(atPath: path)
      case .allDeleted: try files.removeItem(atPath: folder)
      case .replaced:
        try YapDatabase(path: path + ".new", options: .quick).close()
        guard rename(path + ".new", path) == 0 else { throw POSIXError(.EIO) }
      case .replacedByCopy:
        // Another program copies the file: this process must not open it.
        let copying = try Process.run(URL(filePath: "/bin/cp"), arguments: [path, path + ".new"])
        copying.waitUntilExit()
        guard rename(path + ".new", path) == 0 else { throw POSIXError(.EIO) }
      case .recreated:
        try files.removeItem(atPath: folder)
        try files.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let new = try YapDatabase(path: path, options: .quick)
        try new.newConnection().readWrite { try $0.setObject(bytes("new"), forKey: "k") }
        try new.close()
      case .walRenamed: try files.moveItem(atPath: path + "-wal", toPath: path + "-wal.old")
      case .walDeleted: try files.removeItem(atPath: path + "-wal")
      case .walReplaced:
        try files.removeItem(atPath: path + "-wal")
        try Data().write(to: URL(fileURLWithPath: path + "-wal"))
      }
    }
  }

  /// No checkpoint runs, so the newest commits are only in the WAL.
  private static var options: YapDatabaseOptions {
    var options = YapDatabaseOptions.quick
    options.checkpointing = .every(nanoseconds: .max)
    options.handlePoolLimit = 0
    return options
  }

  private func withFolder(_ body: (_ path: String) throws -> Void) throws {
    try withTemporaryFolder { outer in
      let folder = outer + "/data"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      try body(folder + "/test.sqlite")
    }
  }

  private func names(of path: String) -> [String] {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  @Test(arguments: Change.allCases)
  func `open connections continue with the original, and new ones are refused`(_ change: Change) throws {
    try withFolder { path in
      let database = try YapDatabase(path: path, options: Self.options)
      let used = try database.newConnection()
      let unused = try database.newConnection()
      try used.readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      try change.apply(path)
      let left = names(of: path)
      for _ in 0..<2 {
        let error = failure { _ = try database.newConnection() }
        #expect(error?.code == .fileMoved && error?.message.contains(path) == true, "\(error?.message ?? "no error")")
      }
      #expect(names(of: path) == left)
      // Even a connection that has not read yet reads the original WAL.
      try #expect(unused.read { try $0.object(forKey: "k") as? [UInt8] } == bytes("1"))
      try used.readWrite { try $0.setObject(bytes("2"), forKey: "k") }
      try #expect(unused.read { try $0.object(forKey: "k") as? [UInt8] } == bytes("2"))
      #expect(database.statistics.walBytes > 0 && database.damage == nil)
      try database.close()
      #expect(database.statistics.walBytes == 0)
    }
  }

  /// SQLite does not copy the WAL of a moved file when the last handle closes.
  @Test(arguments: [Change.renamed, .allRenamed, .folderRenamed])
  func `a renamed file has every commit once the database is closed`(_ change: Change) throws {
    try withFolder { path in
      let database = try YapDatabase(path: path, options: Self.options)
      let connection = try database.newConnection()
      try connection.readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      try change.apply(path)
      try connection.readWrite { try $0.setObject(bytes("2"), forKey: "k") }
      try database.close()
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      let moved = change == .folderRenamed ? folder + ".old/test.sqlite" : path + ".old"
      let again = try YapDatabase(path: moved, options: .quick)
      #expect(again.snapshot == 2)
      try #expect(again.newConnection().read { try $0.object(forKey: "k") as? [UInt8] } == bytes("2"))
      try again.close()
    }
  }

  //  old database                            new database at the same path
  //  ──────────────────────────────────────  ──────────────────────────────────────
  //  opens and writes
  //  (its files are deleted)
  //                                          opens and writes
  //  makes checkpoints, closes
  //                                          is still owned, and reads its own rows
  @Test(arguments: ["closed", "released"])
  func `the end of an old database leaves its successor's files unchanged`(how: String) async throws {
    let outer = try TemporaryFolder()
    defer { withExtendedLifetime(outer) {} }
    let path = outer.path + "/data/test.sqlite"
    func makeFolder() throws {
      try FileManager.default.createDirectory(atPath: outer.path + "/data", withIntermediateDirectories: false)
    }
    try makeFolder()
    var old: YapDatabase? = try YapDatabase(path: path, options: .quick)
    weak let gone = old
    try old?.newConnection().syncReadWrite { try $0.setObject(bytes("old"), forKey: "k") }
    try FileManager.default.removeItem(atPath: outer.path + "/data")
    try makeFolder()
    let new = try YapDatabase(path: path, options: Self.options)
    let connection = try new.newConnection()
    try connection.syncReadWrite { try $0.setObject(bytes("new"), forKey: "k") }
    let before = names(of: path)
    _ = try old?.checkpoint(.truncate)
    if how == "closed" { try old?.close() }
    old = nil
    #expect(eventually { gone == nil })
    #expect(names(of: path) == before)
    await #expect(processExitsWith: .success) { [path = path as String] in
      reported {
        try Discrepancy.check(code { _ = try YapDatabase(path: path, options: .impatient) }, .alreadyOpen, "the code")
      }
    }
    try connection.syncReadWrite { try $0.setObject(bytes("newer"), forKey: "k") }
    try #expect(new.newConnection().syncRead { try $0.object(forKey: "k") as? [UInt8] } == bytes("newer"))
    try new.close()
    #expect(names(of: path) == ["test.sqlite"])
  }

  @Test func `a file that is renamed and renamed back is the same file`() throws {
    try withFolder { path in
      let database = try YapDatabase(path: path, options: Self.options)
      try database.newConnection().readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      #expect(rename(path, path + ".away") == 0)
      #expect(code { _ = try database.newConnection() } == .fileMoved)
      #expect(rename(path + ".away", path) == 0)
      try #expect(database.newConnection().read { try $0.object(forKey: "k") as? [UInt8] } == bytes("1"))
      try database.close()
      #expect(names(of: path) == ["test.sqlite"])
    }
  }

  @Test func `the error names the place of the original`() throws {
    try withFolder { path in
      let database = try YapDatabase(path: path, options: Self.options)
      #expect(rename(path, path + ".away") == 0)
      let moved = failure { _ = try database.newConnection() }
      #expect(moved?.message.contains("was moved or deleted") == true)
      #expect(moved?.message.contains("the original is now \(path).away") == true, "\(moved?.message ?? "")")
      try Data([1]).write(to: URL(fileURLWithPath: path))
      let replaced = failure { _ = try database.newConnection() }
      #expect(replaced?.message.contains("was replaced by another file") == true, "\(replaced?.message ?? "")")
      try database.close()
      try #expect(Data(contentsOf: URL(fileURLWithPath: path)) == Data([1]))
    }
  }

  /// The only way to save the rows of a file that was deleted.
  @Test(arguments: [true, false])
  func `a database that was renamed or deleted can be backed up`(_ isDeleted: Bool) throws {
    try withFolder { path in
      let database = try YapDatabase(path: path, options: .quick)
      let connection = try database.newConnection()
      try connection.readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      #expect(chmod(path, 0o600) == 0)
      if isDeleted { unlink(path) } else { #expect(rename(path, path + ".away") == 0) }
      try connection.backup(to: path + ".copy")
      try database.close()
      let copy = try YapDatabase(path: path + ".copy", options: .quick)
      try #expect(copy.newConnection().read { try $0.object(forKey: "k") as? [UInt8] } == bytes("1"))
      let mode = try FileManager.default.attributesOfItem(atPath: path + ".copy")[.posixPermissions] as? Int
      #expect(mode == 0o600)
      try copy.close()
    }
  }

  /// Handles of ended connections are open on the original.
  @Test func `pooled handles stay usable`() throws {
    try withFolder { path in
      let database = try YapDatabase(path: path, options: .quick)
      try database.newConnection().readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      #expect(eventually { database.handles.count == 1 })
      #expect(rename(path, path + ".away") == 0)
      let connection = try database.newConnection()
      try #expect(connection.read { try $0.object(forKey: "k") as? [UInt8] } == bytes("1"))
      #expect(code { _ = try database.newConnection() } == .fileMoved)
      try database.close()
    }
  }
}
