import CommitLedger
import HarnessPrimitives
import TestSupport
import Testing
import YapEngine

@testable import EngineStress

/// A database that writers with ledger entries have filled.
@Suite struct LedgeredWriterTests {
  @Test func `the ledger of several writers describes the database, also after reopening`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/ledger.sqlite"
    for generation in 0..<3 as Range<UInt32> {
      let database = try YapDatabase(path: path, options: LedgeredDatabase.options(synchronous: .off))
      let writers = try (0..<3 as Range<UInt32>).map {
        LedgeredWriter(try database.newConnection(), number: generation * 10 + $0)
      }
      var random = RandomStream(seed: 3, "ledger \(generation)")
      for step in 0..<60 { try writers[step % 3].commit(&random) }
      struct Unwanted: Error {}
      #expect(throws: Unwanted.self) { try writers[0].commit(&random) { _ in throw Unwanted() } }
      let report = try database.newConnection().read { try LedgerCheck().check($0, acknowledged: $0.snapshot) }
      #expect(report.errors == [])
      #expect(report.entries == (Int(generation) + 1) * 60)
      #expect(report.rows > 0)
      try database.close()
    }
  }

  @Test func `a lost acknowledged commit and a changed row are reported`() throws {
    let folder = try TemporaryFolder()
    let options = LedgeredDatabase.options(synchronous: .off)
    let database = try YapDatabase(path: folder.path + "/ledger.sqlite", options: options)
    let connection = try database.newConnection()
    let writer = LedgeredWriter(connection, number: 1)
    var random = RandomStream(seed: 1)
    for _ in 0..<20 { try writer.commit(&random) }
    let lost = try connection.read { try LedgerCheck().check($0, acknowledged: 25) }
    #expect(
      lost.errors == [
        "commit 25 was acknowledged, but the newest in the file is 20 (lost acknowledged commits: 5)"
      ]
    )
    try connection.readWrite {
      try $0.setObject([UInt8](repeating: 1, count: 40), forKey: "x", inCollection: "accounts")
    }
    let changed = try connection.read { try LedgerCheck().check($0) }
    #expect(changed.errors.contains { $0.contains("\"accounts\"/x exists") })
    #expect(changed.errors.contains { $0.contains("stored number of the newest commit is 21") })
    let entry = try connection.read { try $0.allKeys(inCollection: LedgerEntry.collection).first }
    try connection.readWrite {
      try $0.replaceMetadata([1] as [UInt8], forKey: #require(entry), inCollection: LedgerEntry.collection)
    }
    let extended = try connection.read { try LedgerCheck().check($0) }
    #expect(extended.errors.contains { $0.hasSuffix("is not bytes without metadata") })
    try database.close()
  }
}
