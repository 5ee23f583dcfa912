import TestSupport
import Testing
import ThreadingPrimitives

@testable import EngineStress

/// Faults in this process, which none of the cases may hang.
@Suite(.serialized, .long) struct FaultCampaignTests {
  private static func outcome(
    of campaign: FaultCampaign,
    _ scenario: FaultScenario,
    _ fault: String,
    isSticky: Bool = false,
    seed: UInt64 = 3
  ) throws -> CaseOutcome {
    let scenarios = FaultScenario.allCases
    let faults = InjectedFault.all
    let index = try #require(faults.firstIndex { $0.name == fault && $0.isSticky == isSticky })
    let number = try #require(scenarios.firstIndex(of: scenario)) + index * scenarios.count
    let folder = try TemporaryFolder(prefersMemory: true)
    let testCase = StressCase(number: number, seed: seed, folder: folder.path, interruption: StopFlag())
    return try campaign.run(testCase)
  }

  @Test(arguments: ["write IOERR_WRITE", "write FULL", "sync IOERR_FSYNC", "shmLock BUSY"])
  func `a failed commit leaves no trace in caches, notifications and the file`(fault: String) throws {
    let outcome = try Self.outcome(of: FaultCampaign(limitSeconds: 600, comparesProcess: false), .commits, fault)
    #expect(outcome.failures == [])
    #expect(outcome.counts[FaultCount.faulty] ?? 0 > 3)
  }

  @Test func `a backup that succeeds beside failed calls is opened and checked`() throws {
    let campaign = FaultCampaign(limitSeconds: 600, comparesProcess: false)
    let outcome = try Self.outcome(of: campaign, .backup, "sync IOERR_FSYNC")
    #expect(outcome.failures == [])
    #expect(outcome.counts[FaultCount.backups] ?? 0 > 0)
  }

  @Test(arguments: FaultScenario.allCases, ["write FULL", "sync IOERR_FSYNC"])
  func `a fault in any scenario leaves no trace`(scenario: FaultScenario, fault: String) throws {
    let campaign = FaultCampaign(limitSeconds: 600, comparesProcess: false)
    let outcome = try Self.outcome(of: campaign, scenario, fault)
    #expect(outcome.failures == [])
  }
}
