import Foundation
import TestSupport
import Testing
import ThreadingPrimitives

@testable import EngineStress

@Suite struct SoakTests {
  private static func sample(_ mebibytes: Int, descriptors: Int = 20, threads: Int = 9) -> SoakSample {
    SoakSample(residentBytes: mebibytes << 20, descriptors: descriptors, threads: threads)
  }

  /// Four quarters of ten samples; the first is the warm-up.
  private static func samples(_ quarters: [SoakSample]) -> [SoakSample] {
    quarters.flatMap { Array(repeating: $0, count: 10) }
  }

  @Test func `figures within the bounds are no violation, whatever the warm-up was`() {
    #expect(
      SoakBounds.violations(Self.samples([Self.sample(400), Self.sample(100), Self.sample(80), Self.sample(113)])) == []
    )
    #expect(
      SoakBounds.violations(Self.samples([Self.sample(1), Self.sample(100), Self.sample(500), Self.sample(90)])) == []
    )
  }

  @Test func `growing memory, descriptors and threads are each found`() {
    let good = Self.sample(100)
    func found(_ last: SoakSample) -> [String] { SoakBounds.violations(Self.samples([good, good, good, last])) }
    #expect(found(Self.sample(114)).first?.contains("resident memory grew") == true)
    #expect(found(Self.sample(100, descriptors: 21)).first?.contains("open descriptors grew from at least 20") == true)
    #expect(found(Self.sample(100, threads: 12)).first?.contains("threads grew from at least 9") == true)
    #expect(SoakBounds.growthOfFreeList([900, 100, 100, 400]).count == 1)
    #expect(SoakBounds.growthOfFreeList([0, 100, 5_000, 361]) == [])
  }

  @Test func `threads of the pool and descriptors of moments are no growth`() {
    let good = Self.sample(100)
    #expect(SoakBounds.violations(Self.samples([good, good, good, Self.sample(100, threads: 11)])) == [])
    var moments = Self.samples([good, good, good, Self.sample(100, descriptors: 30, threads: 30)])
    moments[35] = good
    #expect(SoakBounds.violations(moments) == [])
  }

  @Test func `too few samples are not compared`() {
    #expect(SoakBounds.violations([Self.sample(1), Self.sample(1), Self.sample(900)]) == [])
  }

  @Test(.timeLimit(.minutes(20))) func `a short soak reopens its database and finds nothing`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let campaign = SoakCampaign(length: "4s", nanoseconds: 4_000_000_000)
    let testCase = StressCase(number: 0, seed: 7, folder: folder.path, interruption: StopFlag())
    let outcome = try campaign.run(testCase)
    // The quarters of so short a soak are too small to compare.
    #expect(outcome.failures == [])
    for count in ["commits", "rows read", "bookmark moves", "connections opened", "reopenings", "WAL sizes checked"] {
      #expect(outcome.counts[count, default: 0] > 0, "\(count)")
    }
  }

  @Test func `an interrupted soak ends at once`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let interruption = StopFlag()
    interruption.raise()
    let campaign = SoakCampaign(length: "1h", nanoseconds: 3_600_000_000_000)
    let outcome = try campaign.run(StressCase(number: 0, seed: 7, folder: folder.path, interruption: interruption))
    #expect(outcome.counts["commits"] == nil)
  }
}
