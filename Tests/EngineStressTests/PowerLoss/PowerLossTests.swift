import BenchResults
import Foundation
import TestSupport
import Testing
import ThreadingPrimitives
import YapEngine

@testable import EngineStress

/// Small campaigns of power losses.
@Suite(.long) struct PowerLossTests {
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

  /// Runs the case, and further ones that begin in the same way until something was seen, which a single case can miss
  /// by chance.
  private func run(
    _ settings: PowerLossCampaign.Settings,
    case number: Int,
    untilSeen count: String
  ) throws -> CaseOutcome {
    var outcome = CaseOutcome()
    for repetition in 0..<10 where outcome.counts[count] ?? 0 == 0 {
      outcome = try run(settings, case: number + 4 * repetition)
      #expect(outcome.failures == [])
    }
    #expect(outcome.counts[count] ?? 0 > 0)
    return outcome
  }

  private static func images(_ synchronous: YapDatabaseOptions.Synchronous) -> PowerLossCampaign.Settings {
    var settings = PowerLossCampaign.Settings(synchronous: synchronous, imagesPerCase: max(60, TestScale.count(60)))
    settings.secondCrashEvery = 10
    return settings
  }

  @Test(arguments: [0, 1, 2])
  func `a power loss at any moment loses no acknowledged commit`(number: Int) throws {
    let outcome = try run(Self.images(.full), case: number, untilSeen: "second crashes")
    #expect(outcome.counts["images"] ?? 0 > 20)
    #expect(outcome.counts[PowerLossCampaign.lostCount] == nil)
    if number == 1 { #expect(outcome.counts["guard frames"] ?? 0 > 0) }
  }

  @Test func `at the level normal, commits are lost and nothing is corrupt`() throws {
    let outcome = try run(Self.images(.normal), case: 0, untilSeen: PowerLossCampaign.lostCount)
    #expect(outcome.counts[PowerLossCampaign.corruptCount] == nil)
  }

  @Test func `at the level off, the losses are seen`() throws {
    _ = try run(Self.images(.off), case: 0, untilSeen: PowerLossCampaign.lostCount)
  }
}
