import BenchResults
import Foundation
import TestSupport
import Testing
import ThreadingPrimitives
import YapEngine

@testable import EngineStress

/// Small campaigns of power losses.
@Suite struct PowerLossTests {
  private let seed = Seed.announce(for: "PowerLossTests")

  private func run(_ settings: PowerLossCampaign.Settings, case number: Int) throws -> CaseOutcome {
    let folder = try TemporaryFolder(prefersMemory: true)
    let testCase = StressCase(
      number: number,
      seed: seed,
      folder: folder.path,
      interruption: StopFlag()
    )
    return try PowerLossCampaign(settings).run(testCase)
  }

  private static func images(_ synchronous: YapDatabaseOptions.Synchronous) -> PowerLossCampaign.Settings {
    var settings = PowerLossCampaign.Settings(synchronous: synchronous, imagesPerCase: max(60, TestScale.count(60)))
    settings.secondCrashEvery = 10
    return settings
  }

  @Test(arguments: [0, 1, 2])
  func `a power loss at any moment loses no acknowledged commit`(number: Int) throws {
    let outcome = try run(Self.images(.full), case: number)
    #expect(outcome.failures == [])
    #expect(outcome.counts["images"] ?? 0 > 20)
    #expect(outcome.counts["second crashes"] ?? 0 > 0)
    #expect(outcome.counts[PowerLossCampaign.lostCount] == nil)
    if number == 1 { #expect(outcome.counts["guard frames"] ?? 0 > 0) }
  }

  @Test func `at the level normal, commits are lost and nothing is corrupt`() throws {
    let outcome = try run(Self.images(.normal), case: 0)
    #expect(outcome.failures == [])
    #expect(outcome.counts[PowerLossCampaign.lostCount] ?? 0 > 0)
    #expect(outcome.counts[PowerLossCampaign.corruptCount] == nil)
  }

  @Test func `at the level off, the losses are seen`() throws {
    let outcome = try run(Self.images(.off), case: 0)
    #expect(outcome.failures == [])
    #expect(outcome.counts[PowerLossCampaign.lostCount] ?? 0 > 0)
  }

}
