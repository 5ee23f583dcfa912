internal import BenchDrivers
public import BenchResults
internal import BenchScenario
public import EngineStress
internal import Foundation

/// Runs one scenario again and again, such as one that a campaign of random scenarios has saved.
public struct ScenarioRepetition: StressCampaign {
  private let path: String
  private let text: String
  private let settings: TrialSettings

  /// - Parameters:
  ///   - path: the scenario's file. A file without a seed gets that of the campaign.
  ///   - pauseSeed: the seed of the pauses at named points; nil for none.
  /// - Throws: `ScenarioDiagnostics` if the scenario is not valid; `PlantingError`.
  public init(path: String, seed: UInt64, plantedBugs: [String] = [], pauseSeed: UInt64? = nil) throws {
    let loaded = try ScenarioLoader.load(path: path)
    let hasSeed = loaded.scenario.seed != nil
    text =
      try hasSeed
      ? loaded.expandedYAML
      : ScenarioLoader.load(path: path, overrides: [ScenarioOverride(path: "seed", value: "\(seed)")]).expandedYAML
    self.path = path
    var tests = EngineTestSettings()
    for name in plantedBugs { try tests.plant(name) }
    tests.pauseSeed = pauseSeed
    settings = TrialSettings(tests: tests)
  }

  public var kind: StressKind { .random }
  public var arguments: [String] {
    ["--scenario", path] + settings.tests.plantedBugs.flatMap { ["--plant", $0] }
      + (settings.tests.pauseSeed.map { ["--pauses", String($0)] } ?? [])
  }
  public var synchronous: String { "that of the scenario" }
  public var countNames: [String] { ["scenarios", "transactions", "events"] }
  public var requirements: [StressRequirement] {
    [StressRequirement("transactions", else: "no transaction was made")]
  }
  public var untested: [String] { ["Other scenarios."] }

  public func run(_ testCase: StressCase) throws -> CaseOutcome {
    let trials = TrialProcess(interruption: testCase.interruption)
    let result = try trials.run(text, settings, in: testCase.folder + "/run")
    guard let result else { return CaseOutcome() }
    return CaseOutcome(counts: result.counts, failures: result.failures)
  }
}

extension TrialResult {
  /// The counts of a campaign.
  var counts: [String: Int] {
    var outcome = CaseOutcome(counts: ["scenarios": 1, "transactions": transactions, "events": events])
    for (invariant, number) in checks { outcome.count("checks of \(invariant)", number) }
    return outcome.counts
  }
}
