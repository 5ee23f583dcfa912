package import BenchResults
internal import CommitLedger
internal import Foundation
internal import HarnessPrimitives
internal import SQLiteBinding
internal import YapEngine

/// A change of a stopped database without the engine, or the loss of a part of its WAL.
package enum StoreTampering: Sendable {
  case changedByte, swappedValues, changedMetadata, addedRow, deletedRow
  case deletedLedgerEntry, deletedNewestCommit, deletedNewestCommitAndNumber
  case deletedWAL, flippedBit, cutWAL, olderWAL
}

/// Verifies a stopped database that was changed. A case is one such database; it fails if the verification finds an
/// error.
package struct TamperedStoreCampaign: StressCampaign {
  /// The number of the newest commit.
  private static let newest: UInt64 = 40
  /// The commits after which a checkpoint truncates the WAL.
  private static let copied: Set<UInt64> = [20, 32]
  /// The newest commit of the WAL that `olderWAL` copies back.
  private static let older: UInt64 = 30

  private let tampering: StoreTampering?

  /// - Parameter tampering: nil for databases without a change.
  package init(_ tampering: StoreTampering?) { self.tampering = tampering }

  package var kind: StressKind { .selfTest }
  package var arguments: [String] { [] }
  package var synchronous: String { "off" }
  package var countNames: [String] { ["rows"] }
  package var requirements: [StressRequirement] { [StressRequirement("rows", else: "no row was verified")] }
  package var untested: [String] { [] }

  package func run(_ testCase: StressCase) throws -> CaseOutcome {
    let path = testCase.folder + "/store.sqlite"
    let log = testCase.folder + "/acknowledged.txt"
    let olderWAL = try makeStore(at: path, log: log, testCase)
    if let tampering { try apply(tampering, to: path, olderWAL: olderWAL) }
    let copy = testCase.folder + "/copy"
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
    let report = try StoreVerification().verify(path, acknowledged: AcknowledgementLog(path: log), in: copy)
    return CaseOutcome(counts: ["rows": report.rows], failures: report.errors)
  }

  /// Makes files as a crash leaves them, whose WAL has the newest commits.
  /// - Returns: The WAL from before the last checkpoint.
  private func makeStore(at path: String, log: String, _ testCase: StressCase) throws -> [UInt8] {
    let database = try YapDatabase(path: testCase.folder + "/open.sqlite", options: DamageStore.options)
    let writer = LedgeredWriter(try database.newConnection(), number: 1)
    let acknowledgements = try AcknowledgementLogWriter(path: log)
    var random = testCase.random("store")
    var olderWAL: [UInt8] = []
    for commit in 1...Self.newest {
      try acknowledgements.append([try writer.commit(&random)])
      if commit == Self.older { olderWAL = try DamageStore.contents(database.path)["-wal"] ?? [] }
      if Self.copied.contains(commit) { try database.checkpoint(.truncate) }
    }
    var files = try DamageStore.contents(database.path)
    files["-shm"] = nil
    try DamageStore.write(files, to: path)
    try database.close()
    return olderWAL
  }

  private func apply(_ tampering: StoreTampering, to path: String, olderWAL: [UInt8]) throws {
    switch tampering {
    case .deletedWAL: try FileManager.default.removeItem(atPath: path + "-wal")
    case .olderWAL: try DamageStore.write(["-wal": olderWAL], to: path)
    case .flippedBit: try changeWAL(of: path) { $0[$0.count / 2] ^= 1 }
    case .cutWAL: try changeWAL(of: path) { $0.removeLast(2_000) }
    case .changedByte:
      try changeTables(of: path) { handle, rows in
        var object = rows[0].object
        object[object.count / 2] ^= 1
        try Self.set(object, at: rows[0].rowid, handle)
      }
    case .swappedValues:
      try changeTables(of: path) { handle, rows in
        try Self.set(rows[1].object, at: rows[0].rowid, handle)
        try Self.set(rows[0].object, at: rows[1].rowid, handle)
      }
    case .changedMetadata:
      try changeTables(of: path) { handle, rows in
        try handle.execute("UPDATE data SET metadata = x'01' WHERE rowid = \(rows[0].rowid)")
      }
    case .addedRow:
      try changeTables(of: path) { handle, _ in
        try handle.execute("INSERT INTO data(collection, key, object) SELECT number, 'added', x'01' FROM collections")
      }
    case .deletedRow:
      try changeTables(of: path) { handle, rows in
        try handle.execute("DELETE FROM data WHERE rowid = \(rows[0].rowid)")
      }
    case .deletedLedgerEntry: try changeTables(of: path) { handle, _ in try Self.deleteEntry(of: 17, handle) }
    case .deletedNewestCommit:
      try changeTables(of: path) { handle, _ in try Self.deleteEntry(of: Self.newest, handle) }
    case .deletedNewestCommitAndNumber:
      try changeTables(of: path) { handle, _ in
        try Self.deleteEntry(of: Self.newest, handle)
        try handle.execute("UPDATE snapshot SET number = number - 1 WHERE id = 1")
      }
    }
  }

  private func changeWAL(of path: String, _ change: (inout [UInt8]) -> Void) throws {
    var bytes = try DamageStore.contents(path)["-wal"] ?? []
    change(&bytes)
    try DamageStore.write(["-wal": bytes], to: path)
  }

  private func changeTables(
    of path: String,
    _ change: (SQLiteHandle, _ rows: [(rowid: Int64, object: [UInt8])]) throws -> Void
  ) throws {
    let handle = try SQLiteHandle(path: path)
    try change(handle, Self.rows(handle))
    try handle.close()
  }

  private static func deleteEntry(of commit: UInt64, _ handle: SQLiteHandle) throws {
    try handle.execute("DELETE FROM data WHERE key = '\(LedgerEntry.key(of: commit))'")
  }

  /// The rows of all collections but the ledger, without their keys.
  private static func rows(_ handle: SQLiteHandle) throws -> [(rowid: Int64, object: [UInt8])] {
    let statement = try handle.prepare(
      """
      SELECT data.rowid, object FROM data JOIN collections ON number = collection
      WHERE name <> '\(LedgerEntry.collection)' ORDER BY data.rowid
      """
    )
    var rows: [(Int64, [UInt8])] = []
    while try statement.step() { rows.append((statement.integer(at: 0), Array(statement.bytes(at: 1)))) }
    return rows
  }

  private static func set(_ object: [UInt8], at rowid: Int64, _ handle: SQLiteHandle) throws {
    let statement = try handle.prepare("UPDATE data SET object = ?1 WHERE rowid = ?2")
    try statement.bind(rowid, at: 2)
    try object.withUnsafeBytes { bytes in
      try statement.bindBlob(bytes, at: 1)
      try statement.run()
    }
  }
}
