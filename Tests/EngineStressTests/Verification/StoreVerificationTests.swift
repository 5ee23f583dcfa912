import CommitLedger
import Foundation
import Glibc
import SQLiteBinding
import TestSupport
import Testing
import YapEngine

@testable import EngineStress

/// Stopped databases that were changed behind the engine's back.
@Suite struct StoreVerificationTests {
  private let store: StoppedStore

  init() throws { store = try StoppedStore() }

  private func errors(hasLog: Bool = true) throws -> String {
    let report = try store.verify(hasLog: hasLog)
    #expect(report.verdict == (report.errorCount == 0 ? .passed : .wrongData))
    return report.errors.joined(separator: "\n")
  }

  @Test(arguments: [true, false]) func `an unchanged store passes, and none of its files is changed`(
    hasLog: Bool
  ) throws {
    let before = try store.contents()
    #expect(before.count == 2)
    let report = try store.verify(hasLog: hasLog)
    #expect(report.errors == [])
    #expect(report.verdict == .passed)
    #expect(report.commit == StoppedStore.newest)
    #expect(report.entries == Int(StoppedStore.newest) - 1)
    #expect(report.rows > 0 && report.collections == 2)
    #expect(report.views == 1 && report.viewRows == report.rows)
    #expect(report.recoveredFrames > 0)
    #expect(report.acknowledgedCommits == (hasLog ? 50 : nil))
    #expect(report.unchecked.count == (hasLog ? 1 : 2))
    try #expect(store.contents() == before)
  }

  // MARK: Changed tables

  @Test func `a changed byte of a value is found`() throws {
    var row: StoredRow?
    try store.change { handle in
      let changed = try StoredRow.all(handle)[3]
      var object = changed.object
      object[object.count / 2] ^= 1
      try changed.set(object, handle)
      row = changed
    }
    try #expect(errors(hasLog: false).contains("row \"\(row?.collection ?? "")\"/\(row?.key ?? "") is not the one"))
  }

  @Test func `two swapped values are found`() throws {
    var rows: [StoredRow] = []
    try store.change { handle in
      rows = Array(try StoredRow.all(handle).prefix(2))
      try rows[0].set(rows[1].object, handle)
      try rows[1].set(rows[0].object, handle)
    }
    let found = try errors(hasLog: false)
    for row in rows { #expect(found.contains("row \"\(row.collection)\"/\(row.key) is not the one that commit")) }
  }

  @Test func `changed metadata, an added row and a deleted row are found`() throws {
    var rows: [StoredRow] = []
    try store.change { handle in
      rows = try StoredRow.all(handle)
      try handle.execute("UPDATE data SET metadata = x'01' WHERE rowid = \(rows[0].rowid)")
      try handle.execute("DELETE FROM data WHERE rowid = \(rows[1].rowid)")
      try handle.execute("INSERT INTO data(collection, key, object) VALUES (1, 'added', x'01')")
    }
    let found = try errors(hasLog: false)
    #expect(found.contains("the metadata of row \"\(rows[0].collection)\"/\(rows[0].key) are not those"))
    #expect(found.contains("row \"\(rows[1].collection)\"/\(rows[1].key) is missing, but commit"))
    #expect(found.contains("/added exists, but no commit has written it"))
    #expect(found.contains("contains row \(rows[1].rowid), which does not exist"))
  }

  @Test func `a row of a collection without a name is found`() throws {
    try store.change { handle in
      try handle.execute("INSERT INTO data(collection, key, object) VALUES (99, 'hidden', x'01')")
    }
    let found = try errors(hasLog: false)
    #expect(found.contains("row hidden belongs to collection number 99"))
    #expect(found.contains("enumerations have visited"))
  }

  @Test(arguments: [2, 30, 50] as [UInt64]) func `a deleted ledger entry is found`(commit: UInt64) throws {
    try store.change { try $0.execute("DELETE FROM data WHERE key = '\(LedgerEntry.key(of: commit))'") }
    let found = try errors(hasLog: false)
    #expect(found.contains(commit == 2 ? "commits 1 to 2 are missing" : "commit \(commit) is missing from the ledger"))
  }

  /// Deletes the rows that the newest commit wrote, and its ledger entry.
  private func deleteNewestCommit(lowersNumber: Bool) throws {
    try store.change { handle in
      let key = LedgerEntry.key(of: StoppedStore.newest)
      let statement = try handle.prepare("SELECT object FROM data WHERE key = '\(key)'")
      try #require(try statement.step())
      let entry = try #require(LedgerEntry.decode(Array(statement.bytes(at: 0)))).entry
      statement.reset()
      for write in entry.writes where write.change == .row {
        try handle.execute("DELETE FROM data WHERE key = '\(write.key)'")
      }
      try handle.execute("DELETE FROM data WHERE key = '\(key)'")
      if lowersNumber { try handle.execute("UPDATE snapshot SET number = number - 1 WHERE id = 1") }
    }
  }

  @Test func `the deletion of the newest commit is found by its stored number`() throws {
    try deleteNewestCommit(lowersNumber: false)
    let found = try errors(hasLog: false)
    #expect(found.contains("the newest ledger entry is that of commit 50, but the stored number"))
  }

  @Test func `the deletion of the newest commit and its number is found by its acknowledgement`() throws {
    try deleteNewestCommit(lowersNumber: true)
    let found = try errors()
    #expect(found.contains("commit 51 was acknowledged, but the newest in the file is 50 (lost acknowledged"))
  }

  @Test func `a lowered number of the newest commit is found`() throws {
    try store.change { try $0.execute("UPDATE snapshot SET number = 47 WHERE id = 1") }
    try #expect(errors(hasLog: false).contains("commit 51, but the stored number of the newest commit is 47"))
  }

  @Test func `a row that is twice in a view, and a page without its predecessor, are found`() throws {
    try store.change { handle in
      try handle.execute("UPDATE view_pages SET rowids = rowids || substr(rowids, 1, 8)")
      try handle.execute("INSERT INTO view_pages SELECT id + 7, 6, page_group, x'' FROM view_pages LIMIT 1")
    }
    let found = try errors(hasLog: false)
    #expect(found.contains("view \"by key\": row "))
    #expect(found.contains("cannot be reached from the first page of its group"))
  }

  // MARK: Lost commits that SQLite does not find

  /// A loss of the end of the WAL.
  enum Loss: CaseIterable {
    case deletedWAL, flippedBit, truncatedWAL, oldWAL

    func happen(to store: StoppedStore) throws {
      let wal = URL(fileURLWithPath: store.path + "-wal")
      var bytes = try Data(contentsOf: wal)
      switch self {
      case .deletedWAL: try FileManager.default.removeItem(at: wal)
      case .flippedBit:
        bytes[bytes.count / 2] ^= 4
        try bytes.write(to: wal)
      case .truncatedWAL: try bytes.prefix(bytes.count / 2 + 77).write(to: wal)
      case .oldWAL: try Data(contentsOf: URL(fileURLWithPath: store.oldWAL)).write(to: wal)
      }
    }
  }

  @Test(arguments: Loss.allCases) func `lost acknowledged commits are found`(loss: Loss) throws {
    try loss.happen(to: store)
    let before = try store.contents()
    let report = try store.verify()
    let found = report.errors.joined(separator: "\n")
    #expect(report.verdict == .wrongData)
    #expect(found.contains("commit 51 was acknowledged, but the newest in the file is \(report.commit) "))
    #expect(found.contains("(lost acknowledged commits: \(51 - report.commit))"))
    try #expect(store.contents() == before)
    // SQLite finds nothing wrong.
    try store.change { try #expect($0.text("PRAGMA integrity_check") == "ok") }
  }

  // MARK: The log

  @Test func `a number that was acknowledged twice is found, and an incomplete last line is dropped`() throws {
    let lines = try String(contentsOfFile: store.log, encoding: .utf8)
    try (lines + "17\n99").write(toFile: store.log, atomically: true, encoding: .utf8)
    let log = try AcknowledgementLog(path: store.log)
    #expect(log.newest == 51 && log.count == 51 && log.repeated == [17])
    try #expect(errors().contains("commit 17 was acknowledged twice"))
  }

  @Test func `a log with other lines is rejected`() throws {
    try "1\n2 \n".write(toFile: store.log, atomically: true, encoding: .utf8)
    let error = #expect(throws: StoreProblem.self) { try AcknowledgementLog(path: store.log) }
    #expect(error?.kind == .invalid)
    #expect(error?.description.contains("line 2 is not the number of a commit") == true)
  }

  // MARK: Other files

  @Test func `a database without a ledger is only read`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/plain.sqlite"
    let database = try YapDatabase(path: path)
    try database.newConnection().readWrite { try $0.setObject("value", forKey: "key") }
    try database.close()
    let copy = try TemporaryFolder()
    let report = try StoreVerification().verify(path, in: copy.path)
    #expect(report.verdict == .incomplete && report.errors == [])
    #expect(report.rows == 1 && report.commit == 1)
    #expect(report.unchecked.contains { $0.hasPrefix("The database has no ledger") })
  }

  @Test func `a database that a process has open is rejected`() throws {
    let other = try TemporaryFolder()
    let path = other.path + "/open.sqlite"
    let database = try YapDatabase(path: path, options: LedgeredDatabase.options())
    let copy = try TemporaryFolder()
    #expect(problem(of: path, in: copy.path) == .inUse)
    try database.close()
    let owner = try OtherOwner(store.path)
    #expect(problem(of: store.path, in: copy.path) == .inUse)
    owner.release()
    try #expect(store.verify().verdict == .passed)
  }

  @Test func `a missing file, other files and the database of another program are rejected`() throws {
    let folder = try TemporaryFolder()
    let copy = folder.path + "/copy"
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
    #expect(problem(of: folder.path + "/none", in: copy) == .missing)
    #expect(problem(of: folder.path, in: copy) == .missing)
    let text = try folder.write("not a database", to: "text")
    #expect(problem(of: text, in: copy) == .invalid)
    let other = folder.path + "/other.sqlite"
    let handle = try SQLiteHandle(path: other)
    try handle.execute("CREATE TABLE theirs(a)")
    try handle.close()
    let found = #expect(throws: StoreProblem.self) { try StoreVerification().verify(other, in: copy) }
    #expect(found?.kind == .invalid)
    #expect(
      found?.description == "\(other): it is a database of another program. Name a database of this engine."
    )
  }

  private func problem(of path: String, in folder: String) -> StoreProblem.Kind? {
    #expect(throws: StoreProblem.self) { try StoreVerification().verify(path, in: folder) }?.kind
  }
}
