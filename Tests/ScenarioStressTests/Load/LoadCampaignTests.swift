import BenchDrivers
import BenchResults
import BenchScenario
import Foundation
import TestSupport
import Testing
import ThreadingPrimitives

@testable import EngineStress
@testable import ScenarioStress

/// Cases of the campaign that runs scenarios with a ledger.
@Suite struct LoadCampaignTests {
  private static func scenario() throws -> LoadedScenario {
    try ScenarioLoader.load(
      text: """
        format: 1
        name: small
        summary: Readers and writers of the same rows.
        matrix: {engine.defaultObjectPolicy: [containment, share]}
        engine: {driver: yap, synchronous: off}
        dataset:
          rows: {rows: 50, inserts: 20k, value: {size: 64B}, metadata: {size: 32B}}
          accounts: {rows: 20, value: {size: 64B}}
        connections: {reading: {}, moving: {}, writing: {}}
        actors:
          reader: {connection: reading, operations: {get: 4, getMetadata: 1}, collection: rows, load: {rate: 2000/s}}
          follower:
            connection: moving
            snapshot: {longLived: every(20ms)}
            operations: {get: 1}
            collection: rows
            load: {rate: 1000/s}
          writer:
            connection: writing
            operations: {set: 4, insert: 2, remove: 1}
            transaction: {operations: 1..4}
            collection: rows
            load: {rate: 500/s}
          mover: {connection: writing, operations: {transfer(2): 1}, collection: accounts, load: {rate: 100/s}}
        phases:
          - {name: run, for: 300ms, actors: [reader, follower, writer, mover]}
        expect: ["run/reader response.p50 < 1us"]
        """
    )
  }

  private static func run(_ campaign: LoadCampaign, number: Int = 0, in folder: TemporaryFolder) throws -> CaseOutcome {
    let path = "\(folder.path)/case"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try campaign.run(StressCase(number: number, seed: 5, folder: path, interruption: StopFlag()))
  }

  @Test func `each variant is run, every property is checked, and expectations do not count`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    var settings = LoadCampaign.Settings()
    settings.repetitions = 2
    let campaign = LoadCampaign([try Self.scenario()], settings)
    #expect(campaign.caseCount == 4)
    #expect(campaign.synchronous == "off")
    #expect(campaign.requirements.count == 2)
    var sum = CaseOutcome()
    for number in 0..<2 { sum.add(try Self.run(campaign, number: number, in: folder)) }
    #expect(sum.failures == [])
    #expect(sum.counts["runs"] == 2)
    #expect(campaign.requirements.count > 8)
    for requirement in campaign.requirements {
      #expect(sum.counts[requirement.count] ?? 0 >= requirement.minimum, "\(requirement.count)")
    }
    #expect(Set(sum.counts.keys).isSubset(of: campaign.countNames))
    #expect((sum.counts["commits acknowledged"] ?? 0) < (sum.counts["I1 ledger"] ?? 0))
  }

  @Test func `the database of a passed case is kept with its acknowledged commits`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let kept = "\(folder.path)/kept"
    try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: true)
    var settings = LoadCampaign.Settings()
    settings.databaseFolder = kept
    let outcome = try Self.run(LoadCampaign([try Self.scenario()], settings), in: folder)
    #expect(outcome.failures == [])
    let path = "\(kept)/case-0/small.sqlite"
    let log = try AcknowledgementLog(path: path + LoadCampaign.acknowledgementSuffix)
    #expect(log.count == outcome.counts["commits acknowledged"])
    #expect(log.repeated == [])
    let copy = try TemporaryFolder(prefersMemory: true)
    let report = try StoreVerification { object, _ in try Document.payload(ofStored: object) }
      .verify(path, acknowledged: log, in: copy.path)
    #expect(report.errors == [])
    #expect(UInt64(report.entries) == log.newest)
  }

  @Test(arguments: ["containment", "copy"])
  func `readers and writers of any policy violate no invariant`(policy: String) throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let scenario = try ScenarioLoader.load(
      text: """
        format: 1
        name: mixed
        summary: Readers and writers of a few rows and documents.
        engine: {driver: yap, synchronous: off, defaultObjectPolicy: \(policy), aggressiveCheckpointAt: 128KiB}
        dataset:
          rows: {rows: 50, inserts: 20k, value: {size: 200B}}
          documents: {rows: 20, value: {size: 100B}, codec: json}
        connections: {reading: {}, other: {}, moving: {}, writing: {}}
        actors:
          reader: {connection: [reading, other], threads: 2, operations: {get: 1}, collection: documents}
          counter: {connection: moving, operations: {get: 1}, collection: rows, load: {rate: 1000/s}}
          writer: {connection: writing, operations: {set: 1}, collection: documents, load: {rate: 500/s}}
          add: {connection: writing, operations: {set: 2, insert: 2, remove: 1}, collection: rows, load: {rate: 500/s}}
        phases:
          - {name: run, for: 1500ms, actors: [reader, counter, writer, add]}
        """
    )
    #expect(try Self.run(LoadCampaign([scenario], LoadCampaign.Settings()), in: folder).failures == [])
  }
}
