internal import BenchResults
internal import BenchRunner
internal import BenchScenario
internal import Foundation

/// Runs the scenario of a folder in this process, for the parent process that has started it.
///
/// The folder contains `scenario.yaml` and `trial.json`. The result is `result.json`, and the database is in `data`.
public enum TrialHost {
  /// The subcommand with which the program runs a trial.
  public static let argument = "scenario-trial"

  static let scenarioFile = "scenario.yaml"
  static let settingsFile = "trial.json"
  static let resultFile = "result.json"
  static let dataFolder = "data"

  /// - Throws: `ScenarioDiagnostics` if the scenario is not valid; errors of reading and writing files. The failure of
  ///   a run is a part of its result.
  public static func serve(folder: String) throws {
    let settings = try JSONDecoder().decode(
      TrialSettings.self,
      from: Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(settingsFile)"))
    )
    let loaded = try ScenarioLoader.load(path: "\(folder)/\(scenarioFile)")
    let result = run(loaded, settings, dataFolder: "\(folder)/\(dataFolder)")
    try JSONEncoder().encode(result).write(to: URL(fileURLWithPath: "\(folder)/\(resultFile)"), options: .atomic)
  }

  private static func run(_ loaded: LoadedScenario, _ settings: TrialSettings, dataFolder: String) -> TrialResult {
    var options = RunOptions(dataFolder: dataFolder, keepsDatabase: true)
    options.measuresHarness = false
    options.engineTests = settings.tests
    options.patienceNanoseconds = settings.patienceNanoseconds
    do {
      let result = try ScenarioRun(loaded, options: options).perform()
      return TrialResult(result.runs[0], of: loaded.scenario)
    } catch {
      var result = TrialResult()
      result.failures = ["the run has no result: \(error)"]
      return result
    }
  }
}
