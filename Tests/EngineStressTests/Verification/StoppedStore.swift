import Foundation
import HarnessPrimitives
import SQLiteBinding
import TestSupport
import YapEngine

@testable import EngineStress

/// A stopped database with a ledger and a view, and the log of its acknowledged commits.
///
/// Its files are those after a crash: copies of the files of an open database, of which no process has them open. The
/// WAL contains the newest commits.
struct StoppedStore {
  /// The newest commit. Commit 1 is the registration of the view, which has no ledger entry.
  static let newest: UInt64 = 51

  let folder: TemporaryFolder
  let path: String
  let log: String
  /// A copy of the WAL from before the last checkpoint.
  let oldWAL: String

  init() throws {
    folder = try TemporaryFolder(prefersMemory: true)
    path = folder.path + "/store.sqlite"
    log = folder.path + "/acknowledged.txt"
    oldWAL = folder.path + "/old-wal"
    var options = LedgeredDatabase.options(synchronous: .off)
    options.checkpointing = .every(nanoseconds: .max)
    options.journalSizeLimit = 0
    let database = try YapDatabase(path: folder.path + "/open.sqlite", options: options)
    try database.register(Self.view, withName: "by key")
    let writers = try (0..<2 as Range<UInt32>).map { LedgeredWriter(try database.newConnection(), number: $0) }
    let acknowledgements = try AcknowledgementLogWriter(path: log)
    var random = RandomStream(seed: 3, "stopped store")
    for commit in 2...Self.newest {
      try acknowledgements.append([try writers[Int(commit % 2)].commit(&random)])
      if commit == 35 { try Self.copy(database.path + "-wal", to: oldWAL) }
      if commit == 20 || commit == 40 { _ = try database.checkpoint(.truncate) }
    }
    for suffix in ["", "-wal"] { try Self.copy(database.path + suffix, to: path + suffix) }
    try database.close()
  }

  /// Copies a file of an open database in another process, because closing it in this one would drop SQLite's locks.
  private static func copy(_ file: String, to other: String) throws {
    let copying = try Process.run(URL(filePath: "/bin/cp"), arguments: [file, other])
    copying.waitUntilExit()
    guard copying.terminationStatus == 0 else { throw CocoaError(.fileReadUnknown) }
  }

  private static var view: YapDatabaseView {
    var options = YapDatabaseView.Options()
    options.allowedCollections = .only(["accounts", "messages"])
    return YapDatabaseView(
      grouping: .withKeyBlock { _, collection, _ in collection },
      sorting: .withKeyBlock { _, _, _, left, _, right in
        left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
      },
      versionTag: "1",
      options: options
    )
  }

  /// Changes the database with SQL, as another program could.
  func change(_ body: (SQLiteHandle) throws -> Void) throws {
    let handle = try SQLiteHandle(path: path)
    try body(handle)
    try handle.close()
  }

  /// The contents of the files that belong to the database.
  func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try folder.names() where name.hasPrefix("store.sqlite") {
      contents[name] = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))
    }
    return contents
  }

  func verify(hasLog: Bool = true) throws -> VerificationReport {
    let copy = try TemporaryFolder(prefersMemory: true)
    return try withExtendedLifetime(copy) {
      try StoreVerification().verify(
        path,
        acknowledged: hasLog ? AcknowledgementLog(path: log) : nil,
        in: copy.path
      )
    }
  }
}

/// A row of the data table.
struct StoredRow {
  let rowid: Int64
  let collection: String
  let key: String
  let object: [UInt8]

  /// Returns the rows of all collections but the ledger, in the order of their rowids.
  static func all(_ handle: SQLiteHandle) throws -> [StoredRow] {
    let statement = try handle.prepare(
      """
      SELECT data.rowid, name, key, object FROM data JOIN collections ON number = collection
      WHERE name <> 'yapbench.ledger' ORDER BY data.rowid
      """
    )
    var rows: [StoredRow] = []
    while try statement.step() {
      rows.append(
        StoredRow(
          rowid: statement.integer(at: 0),
          collection: statement.text(at: 1),
          key: statement.text(at: 2),
          object: Array(statement.bytes(at: 3))
        )
      )
    }
    return rows
  }

  /// Replaces the stored object.
  func set(_ object: [UInt8], _ handle: SQLiteHandle) throws {
    let statement = try handle.prepare("UPDATE data SET object = ?1 WHERE rowid = ?2")
    try statement.bind(rowid, at: 2)
    try object.withUnsafeBytes { bytes in
      try statement.bindBlob(bytes, at: 1)
      try statement.run()
    }
  }
}
