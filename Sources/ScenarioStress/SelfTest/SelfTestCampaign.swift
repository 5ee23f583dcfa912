public import BenchResults
public import EngineStress
internal import Foundation
internal import ThreadingPrimitives

/// Tests the other campaigns: each case plants a bug, and runs the campaign that must find it.
///
/// A planted bug may leave threads, descriptors and blocked schedules behind, so each case should run in a process of
/// its own.
public struct SelfTestCampaign: StressCampaign {
  /// The seed for which the budgets of cases hold.
  public static let defaultSeed: UInt64 = 1

  private static let planted = "planted bugs"
  private static let caught = "planted bugs caught"
  private static let casesWith = "cases with a bug"
  private static let controls = "cases without a bug that passed"

  private let bugs: [SelfTestBug]
  private let only: [String]
  private let crashProgram: CaseProgram

  /// - Parameters:
  ///   - only: The names of the bugs to plant; empty for all.
  ///   - crashProgram: The program of the child processes of crash tests.
  /// - Throws: `MissingTestPoints`, `UnknownSelfTestBug`.
  public init(only: [String] = [], crashProgram: CaseProgram) throws {
    try MissingTestPoints.check(for: "planted bugs")
    self.init(try SelfTestBug.named(only), only: only, crashProgram: crashProgram)
  }

  init(_ bugs: [SelfTestBug], only: [String], crashProgram: CaseProgram) {
    self.bugs = bugs
    self.only = only
    self.crashProgram = crashProgram
  }

  public var kind: StressKind { .selfTest }
  public var arguments: [String] { only.flatMap { ["--only", $0] } }
  public var synchronous: String { "off, normal, full" }
  public var caseCount: Int? { bugs.count }
  public var countNames: [String] { [Self.planted, Self.caught, Self.casesWith, Self.controls] }

  public var requirements: [StressRequirement] {
    [
      StressRequirement(Self.caught, else: "no planted bug was caught"),
      StressRequirement(Self.controls, else: "no campaign has passed without a bug"),
    ]
  }

  public var untested: [String] {
    [
      "Bugs of other kinds than the planted ones.",
      "The campaign soak: its bounds of memory, descriptors and threads need minutes.",
      "The campaign random: `stress random --plant` shows the bugs that it finds.",
    ]
  }

  public func run(_ testCase: StressCase) throws -> CaseOutcome {
    let bug = bugs[testCase.number]
    var outcome = CaseOutcome(counts: [Self.planted: 1])
    var search = BugSearch(bug)
    let problem = try controlProblem(of: bug, testCase)
    let start = MonotonicClock.now
    if let problem {
      outcome.failures = ["\(bug.name): case \(bug.firstCase) of \(bug.campaignName), without the bug: \(problem)"]
    } else {
      outcome.count(Self.controls)
      try runCases(for: &search, testCase)
      if let failure = search.failure(seed: testCase.seed) {
        outcome.failures = [failure]
      } else {
        outcome.count(Self.caught)
      }
    }
    outcome.count(Self.casesWith, search.cases)
    outcome.plantedBug = PlantedBugResult(
      name: bug.name,
      effect: bug.effect,
      campaign: bug.campaignName,
      finding: search.finding,
      cases: search.cases,
      seconds: Double(MonotonicClock.now - start) / 1e9
    )
    return outcome
  }

  /// Runs the first case without the bug.
  /// - Returns: The reason why the campaign cannot show the bug; nil if all is right.
  private func controlProblem(of bug: SelfTestBug, _ testCase: StressCase) throws -> String? {
    let campaign = try bug.campaign(false, crashProgram)
    let control = try run(case: bug.firstCase, of: campaign, for: testCase)
    if let failure = control.failures.first { return failure }
    guard case .shortcoming(let name) = bug.finding else { return nil }
    return control.counts[name] ?? 0 > 0 ? nil : "expected \(name), found none"
  }

  /// Runs cases with the bug until one of them shows it, or fails otherwise.
  private func runCases(for search: inout BugSearch, _ testCase: StressCase) throws {
    let bug = search.bug
    let campaign = try bug.campaign(true, crashProgram)
    while search.cases < bug.budget, !search.hasEnded {
      search.add(try run(case: bug.firstCase + search.cases, of: campaign, for: testCase))
    }
    search.end(campaign.requirements)
  }

  /// Runs one case of a campaign.
  private func run(
    case number: Int,
    of campaign: any StressCampaign,
    for testCase: StressCase
  ) throws -> CaseOutcome {
    let folder = testCase.folder + "/\(number)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let inner = StressCase(number: number, seed: testCase.seed, folder: folder, interruption: testCase.interruption)
    return campaign.outcome(of: inner)
  }
}
