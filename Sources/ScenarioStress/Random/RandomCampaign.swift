internal import BenchDrivers
package import BenchResults
internal import BenchScenario
package import EngineStress
internal import Foundation

/// Runs scenarios that are drawn from the grammar, and shrinks each one that fails.
package struct RandomCampaign: StressCampaign {
  /// Whether half of the cases pause threads at named points, and half join commits whenever they can.
  private let hasTestPoints: Bool
  private let plan: CombinationPlan
  private let shrinking: ShrinkingLimits
  private let coverage = CoverageLog()

  /// - Parameters:
  ///   - seed: the campaign's seed.
  ///   - shrinking: the limits of shrinking a failing scenario.
  package init(seed: UInt64, shrinking: ShrinkingLimits = ShrinkingLimits()) {
    self.shrinking = shrinking
    hasTestPoints = DriverBuild.hasTestPoints
    plan = CombinationPlan(seed: seed)
  }

  package var kind: StressKind { .random }
  package var arguments: [String] { [] }
  package var synchronous: String { SynchronousLevel.allCases.map(\.rawValue).joined(separator: ", ") }
  package var countNames: [String] {
    ["scenarios", "transactions", "events"] + Invariant.stated.map(Self.checks)
  }
  package var requirements: [StressRequirement] {
    [StressRequirement("transactions", else: "no transaction was made")]
  }
  package var untested: [String] {
    [
      coverage.text,
      "Drivers other than yap; loads and sizes that are read from files; values of more than 5 KB; loads of hours.",
      hasTestPoints
        ? "Builds without named points, whose threads meet less often."
        : "Threads that are paused at named points, which only a build with the trait TestPoints can do.",
    ]
  }

  private static func checks(_ invariant: Invariant) -> String { "checks of \(invariant.rawValue)" }

  /// The settings of a case's trials.
  func settings(_ testCase: StressCase) -> TrialSettings {
    var settings = TrialSettings()
    guard hasTestPoints else { return settings }
    var random = testCase.random("pauses")
    if random.chance(50) { settings.tests.pauseSeed = random.next() >> 32 }
    settings.tests.joinsAlways = random.chance(50)
    return settings
  }

  package func run(_ testCase: StressCase) throws -> CaseOutcome {
    let scenario = ScenarioGenerator.scenario(ofCase: testCase.number, seed: testCase.seed, plan: plan)
    let text = try scenario.text()
    if let problem = Self.problem(of: text, scenario) {
      try Data(text.utf8).write(to: URL(fileURLWithPath: testCase.folder + "/scenario.yaml"))
      return CaseOutcome(failures: [problem])
    }
    let settings = settings(testCase)
    let trials = TrialProcess(interruption: testCase.interruption)
    let folder = testCase.folder + "/first"
    guard let result = try trials.run(text, settings, in: folder) else { return CaseOutcome() }
    coverage.add(result.combinations)
    var outcome = CaseOutcome(counts: result.counts)
    if result.failures.isEmpty { return outcome }
    let report = FailureReport(testCase: testCase, trials: trials, settings: settings, shrinking: shrinking)
    outcome.failures = [try report.save(scenario, result)]
    return outcome
  }

  /// Returns the reason why a drawn scenario is not valid or is not written as it is; nil if all is right.
  private static func problem(of text: String, _ scenario: Scenario) -> String? {
    do {
      let loaded = try ScenarioLoader.load(text: text)
      if loaded.scenario != scenario { return "the text of the drawn scenario loads as another scenario" }
      return loaded.warnings.first.map { "the drawn scenario has a warning: \($0)" }
    } catch {
      return "the drawn scenario is not valid: \(error.description.split(separator: "\n").joined(separator: "; "))"
    }
  }
}
