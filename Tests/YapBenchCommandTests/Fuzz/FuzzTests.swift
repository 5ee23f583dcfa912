import TestSupport
import Testing

/// Damaged input of every kind, in child processes. Crashes and hangs are reported, and the other cases still run.
/// There are a few hundred cases of each fuzzer here, and 100,000 in `Scripts/nightly`.
@Suite("Fuzzing", .long)
struct FuzzTests {
  /// The number of parts, which run in parallel.
  private static let partCount = 2

  private func run(_ subject: FuzzSubject, _ plan: FuzzPlan, part: Int) async throws {
    plan.announce()
    try await FuzzCampaign(subject: subject, plan: plan).run(part: part, of: Self.partCount)
  }

  private static let scenarios = FuzzPlan("YapBenchCommandTests.FuzzTests.scenarios", quickCount: 300)
  private static let records = FuzzPlan("YapBenchCommandTests.FuzzTests.records", quickCount: 300)
  private static let databases = FuzzPlan("YapBenchCommandTests.FuzzTests.databases", quickCount: 200)

  @Test("check and explain accept damaged scenarios or report their problems", arguments: 0..<partCount)
  func scenarios(part: Int) async throws { try await run(.scenarios, Self.scenarios, part: part) }

  @Test("report and export accept damaged records or report their problems", arguments: 0..<partCount)
  func records(part: Int) async throws { try await run(.records, Self.records, part: part) }

  @Test("the engine and inspect give right answers of damaged files, or typed errors", arguments: 0..<partCount)
  func databases(part: Int) async throws { try await run(.databases, Self.databases, part: part) }
}

/// Proofs that the fuzzers find crashes, hangs and wrong rows.
@Suite("Bugs planted for the fuzzers")
struct PlantedFuzzTests {
  /// - Returns: The cases that ended their process; each recorded an issue, which is expected here.
  private func failures(_ campaign: FuzzCampaign) async throws -> [FuzzCampaign.Failure] {
    var failures: [FuzzCampaign.Failure] = []
    await withKnownIssue { failures = try await campaign.run() }
    return failures
  }

  /// The first cases whose records contain the number.
  private func wrongCases(_ plan: FuzzPlan, count: Int) throws -> [Int] {
    let cases = try PlantedCases(seed: plan.seed)
    return Array(plan.cases.lazy.filter(cases.isWrong).prefix(count))
  }

  @Test("a trap is found, its case is named, and the cases after it still run")
  func trap() async throws {
    let plan = FuzzPlan(planted: 2_000)
    let campaign = FuzzCampaign(subject: .plantedTrap, plan: plan, failureLimit: 3)
    let expected = try wrongCases(plan, count: 3).map { FuzzCampaign.Failure(number: $0, isHung: false) }
    #expect(expected.count == 3)
    try await #expect(failures(campaign) == expected)
  }

  @Test("a hang is found, and its case is named")
  func hang() async throws {
    let plan = FuzzPlan(planted: 2_000)
    let campaign = FuzzCampaign(subject: .plantedHang, plan: plan, limitSeconds: 5, failureLimit: 1)
    let expected = try wrongCases(plan, count: 1).map { FuzzCampaign.Failure(number: $0, isHung: true) }
    try await #expect(failures(campaign) == expected)
  }

  @Test("wrong rows of a damaged WAL are found")
  func wrongRows() async throws {
    let campaign = FuzzCampaign(subject: .plantedWrongRows, plan: FuzzPlan(planted: 150))
    await withKnownIssue { try await campaign.run() }
  }
}
