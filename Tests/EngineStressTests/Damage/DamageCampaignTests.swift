import SeededRandom
import TestSupport
import Testing
import ThreadingPrimitives
import YapEngine

@testable import EngineStress

/// Damaged files and paths in this process. Limits of the process are tested with the program.
@Suite struct DamageCampaignTests {
  private static func outcomes(
    of campaign: DamageCampaign,
    _ numbers: some Sequence<Int>,
    seed: UInt64
  ) throws -> CaseOutcome {
    var sum = CaseOutcome()
    for number in numbers where number % 32 != 31 {
      let folder = try TemporaryFolder(prefersMemory: true)
      let testCase = StressCase(number: number, seed: seed, folder: folder.path, interruption: StopFlag())
      var outcome = try campaign.run(testCase)
      outcome.failures = outcome.failures.map { "case \(number): \($0)" }
      sum.add(outcome)
    }
    return sum
  }

  @Test func everyOutcomeIsRightOrTyped() throws {
    let seed = Seed.announce(for: "DamageCampaignTests")
    let outcome = try Self.outcomes(of: DamageCampaign(), 0..<TestScale.count(160), seed: seed)
    #expect(outcome.failures == [])
    #expect(outcome.counts[DamageCount.opened] ?? 0 > 0)
  }

  @Test func aCheckThatAcceptsWrongRowsIsFound() throws {
    let campaign = DamageCampaign(plantedBug: .acceptsWrongRows)
    let outcome = try Self.outcomes(of: campaign, 0..<60, seed: .random(in: 1 ... .max))
    #expect(outcome.failures.contains { $0.contains("false ok") })
  }

  @Test(arguments: DamageStore.Shape.allCases)
  func storesAreUndamaged(shape: DamageStore.Shape) throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let store = try DamageStore(shape, in: folder.path, RandomStream(seed: 7, "store"))
    #expect(store.states.count == DamageStore.commitCount + 1)
    #expect((store.files["-wal"] == nil) == (shape == .closed))
    #expect(store.earlier["-wal"]?.isEmpty == false)
    #expect(store.newest.count > DamageStore.commitCount)
  }
}
