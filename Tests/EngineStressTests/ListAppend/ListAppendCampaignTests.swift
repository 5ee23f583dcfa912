import BenchResults
import Foundation
import TestSupport
import Testing
import ThreadingPrimitives
import YapEngine

@testable import EngineStress

/// Histories of the engine, with and without anomalies that a test adds.
@Suite(.long) struct ListAppendCampaignTests {
  private static func run(
    _ campaign: ListAppendCampaign,
    number: Int = 0,
    seed: UInt64 = 3,
    in folder: TemporaryFolder
  ) throws -> CaseOutcome {
    let path = "\(folder.path)/case-\(number)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return try campaign.run(StressCase(number: number, seed: seed, folder: path, interruption: StopFlag()))
  }

  @Test func `the engine's histories have no anomaly, and are written for Elle`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let campaign = ListAppendCampaign(historyFolder: folder.path)
    let outcome = try Self.run(campaign, in: folder)
    #expect(outcome.failures == [])
    for requirement in campaign.requirements {
      #expect(outcome.counts[requirement.count] ?? 0 >= requirement.minimum, "\(requirement.count)")
    }
    #expect(Set(outcome.counts.keys).isSubset(of: campaign.countNames))
    let text = try String(contentsOfFile: "\(folder.path)/case-0.edn", encoding: .utf8)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 2 * (outcome.counts["transactions"] ?? 0))
    #expect(lines.count { $0.hasPrefix("{:type :invoke, :f :txn, :value [[:") } == lines.count / 2)
  }

  @Test func `a history is written as maps of Elle`() {
    let history = [
      ListTransaction(
        process: 0,
        begun: 1,
        ended: 4,
        operations: [.append(key: 3, value: 1), .read(key: 3, values: [1])]
      ),
      ListTransaction(process: 1, outcome: .rolledBack, begun: 2, ended: 3, operations: [.read(key: 4, values: [])]),
    ]
    let lines = [
      "{:type :invoke, :f :txn, :value [[:append 3 1] [:r 3 nil]], :process 0, :time 1, :index 5}",
      "{:type :invoke, :f :txn, :value [[:r 4 nil]], :process 1, :time 2, :index 6}",
      "{:type :fail, :f :txn, :value [[:r 4 nil]], :process 1, :time 3, :index 7}",
      "{:type :ok, :f :txn, :value [[:append 3 1] [:r 3 [1]]], :process 0, :time 4, :index 8}",
    ]
    #expect(ElleHistory.lines(history, firstIndex: 5) == lines)
  }

  @Test func `histories of several databases have no anomaly`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    for number in 0..<TestScale.count(3) {
      let outcome = try Self.run(ListAppendCampaign(), number: number, in: folder)
      try #require(outcome.failures == [], "case \(number)")
    }
  }

  @Test(arguments: HistoryTampering.allCases)
  func `an anomaly that is added to a history is found`(_ tampering: HistoryTampering) throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let database = try YapDatabase(
      path: folder.path + "/lists.sqlite",
      options: LedgeredDatabase.options(synchronous: .off)
    )
    var shape = ListWorkload.Shape()
    shape.transactions = 500
    var history = try ListWorkload(database, shape, seed: 3).run(until: StopFlag())
    try database.close()
    #expect(ListAppendCampaign.outcome(of: history).failures == [])
    tampering.apply(to: &history)
    let anomaly = ListAnomaly(kind: tampering.kind, needsOrder: tampering.needsOrder, text: "").description
    #expect(ListAppendCampaign.outcome(of: history).failures.contains { $0.contains(anomaly) })
  }
}
