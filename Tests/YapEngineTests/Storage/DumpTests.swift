import Foundation
import SQLiteBinding
import TestSupport
import Testing

@testable import YapEngine

/// Files that SQLite's shell has made from an engine's database.
@Suite(.enabled(if: Shell.isAvailable)) struct DumpTests {
  /// The ways in which the shell makes a file.
  enum Way: String, CaseIterable {
    case dump, clone, recover
  }

  /// Some builds of the shell cannot recover.
  private static let ways = Way.allCases.filter { $0 != .recover || Shell.canRecover }

  private func make(_ way: Way, from source: String, to target: String) throws {
    switch way {
    case .dump: try Shell.run("sqlite3 '\(source)' .dump | sqlite3 '\(target)'")
    case .clone: try Shell.run("sqlite3 '\(source)' '.clone \(target)'")
    case .recover: try Shell.run("sqlite3 '\(source)' .recover | sqlite3 '\(target)'")
    }
  }

  private var accepting: YapDatabaseOptions {
    var options = YapDatabaseOptions.quick
    options.acceptsDump = true
    return options
  }

  private func fill(_ path: String) throws {
    let database = try YapDatabase(path: path, options: .quick)
    try database.register(Self.view, withName: "view")
    let connection = try database.newConnection()
    for number in 0..<20 {
      try connection.readWrite { transaction in
        for key in 0..<20 {
          try transaction.setObject(
            ["é", "'quoted'", ""][key % 3],
            forKey: "\(number) \(key) \"ü\"",
            inCollection: "c\(number % 3)",
            withMetadata: key % 2 == 0 ? key : nil
          )
        }
      }
    }
    try database.close()
  }

  private static var view: YapDatabaseView {
    YapDatabaseView(
      grouping: .withKeyBlock { _, collection, _ in collection },
      sorting: .withKeyBlock { _, _, _, left, _, right in left < right ? .orderedAscending : .orderedDescending },
      versionTag: "1"
    )
  }

  private func rows(_ path: String, _ options: YapDatabaseOptions = .quick) throws -> [String: String] {
    let database = try YapDatabase(path: path, options: options)
    var rows: [String: String] = [:]
    try database.newConnection().read { transaction in
      try transaction.enumerateRowsInAllCollections { collection, key, object, metadata, _ in
        rows[collection + "/" + key] = "\(object) \(metadata ?? "-")"
      }
    }
    try database.close()
    return rows
  }

  @Test(arguments: ways)
  func `every row of a salvaged file is there, once the file is accepted`(way: Way) throws {
    try withTemporaryFolder { folder in
      let (source, salvaged) = (folder + "/source", folder + "/salvaged")
      try fill(source)
      try make(way, from: source, to: salvaged)
      let before = FileManager.default.contents(atPath: salvaged)
      let error = failure { _ = try YapDatabase(path: salvaged, options: .quick) }
      if error != nil {
        #expect(error?.code == .incompatible && error?.message.contains("acceptsDump") == true, "\(error as Any)")
        #expect(FileManager.default.contents(atPath: salvaged) == before)
      } else {
        #expect(way == .recover)  // some versions of the shell copy the marks
      }
      try #expect(rows(salvaged, accepting) == rows(source))
      try #expect(rows(salvaged).count == 400)
      let database = try YapDatabase(path: salvaged, options: .quick)
      #expect(database.snapshot >= 20)
      // Views are populated again.
      try database.register(Self.view, withName: "view")
      let connection = try database.newConnection()
      try connection.readWrite { try $0.setObject("later", forKey: "k") }
      try connection.read { transaction in
        let view = try #require(transaction.ext("view") as? YapDatabaseViewTransaction)
        try #expect(view.numberOfItems(inGroup: "c0") == 140)
        try #expect(view.numberOfItemsInAllGroups() == 401)
      }
      try database.close()
      let ids = try [source, salvaged].map { try FileID.stored(SQLiteHandle(path: $0)) }
      #expect(ids[0] != ids[1] && ids[1] != nil)
    }
  }

  /// The SQL, and the words of the message.
  private static let unsound = [
    ("DROP INDEX data_by_key", "another program"),
    ("ALTER TABLE data ADD COLUMN more", "another program"),
    ("CREATE TABLE lost_and_found(x)", "another program"),
    ("DROP TABLE view_pages", "another program"), ("CREATE VIEW broken AS SELECT x FROM missing", "another program"),
    (
      "PRAGMA writable_schema = 1; INSERT INTO sqlite_master VALUES "
        + "('table', 'v', 'v', 0, 'CREATE VIRTUAL TABLE v USING unknown_module')",
      "another program"
    ),
    ("DELETE FROM collections WHERE number = 1", "without a name"),
    ("UPDATE collections SET number = -1", "without a name"),
    ("UPDATE collections SET number = -1; UPDATE data SET collection = -1", "impossible name or number"),
    ("UPDATE data SET object = 'text' WHERE rowid = 1", "not blobs"),
    ("UPDATE data SET key = x'00' WHERE rowid = 1", "not text"),
    ("DELETE FROM snapshot WHERE id = 1", "missing"),
    ("UPDATE snapshot SET number = -1 WHERE id = 1", "-1"),
  ]

  @Test(arguments: unsound)
  func `a file that is not exactly a dump, or is not sound, is refused unchanged`(sql: String, words: String) throws {
    try withTemporaryFolder { folder in
      let (source, salvaged) = (folder + "/source", folder + "/salvaged")
      try StoredFiles.create(source, count: 5)
      try make(.dump, from: source, to: salvaged)
      try Shell.run("sqlite3 '\(salvaged)' '\(sql.replacingOccurrences(of: "'", with: "'\\''"))'")
      let before = FileManager.default.contents(atPath: salvaged)
      let error = failure { _ = try YapDatabase(path: salvaged, options: accepting) }
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "no error")")
      #expect(error?.code == (words == "another program" ? .incompatible : .corrupt))
      #expect(FileManager.default.contents(atPath: salvaged) == before)
    }
  }

  /// The remains of the damaged database are often still at the path to which the dump is written.
  @Test func `a dump beside the WAL of the damaged database is refused`() throws {
    try withTemporaryFolder { folder in
      try StoredFiles.kill(folder + "/other", into: folder) { database in
        try database.newConnection().readWrite { try $0.setObject("v", forKey: "k") }
      }
      try make(.dump, from: folder + "/other", to: folder + "/salvaged")
      for suffix in ["-wal", "-shm"] { rename(folder + "/killed.sqlite" + suffix, folder + "/salvaged" + suffix) }
      #expect(code { _ = try YapDatabase(path: folder + "/salvaged", options: accepting) } == .foreignWAL)
    }
  }
}

/// SQLite's shell.
enum Shell {
  static let isAvailable = (try? run("sqlite3 --version")) != nil
  static let canRecover = (try? run("sqlite3 :memory: 'CREATE TABLE t(x)' .recover")) != nil

  static func run(_ command: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 { throw Discrepancy("\(command): status \(process.terminationStatus)") }
  }
}
