package import BenchDrivers
package import BenchResults
internal import BenchRunner
internal import BenchScenario
package import EngineStress
internal import Foundation

/// Runs one scenario again and again, such as one that a campaign of random scenarios has saved.
package struct ScenarioRepetition: StressCampaign {
  private let path: String
  private let text: String
  private let settings: TrialSettings

  /// - Parameters:
  ///   - path: the scenario's file. A file without a seed gets the campaign's.
  ///   - tests: changes of the engine.
  /// - Throws: `ScenarioDiagnostics` if the scenario is not valid.
  package init(path: String, seed: UInt64, tests: EngineTestSettings = EngineTestSettings()) throws {
    let loaded = try ScenarioLoader.load(path: path)
    inputDigest = loaded.digest
    let hasSeed = loaded.scenario.seed != nil
    text =
      try hasSeed
      ? loaded.expandedYAML
      : ScenarioLoader.load(path: path, overrides: [ScenarioOverride(path: "seed", value: "\(seed)")]).expandedYAML
    self.path = path
    settings = TrialSettings(tests: tests)
  }

  package var kind: StressKind { .random }
  package var arguments: [String] { ["--scenario", path] + settings.tests.arguments }
  package let inputDigest: String?
  package var synchronous: String { "as in the scenario" }
  package var countNames: [String] { ["scenarios", "transactions", "events"] }
  package var requirements: [StressRequirement] {
    [StressRequirement("transactions", else: "no transaction was made")]
  }
  package var untested: [String] { ["Other scenarios."] }

  package func run(_ testCase: StressCase) throws -> CaseOutcome {
    let trials = TrialProcess(interruption: testCase.interruption)
    let result = try trials.run(text, settings, in: testCase.folder + "/run")
    guard let result else { return CaseOutcome() }
    return CaseOutcome(counts: result.counts, failures: result.failures)
  }
}

extension EngineTestSettings {
  /// The arguments of a repetition with these changes.
  var arguments: [String] {
    (pauseSeed.map { ["--pauses", String($0)] } ?? []) + (joinsAlways ? ["--joins"] : [])
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
