import Foundation
import Glibc
import SQLiteBinding
import TestSupport
import Testing

@testable import YapEngine

/// Accidents to the files of a database between two processes, and the results of opening it.
///
/// Either all files are moved together, or they stay and every byte of the database file is unchanged.
@Suite struct MishapTests {
  private static let rows = 2_000

  enum Mishap: String, CaseIterable {
    case headerOverwritten, headerCut, pagesCut, schemaOverwritten
    case everythingCut, walOverwritten, walCut, sharedMemoryOverwritten, walGone

    /// SQLite's result code; nil if the accident is not damage.
    var damage: Int32? {
      switch self {
      case .headerOverwritten: 26
      case .headerCut, .pagesCut, .schemaOverwritten: 11
      default: nil
      }
    }
  }

  /// Creates a database as after a crash. The rows of the last run are in the WAL, those of earlier runs in the file. A
  /// child process copies the files, because this process must not open the database file a second time.
  private func leaveDatabase(_ folder: String, runs: Int = 2) throws -> String {
    var options = YapDatabaseOptions.quick
    options.checkpointing = .every(nanoseconds: .max)
    for run in 0..<runs {
      let database = try YapDatabase(path: folder + "/run.sqlite", options: options)
      try database.newConnection().readWrite { transaction in
        for index in 0..<Self.rows { try transaction.setObject(bytes("value \(index)"), forKey: "\(run) \(index)") }
      }
      if run == runs - 1 {
        for suffix in ["", "-wal", "-shm"] {
          let copying = try Process.run(
            URL(filePath: "/bin/cp"),
            arguments: [folder + "/run.sqlite" + suffix, folder + "/left.sqlite" + suffix]
          )
          copying.waitUntilExit()
        }
      }
      try database.close()
    }
    try FileManager.default.removeItem(atPath: folder + "/run.sqlite")
    return folder + "/left.sqlite"
  }

  private func change(_ path: String, _ body: (inout Data) -> Void) throws {
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    body(&data)
    try data.write(to: URL(fileURLWithPath: path))
  }

  private func befall(_ mishap: Mishap, _ path: String) throws {
    let noise = { (count: Int) in Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }) }
    switch mishap {
    case .headerOverwritten: try change(path) { $0.replaceSubrange(0..<100, with: noise(100)) }
    case .headerCut: try change(path) { $0 = $0.prefix(50) }
    case .schemaOverwritten: try change(path) { $0.replaceSubrange(100..<4_096, with: noise(3_996)) }
    case .pagesCut: try change(path) { $0 = $0.prefix(3 * 4_096) }
    case .everythingCut: try change(path) { $0 = Data() }
    case .walOverwritten: try change(path + "-wal") { $0.replaceSubrange(0..<32, with: noise(32)) }
    case .walCut: try change(path + "-wal") { $0 = $0.prefix($0.count / 2) }
    case .sharedMemoryOverwritten: try change(path + "-shm") { $0 = noise($0.count) }
    case .walGone: try FileManager.default.removeItem(atPath: path + "-wal")
    }
    // Pages in the WAL hide pages of the file.
    guard mishap.damage != nil else { return }
    try FileManager.default.removeItem(atPath: path + "-shm")
    try change(path + "-wal") { $0.replaceSubrange(0..<32, with: noise(32)) }
  }

  private func names(_ folder: String) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder))
  }

  @Test(arguments: Mishap.allCases)
  func `damage moves all files, and other errors move none`(mishap: Mishap) throws {
    try withTemporaryFolder { folder in
      let path = try leaveDatabase(folder)
      try befall(mishap, path)
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      let files = try names(folder)
      let database = try YapDatabase(path: path, options: .quick)
      let reader = try database.newConnection()
      let count = try reader.read { try $0.numberOfKeys() }
      if let damage = mishap.damage {
        #expect(database.replacedFile?.cause.sqliteCode.map { $0 & 0xff } == damage)
        // SQLite rebuilt the -shm file before it found the damage.
        #expect(database.replacedFile?.files == ["", "-shm", "-wal"].map { path + ".1.corrupt" + $0 })
        try #expect(Data(contentsOf: URL(fileURLWithPath: path + ".1.corrupt")) == before)
        #expect(count == 0 && database.snapshot == 0)
      } else {
        #expect(database.replacedFile == nil)
        try #expect(names(folder).isSuperset(of: files) && !names(folder).contains { $0.contains("corrupt") })
        // The commits in the WAL all survive, or none does.
        let commits = [.sharedMemoryOverwritten: 2, .everythingCut: 0][mishap] ?? 1
        #expect(database.snapshot == UInt64(commits) && count == commits * Self.rows)
      }
      try database.newConnection().readWrite { try $0.setObject(bytes("new"), forKey: "new") }
      try database.close()
      let handle = try SQLiteHandle(path: path)
      try #expect(handle.text("PRAGMA integrity_check") == "ok")
      try handle.close()
    }
  }

  /// SQLite checks only the WAL's own header, and adopts a WAL of another database with the same page size.
  @Test(arguments: [1, 2])
  func `a WAL of another database, of its first or a later run, is rejected`(runs: Int) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/mine.sqlite"
      try makeDatabase(path)
      try FileManager.default.createDirectory(atPath: folder + "/other", withIntermediateDirectories: false)
      let theirs = try leaveDatabase(folder + "/other", runs: runs)
      try FileManager.default.moveItem(atPath: theirs + "-wal", toPath: path + "-wal")
      #expect(code { _ = try YapDatabase(path: path, options: .quick) } == .foreignWAL)
      // When the WAL is moved back, both databases open.
      try FileManager.default.moveItem(atPath: path + "-wal", toPath: theirs + "-wal")
      for (path, rows) in [(path, 1), (theirs, runs * Self.rows)] {
        let database = try YapDatabase(path: path, options: .quick)
        try #expect(database.newConnection().read { try $0.numberOfKeys() } == rows)
        try database.close()
      }
    }
  }

  // MARK: Errors that are not damage

  private func makeDatabase(_ path: String) throws {
    let database = try YapDatabase(path: path, options: .quick)
    try database.newConnection().readWrite { try $0.setObject(bytes("1"), forKey: "k") }
    try database.close()
  }

  /// Root may read every file, so the child process drops its privileges.
  @Test(arguments: YapDatabaseCorruptAction.allCases.map(\.rawValue))
  func `a file without read permission is left unchanged`(action: String) async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/test.sqlite"
    try makeDatabase(path)
    chmod(folder.path, 0o777)
    chmod(path, 0)
    await #expect(processExitsWith: .success) { [path = path as String, action = action as String] in
      reported {
        if geteuid() == 0, setgid(65_534) != 0 || setuid(65_534) != 0 { throw Discrepancy("root stays root") }
        var options = YapDatabaseOptions.quick
        options.corruptAction = YapDatabaseCorruptAction(rawValue: action) ?? .fail
        let error = failure { _ = try YapDatabase(path: path, options: options) }
        try Discrepancy.check(error?.code, .storage, "the code")
        try Discrepancy.check(error?.message.contains("Permission denied"), true, "the cause")
      }
    }
    try #expect(names(folder.path) == ["test.sqlite"])
    chmod(path, 0o644)
    let again = try YapDatabase(path: path, options: .quick)
    #expect(again.snapshot == 1 && again.replacedFile == nil)
    try again.close()
  }

  @Test(arguments: YapDatabaseCorruptAction.allCases.map(\.rawValue))
  func `a file that another process keeps locked is left unchanged`(action: String) async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/test.sqlite"
    try makeDatabase(path)
    let holder = try SQLiteHandle(path: path)
    try holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    try holder.execute("BEGIN IMMEDIATE; UPDATE snapshot SET number = 1 WHERE id = 1; COMMIT")
    await #expect(processExitsWith: .success) { [path = path as String, action = action as String] in
      reported {
        var options = YapDatabaseOptions.quick
        options.corruptAction = YapDatabaseCorruptAction(rawValue: action) ?? .fail
        options.busyTimeoutNanoseconds = 20_000_000
        try Discrepancy.check(code { _ = try YapDatabase(path: path, options: options) }, .busy, "the code")
      }
    }
    try holder.close()
    let again = try YapDatabase(path: path, options: .quick)
    #expect(again.snapshot == 1 && again.replacedFile == nil)
    try again.close()
    try #expect(names(folder.path) == ["test.sqlite"])
  }
}
