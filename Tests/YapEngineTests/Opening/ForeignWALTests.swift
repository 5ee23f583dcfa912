import Foundation
import Glibc
import SQLiteBinding
import TestSupport
import Testing

@testable import YapEngine

/// A WAL that belongs to another database file.
@Suite struct ForeignWALTests {
  /// A database file and its WAL as after a crash. Both are copies that no process has open.
  private struct Pair {
    let path: String

    func contents(_ suffix: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path + suffix)) }

    /// Copies one of the two files to the name of another database's file.
    func give(_ suffix: String, to other: Pair) throws {
      try contents(suffix).write(to: URL(fileURLWithPath: other.path + suffix))
    }
  }

  /// The origin of a database's WAL.
  enum Origin: CaseIterable {
    /// It contains every commit.
    case firstCommits
    /// It restarted after a checkpoint, and contains one commit that changed one row.
    case oneCommit
    /// It contains every commit, in pages of another size.
    case otherPageSize
    /// Another program wrote it.
    case plain
    /// It belongs to the database of which the file is a backup.
    case source
    /// The file lacks pages that its header counts, because a bookmark kept them from being copied.
    case besidePartOfAFile
  }

  private static var options: YapDatabaseOptions {
    var options = YapDatabaseOptions.quick
    options.checkpointing = .every(nanoseconds: .max)
    return options
  }

  private static func commit(_ text: String, _ database: YapDatabase, rows: Int = 400) throws {
    try database.newConnection().readWrite { transaction in
      for row in 0..<rows { try transaction.setObject(bytes(text + "\(row)"), forKey: "k\(row)") }
    }
  }

  /// Copies the files in another process, because this one must not open the files of a database that it has open.
  private static func copy(_ database: YapDatabase, to path: String) throws -> Pair {
    for suffix in ["", "-wal"] {
      let copying = try Process.run(URL(filePath: "/bin/cp"), arguments: [database.path + suffix, path + suffix])
      copying.waitUntilExit()
      #expect(copying.terminationStatus == 0)
    }
    return Pair(path: path)
  }

  private static func pair(
    _ name: String,
    in folder: String,
    _ options: YapDatabaseOptions = options,
    isRestarted: Bool = false
  ) throws -> Pair {
    let database = try YapDatabase(path: folder + "/\(name)-open.sqlite", options: options)
    try commit(name, database)
    if isRestarted {
      try #expect(database.checkpoint(.restart).outcome == .reset)
      try commit(name, database, rows: 1)
    }
    let pair = try copy(database, to: folder + "/\(name).sqlite")
    try database.close()
    return pair
  }

  /// A database file to which a checkpoint has copied some pages of a commit and not others.
  private static func partlyCopied(_ name: String, in folder: String) throws -> Pair {
    let database = try YapDatabase(path: folder + "/\(name)-open.sqlite", options: options)
    try commit(name, database)
    let reader = try database.newConnection()
    _ = try reader.beginLongLivedReadTransaction()
    // This writes the pages of all rows again, but not the first page, whose header counts them.
    try commit(name, database)
    _ = try database.checkpoint(.passive)
    let pair = try copy(database, to: folder + "/\(name).sqlite")
    _ = try reader.endLongLivedReadTransaction()
    try database.close()
    return pair
  }

  private static func plain(_ name: String, in folder: String) throws -> Pair {
    let path = folder + "/\(name).sqlite"
    let handle = try SQLiteHandle(path: path)
    try handle.setCheckpointOnClose(false)
    try handle.execute("CREATE TABLE first(a); PRAGMA journal_mode = WAL; CREATE TABLE theirs(a)")
    for row in 0..<40 { try handle.execute("INSERT INTO theirs VALUES (\(row))") }
    try handle.close()
    return Pair(path: path)
  }

  /// - Returns: A database file, and another database whose WAL does not belong to the file.
  private static func make(_ origin: Origin, in folder: String) throws -> (file: Pair, other: Pair) {
    let file = origin == .besidePartOfAFile ? try partlyCopied("a", in: folder) : try pair("a", in: folder)
    switch origin {
    case .firstCommits, .besidePartOfAFile: return (file, try pair("b", in: folder))
    case .oneCommit: return (file, try pair("b", in: folder, isRestarted: true))
    case .plain: return (file, try plain("b", in: folder))
    case .otherPageSize:
      var options = options
      options.pageSize = 1_024
      return (file, try pair("b", in: folder, options))
    case .source:
      let database = try YapDatabase(path: folder + "/source.sqlite", options: options)
      try commit("source", database)
      try database.newConnection().backup(to: folder + "/backup.sqlite")
      try commit("later", database)
      let source = try copy(database, to: folder + "/copy.sqlite")
      try database.close()
      return (Pair(path: folder + "/backup.sqlite"), source)
    }
  }

  @Test(arguments: Origin.allCases, YapDatabaseCorruptAction.allCases)
  func `a WAL of another database is rejected, and nothing is changed`(
    _ origin: Origin,
    _ action: YapDatabaseCorruptAction
  ) throws {
    try withTemporaryFolder { folder in
      let (file, other) = try Self.make(origin, in: folder)
      let own = try? file.contents("-wal")
      try other.give("-wal", to: file)
      var options = Self.options
      options.corruptAction = action
      let before = try (file.contents(""), file.contents("-wal"))
      let error = failure { _ = try YapDatabase(path: file.path, options: options) }
      #expect(error?.code == .foreignWAL)
      #expect(error?.message.contains(file.path + "-wal ") == true)
      try #expect((file.contents(""), file.contents("-wal")) == before)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.allSatisfy { !$0.contains("corrupt") })
      // The file opens with its own WAL, or without a WAL.
      if let own {
        try own.write(to: URL(fileURLWithPath: file.path + "-wal"))
      } else {
        try FileManager.default.removeItem(atPath: file.path + "-wal")
      }
      let database = try YapDatabase(path: file.path, options: options)
      #expect(database.replacedFile == nil)
      let value = try database.newConnection().read { try $0.object(forKey: "k0") as? [UInt8] }
      #expect(value == bytes(origin == .source ? "source0" : "a0"))
      try database.close()
    }
  }

  @Test(arguments: [Origin.firstCommits, .plain])
  func `a database file that was replaced without its WAL is rejected`(_ origin: Origin) throws {
    try withTemporaryFolder { folder in
      let (file, other) = try Self.make(origin, in: folder)
      try other.give("", to: file)
      let before = try (file.contents(""), file.contents("-wal"))
      #expect(code { _ = try YapDatabase(path: file.path, options: Self.options) } == .foreignWAL)
      try #expect((file.contents(""), file.contents("-wal")) == before)
    }
  }

  @Test func `a file and its WAL open at any path to which they are copied`() throws {
    try withTemporaryFolder { folder in
      // Characters that have a meaning in a URI.
      let odd = folder + "/odd ?a=b#c%41 ü"
      try FileManager.default.createDirectory(atPath: odd, withIntermediateDirectories: false)
      for isRestarted in [false, true] {
        let pair = try Self.pair("a\(isRestarted)", in: odd, isRestarted: isRestarted)
        #expect(FileWithoutWAL(path: pair.path) != .unknown)
        let database = try YapDatabase(path: pair.path, options: Self.options)
        #expect(database.snapshot == (isRestarted ? 2 : 1) && database.recovery != nil)
        try database.close()
      }
    }
  }

  // MARK: The id

  @Test func `each file has a unique id and keeps it, also a backup`() throws {
    try withTemporaryFolder { folder in
      let paths = ["a", "b", "c"].map { folder + "/\($0).sqlite" }
      for path in paths.prefix(2) {
        let database = try YapDatabase(path: path, options: .quick)
        if path == paths[0] { try database.newConnection().backup(to: paths[2]) }
        try database.close()
      }
      let ids = paths.map { FileWithoutWAL(path: $0) }
      #expect(!ids.contains(.unknown) && !ids.contains(.ofAnotherProgram))
      #expect(ids[0] != ids[1] && ids[0] != ids[2] && ids[1] != ids[2])
      let database = try YapDatabase(path: paths[0], options: .quick)
      try Self.commit("a", database)
      try database.newConnection().vacuum()
      try database.close()
      #expect(FileWithoutWAL(path: paths[0]) == ids[0])
    }
  }

  // MARK: Crashes while a file gets its id

  @Test(.enabled(if: TestHooks.areBuiltIn))
  func `a process that is killed while a file gets its id leaves a valid file`() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/test.sqlite"
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      var options = YapDatabaseOptions.quick
      options.testHooks.onReach = { found, _ in
        if found == .fileCreated { kill(getpid(), SIGKILL) }
      }
      _ = try YapDatabase(path: path, options: options)
    }
    #expect(FileWithoutWAL(path: path) != .unknown)
    for round in 0...1 {
      let database = try YapDatabase(path: path, options: .quick)
      #expect(database.replacedFile == nil && database.snapshot == UInt64(round))
      try Self.commit("new", database)
      try database.close()
      #expect(FileWithoutWAL(path: path) != .unknown)
    }
  }
}
