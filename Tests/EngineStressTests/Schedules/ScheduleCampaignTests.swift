import BenchDrivers
import Foundation
import HarnessPrimitives
import TestSupport
import Testing
import ThreadingPrimitives
import YapEngine

@testable import EngineStress

/// Programs under chosen schedules.
@Suite(.enabled(if: TestHooks.areBuiltIn)) struct ScheduleCampaignTests {
  /// Runs cases until one fails.
  /// - Returns: The sum of the outcomes, and the number of cases.
  static func run(
    _ campaign: ScheduleCampaign,
    seed: UInt64,
    cases: Int
  ) throws -> (outcome: CaseOutcome, cases: Int) {
    var sum = CaseOutcome()
    for number in 0..<cases {
      let folder = try TemporaryFolder(prefersMemory: true)
      try withExtendedLifetime(folder) {
        let stop = StopFlag()
        sum.add(try campaign.run(StressCase(number: number, seed: seed, folder: folder.path, interruption: stop)))
      }
      if !sum.failures.isEmpty { return (sum, number + 1) }
    }
    return (sum, cases)
  }

  @Test(arguments: ScheduleRule.allCases)
  func `programs find no failure, and take the same steps again`(_ rule: ScheduleRule) throws {
    let seed = Seed.announce(for: "ScheduleCampaignTests")
    let (outcome, cases) = try Self.run(ScheduleCampaign(rule: rule), seed: seed, cases: TestScale.count(50))
    #expect(outcome.failures == [], "case \(cases - 1) of seed \(seed)")
    #expect(outcome.counts["replayed identically"] == outcome.counts["schedules"])
  }

  @Test func `a program takes the same steps in another folder`() throws {
    let seed = Seed.announce(for: "ScheduleCampaignTests")
    let campaign = try ScheduleCampaign()
    let first = try Self.run(campaign, seed: seed, cases: 5)
    let second = try Self.run(campaign, seed: seed, cases: 5)
    #expect(first.outcome == second.outcome)
  }

  @Test func `an execution with pauses finds no failure`() throws {
    let seed = Seed.announce(for: "ScheduleCampaignTests")
    let (outcome, _) = try Self.run(ScheduleCampaign(pausesOnly: true), seed: seed, cases: 1)
    #expect(outcome.failures == [], "seed \(seed)")
    #expect(outcome.counts["executions with pauses"] == 1)
    #expect(outcome.counts["commits", default: 0] > 0)
  }
}
