import BenchResults
import HarnessPrimitives
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

  @Test func `each damaged database gives right rows, a typed error or a finding`() throws {
    let seed = Seed.announce(for: "DamageCampaignTests")
    let outcome = try Self.outcomes(of: DamageCampaign(), 0..<TestScale.count(160), seed: seed)
    #expect(outcome.failures == [])
    #expect(outcome.counts[DamageCount.opened] ?? 0 > 0)
  }

  @Test func `limits that the machine does not permit are not required, and are listed as untested`() {
    let permitted = Set(SystemLimit.allCases.filter(\.isPermitted).map(\.countName))
    let required = DamageCampaign().requirements.map(\.count).filter { $0.hasPrefix("refusals: ") }
    #expect(Set(required) == permitted)
    #expect(permitted.isSuperset(of: [SystemLimit.openFiles.countName, SystemLimit.fileSize.countName]))
    #expect(DamageCampaign.untested(without: []) == [])
    let texts = DamageCampaign.untested(without: [.readOnlyFile, .tinyFileSystem])
    #expect(texts.map { $0.contains("file systems") } == [true, false, false])
    #expect(texts.map { $0.contains("Read-only files") } == [false, false, true])
  }

  @Test(arguments: DamageStore.Shape.allCases)
  func `a made store has all commits, and a WAL unless it was closed`(shape: DamageStore.Shape) throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let store = try DamageStore(shape, in: folder.path, RandomStream(seed: 7, "store"))
    #expect(store.states.count == DamageStore.commitCount + 1)
    #expect((store.files["-wal"] == nil) == (shape == .closed))
    #expect(store.earlier["-wal"]?.isEmpty == false)
    #expect(store.newest.count > DamageStore.commitCount)
  }
}
