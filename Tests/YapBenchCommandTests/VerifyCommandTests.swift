import BenchDrivers
import BenchResults
import CommitLedger
import EngineStress
import Foundation
import SQLiteBinding
import TestSupport
import Testing

@testable import BenchScenario
@testable import YapBenchCommand

/// Databases with a ledger that the driver of scenarios has written, with objects as bytes and as JSON.
@Suite("verify") struct VerifyCommandTests {
  private static let commits: UInt64 = 12
  private let folder: TemporaryFolder
  private let path: String
  private let log: String
  private let trial = Trial()

  init() throws {
    folder = try TemporaryFolder(prefersMemory: true)
    path = folder.path + "/store.sqlite"
    log = folder.path + "/acknowledged.txt"
    let dataset = [
      DatasetCollection(name: "bytes", rows: 1, value: ValueShape(size: .fixed(bytes: 64))),
      DatasetCollection(name: "documents", rows: 1, value: ValueShape(size: .fixed(bytes: 64)), codec: .json),
    ]
    let settings = EngineSettings(driver: .yap, synchronous: .off)
    let database = try Drivers.open(settings, dataset: dataset, views: [], path: path)
    let connection = try database.connect(ConnectionSettings(name: "writer"))
    var previous: UInt64 = 0
    for commit in 1...Self.commits {
      try connection.readWrite { transaction in
        let payload = [UInt8](repeating: UInt8(commit), count: 64)
        let collection = commit % 2 == 0 ? "bytes" : "documents"
        try transaction.set(payload, metadata: nil, "key-\(commit % 8)", in: collection)
        let write = LedgerEntry.Write(.row, "key-\(commit % 8)", in: collection, object: LedgerDigest.of(payload))
        let entry = LedgerEntry(commit: commit, connection: 1, sequence: commit, previous: previous, writes: [write])
        let (bytes, digest) = entry.encoded()
        try transaction.set(bytes, metadata: nil, LedgerEntry.key(of: commit), in: LedgerEntry.collection)
        previous = digest
      }
    }
    try database.close()
    try AcknowledgementLogWriter(path: log).append(1...Self.commits)
  }

  private func change(_ sql: String) throws {
    let handle = try SQLiteHandle(path: path)
    try handle.execute(sql)
    try handle.close()
  }

  @Test func `a sound database passes, also with objects as JSON`() throws {
    #expect(trial.run("verify", path, "--acknowledged", log) == 0)
    #expect(trial.output.lines.last == "PASSED: 12 commits and 8 rows, no error")
    #expect(trial.output.lines.contains { $0.hasPrefix("  acknowledged commits") && $0.hasSuffix("the newest is 12") })
    try #expect(folder.names() == ["acknowledged.txt", "store.sqlite"])
  }

  @Test(arguments: ["body", "title"]) func `a changed field of a document is wrong data`(field: String) throws {
    let texts = field == "body" ? "'\"body\":\"C', '\"body\":\"D'" : "'about', 'abort'"
    try change("UPDATE data SET object = CAST(replace(CAST(object AS TEXT), \(texts)) AS BLOB) WHERE key = 'key-3'")
    #expect(trial.run("verify", path) == ExitStatus.invariantViolated.rawValue)
    #expect(trial.output.lines.last?.hasPrefix("WRONG DATA: 1 error, the first: ") == true)
    #expect(trial.output.lines.contains { $0.hasPrefix("error: ") && $0.contains("\"documents\"/key-3 is ") })
  }

  @Test func `the JSON report has the verdict and the errors`() throws {
    try change("UPDATE snapshot SET number = 11 WHERE id = 1")
    #expect(trial.run("verify", "--json", path, "--acknowledged", log) == 111)
    let document = try JSONSerialization.jsonObject(with: Data(trial.output.text.utf8))
    let fields = try #require(document as? [String: Any])
    #expect(fields["schema"] as? String == "yapbench-verify/1")
    #expect(fields["verdict"] as? String == "wrongData")
    #expect((fields["errors"] as? [String])?.first?.contains("stored number of the newest commit is 11") == true)
    #expect(fields["entries"] as? Int == 12)
  }

  @Test func `without a ledger the exit code says that nothing was compared`() throws {
    try change("DELETE FROM data WHERE key LIKE '0000%'")
    #expect(trial.run("verify", path) == ExitStatus.measurementInvalid.rawValue)
    #expect(trial.output.lines.last?.hasPrefix("INVALID: no error, but without a ledger") == true)
    #expect(trial.output.text.contains("not checked: The database has no ledger"))
    #expect(trial.run("verify", path, "--acknowledged", log) == 111)
  }

  @Test func `other files have the exit codes of inspect`() throws {
    #expect(trial.run("verify", folder.path + "/none") == 66)
    #expect(trial.run("verify", folder.path) == 66)
    #expect(trial.run("verify", log) == 65)
    #expect(trial.run("verify", path, "--acknowledged", path) == 65)
    #expect(trial.run("verify", path, "--acknowledged", folder.path + "/none") == 66)
    #expect(trial.run("verify", path, "--unrecorded", "-1") == 64)
    #expect(trial.errors.text.contains("this is not an SQLite database"))
  }

  @Test func `the program finds the loss of the WAL`() throws {
    let values = ["db": path, "log": log]
    let program = RunningProgram()
    let sound = try program.run("exec \"$program\" verify \"$db\" --acknowledged \"$log\"", values)
    #expect(sound.code == 0)
    let handle = try SQLiteHandle(path: path)
    try handle.setCheckpointOnClose(false)
    try handle.execute("UPDATE data SET object = x'00' WHERE key = 'key-3'")
    try handle.close()
    try #expect(program.run("exec \"$program\" verify \"$db\"", values).code == 111)
    try FileManager.default.removeItem(atPath: path + "-wal")
    try #expect(program.run("exec \"$program\" verify \"$db\"", values).code == 0)
    try AcknowledgementLogWriter(path: log).append([13])
    try #expect(program.run("exec \"$program\" verify \"$db\" --acknowledged \"$log\"", values).code == 111)
  }
}
