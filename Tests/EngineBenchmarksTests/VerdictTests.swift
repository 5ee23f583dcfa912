import BenchResults
import Testing

@testable import EngineBenchmarks

struct VerdictTests {
  private func claim(_ limit: Limit?, need: Claim.Need = .nothing) -> Claim {
    Claim(id: ClaimID(1, "raw"), what: "a / b", unit: .number, limit: limit, need: need)
  }

  @Test(arguments: [
    (Limit.atMost(1.1), 1.1, Verdict.passed), (.atMost(1.1), 1.100001, .missed), (.atMost(1.1), 0, .passed),
    (.atLeast(4), 4, .passed), (.atLeast(4), 3.99, .missed), (.atLeast(4), 1e9, .passed),
  ])
  func `A figure on the limit is within it`(limit: Limit, median: Double, expected: Verdict) {
    #expect(claim(limit).verdict(median: median) == expected)
  }

  @Test func `A figure without a limit is reported without a verdict`() {
    #expect(claim(nil).verdict(median: 17) == .noLimit)
  }

  private func record(probes: [UInt64]) -> TrialRecord {
    TrialRecord(
      trial: "made up",
      unit: .nanoseconds,
      figures: [:],
      operations: [:],
      queuedShares: [],
      probeNanoseconds: probes
    )
  }

  @Test func `A figure measured while the disk was busy has no result`() {
    let quiet = record(probes: [90_000, 100_000, 100_000, 900_000, 900_000])
    #expect(quiet.slowAppends(besides: [quiet]) == nil)
    // The limit is relative: a slow disk is not a busy one.
    let slow = record(probes: [4_000_000, 5_000_000, 6_000_000])
    #expect(slow.slowAppends(besides: [slow]) == nil)
    #expect(record(probes: [200_000]).slowAppends(besides: [quiet]) == nil)
    let busy = record(probes: [200_001])
    #expect(
      busy.slowAppends(besides: [busy, quiet, record(probes: [])])
        == "an append with its sync took 200 µs, and 100 µs in other rounds: the disk was busy"
    )
    let unprobed = record(probes: [])
    #expect(unprobed.slowAppends(besides: [quiet]) == nil)
  }

  @Test func `A figure that is not a number has no result`() {
    #expect(claim(.atLeast(1)).verdict(median: .infinity).kind == .noResult)
    #expect(claim(.atMost(1)).verdict(median: .nan).kind == .noResult)
  }

  @Test func `A figure of a driver that is not built is reported as not built, with the reason`() {
    let verdict = claim(.atMost(1), need: .driver("built without wings")).verdict(median: nil)
    #expect(verdict == .notBuilt("built without wings"))
    #expect(verdict.reason == "built without wings")
  }

  @Test func `A figure that was not measured is reported as interrupted`() {
    #expect(claim(.atMost(1)).verdict(median: nil) == .interrupted)
    #expect(ClaimResult(claim(.atMost(1)), of: nil, rounds: nil).verdict == .interrupted)
  }

  @Test func `A figure that other load made meaningless has no result`() {
    let result = ClaimResult(claim(.atMost(1)), of: nil, rounds: nil, disturbance: "too busy")
    #expect(result.verdict == .noResult("too busy"))
  }

  @Test func `Targets are those of the engine, the harness and each driver, and their figures have unique names`() {
    let drivers = MeasuredDriver.allCases.indices.map { TargetName.driver($0 + 1) }
    let harness = [1, 2, 3, 5, 7, 8].map { TargetName.harness($0) }
    #expect(PerformanceTarget.all.map(\.name) == (1...24).map { .engine($0) } + harness + drivers)
    let ids = PerformanceTarget.allClaims.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(PerformanceTarget.all.allSatisfy { target in target.claims.contains { $0.limit != nil } })
  }
}

struct SpreadTests {
  @Test func `Quartiles are interpolated between the figures`() throws {
    let spread = try #require(Spread([4, 1, 3, 2]))
    #expect(spread.lowerQuartile == 1.75)
    #expect(spread.median == 2.5)
    #expect(spread.upperQuartile == 3.25)
    let odd = try #require(Spread([5, 1, 2, 4, 3]))
    #expect([odd.lowerQuartile, odd.median, odd.upperQuartile] == [2, 3, 4])
  }

  @Test func `The spread of one figure is that figure, and no figures have no spread`() {
    #expect(Spread([7])?.median == 7)
    #expect(Spread([7])?.upperQuartile == 7)
    #expect(Spread([]) == nil)
  }
}
