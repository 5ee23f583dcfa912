import BenchDrivers
import Foundation
import TestSupport
import Testing
import ThreadingPrimitives
import YapEngine

@testable import EngineStress

/// Processes of the program that are killed while they use a database, and changes of its files that this must find.
@Suite struct CrashCampaignTests {
  private let seed = Seed.announce(for: "CrashCampaignTests")

  @Test func `killed processes lose no acknowledged commit`() throws {
    let cases = max(2, TestScale.count(2))
    let outcome = try CrashTrial(seed: seed).run(cases: cases)
    #expect(outcome.failures == [])
    #expect(outcome.counts[CrashCampaign.Count.kills] ?? 0 >= cases * CrashCampaign.killsPerCase)
    #expect(outcome.counts[CrashCampaign.Count.stopped] == cases)
    #expect(outcome.counts[CrashCampaign.Count.acknowledged] ?? 0 > 0)
  }

  // MARK: Files that are changed between two lives

  @Test func `a deleted WAL is found`() throws {
    var trial = CrashTrial(seed: seed)
    trial.tampering = { path, life in
      if life >= 2 { try? FileManager.default.removeItem(atPath: path + "-wal") }
    }
    try #expect(!trial.run(cases: 20).failures.isEmpty)
  }

  @Test func `an older WAL is found`() throws {
    var trial = CrashTrial(seed: seed)
    trial.tampering = { path, life in
      let wal = URL(fileURLWithPath: path + "-wal")
      let old = URL(fileURLWithPath: path + "-old")
      if life == 3 { try? FileManager.default.copyItem(at: wal, to: old) }
      if life >= 9, let bytes = try? Data(contentsOf: old) { try bytes.write(to: wal) }
    }
    try #expect(!trial.run(cases: 20).failures.isEmpty)
  }

  @Test func `a WAL of another database is found`() throws {
    let foreign = try Self.foreignWAL()
    var trial = CrashTrial(seed: seed)
    trial.tampering = { path, life in
      if life >= 4 { try foreign.write(to: URL(fileURLWithPath: path + "-wal")) }
    }
    try #expect(!trial.run(cases: 5).failures.isEmpty)
  }

  /// The WAL of a database that another process is writing.
  private static func foreignWAL() throws -> Data {
    let folder = try TemporaryFolder(prefersMemory: true)
    var options = LedgeredDatabase.options(synchronous: .off)
    options.checkpointing = .every(nanoseconds: .max)
    let database = try YapDatabase(path: folder.path + "/other.sqlite", options: options)
    try database.newConnection().readWrite { transaction in
      for row in 0..<100 { try transaction.setObject([UInt8](repeating: 7, count: 90), forKey: "other \(row)") }
    }
    let copy = folder.path + "/copy"
    let copying = try Process.run(URL(filePath: "/bin/cp"), arguments: [database.path + "-wal", copy])
    copying.waitUntilExit()
    try database.close()
    return try Data(contentsOf: URL(fileURLWithPath: copy))
  }

  // MARK: Interruption

  @Test func `an interruption ends the case and its process`() throws {
    let interruption = StopFlag()
    var trial = CrashTrial(seed: seed)
    let paths = SharedList<String>()
    trial.tampering = { path, life in
      paths.append(path)
      if life == 3 { interruption.raise() }
    }
    let outcome = try trial.run(cases: 1, interruption: interruption)
    #expect(outcome.failures == [])
    #expect(outcome.counts[CrashCampaign.Count.stopped] == nil)
    let folder = try #require(paths.all.first?.split(separator: "/").dropLast().last)
    try #expect(CrashTrial.processes(with: String(folder)).isEmpty)
  }
}
