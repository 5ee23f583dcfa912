import Foundation
import Testing

@testable import BenchDrivers
@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

@Suite("The sampler") struct SamplerTests {
  @Test func `keeps at most the number of samples that can be read again, evenly spaced`() throws {
    let database = try Drivers.open(EngineSettings(driver: .null), dataset: [], views: [], path: "")
    let limit = 20
    var sampler = Sampler(database, every: 10, mostSamples: limit)
    var now: UInt64 = 0
    for phase in ["warm", "run"] {
      for _ in 0..<70 {
        _ = sampler.sample(phase: phase, [], at: now)
        try #require(sampler.samples.count <= limit)
        now += sampler.intervalNanoseconds
      }
    }
    let samples = sampler.samples
    #expect(samples.count > limit / 2)
    #expect(samples.last?.elapsedNanoseconds == now - sampler.intervalNanoseconds)
    #expect(samples.map(\.elapsedNanoseconds) == samples.map(\.elapsedNanoseconds).sorted())
    // The last sample of each phase is kept.
    for phase in ["warm", "run"] {
      let times = samples.filter { $0.phase == phase }.map(\.elapsedNanoseconds)
      #expect(times.count >= 2)
    }
    #expect(samples[0].elapsedNanoseconds == 0)
    let gaps = zip(samples.dropFirst(), samples).map { $0.elapsedNanoseconds - $1.elapsedNanoseconds }
    #expect(gaps.allSatisfy { $0 <= 2 * sampler.intervalNanoseconds })
    // The written samples can be read.
    let record = try JSONEncoder().encode(SampleColumns(wrappedValue: samples))
    #expect(try JSONDecoder().decode(SampleColumns.self, from: record).wrappedValue.count == samples.count)
  }

  @Test func `omits no sample below the limit`() throws {
    let database = try Drivers.open(EngineSettings(driver: .null), dataset: [], views: [], path: "")
    var sampler = Sampler(database, every: 10, mostSamples: 20)
    for now in 0..<20 { _ = sampler.sample(phase: "run", [], at: UInt64(now)) }
    #expect(sampler.samples.map(\.elapsedNanoseconds) == Array(0..<20))
    #expect(sampler.intervalNanoseconds == 10)
  }
}
