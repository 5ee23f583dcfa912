internal import BenchResults
internal import BenchRunner
internal import BenchScenario
internal import EngineStress

/// The request to run the scenario of a folder.
struct TrialOrder: Codable {
  static let dataFolder = "data"

  let folder: String
  let settings: TrialSettings

  var scenarioPath: String { "\(folder)/scenario.yaml" }
}

/// Runs a scenario in this process for the parent process, which has started it with `TrialProcess`.
package enum TrialHost {
  /// - Throws: `ScenarioDiagnostics` if the scenario is not valid; errors of reading it. The failure of a run is a part
  ///   of its result.
  package static func serve() throws {
    try RequestServer.serve { (order: TrialOrder) in
      let loaded = try ScenarioLoader.load(path: order.scenarioPath)
      return run(loaded, order.settings, dataFolder: "\(order.folder)/\(TrialOrder.dataFolder)")
    }
  }

  private static func run(_ loaded: LoadedScenario, _ settings: TrialSettings, dataFolder: String) -> TrialResult {
    var options = RunOptions(dataFolder: dataFolder, keepsDatabase: true)
    options.measuresHarness = false
    options.engineTests = settings.tests
    options.patienceNanoseconds = settings.patienceNanoseconds
    do {
      let result = try ScenarioRun.perform(loaded, options: options)
      return TrialResult(result.runs[0], of: loaded.scenario)
    } catch {
      var result = TrialResult()
      result.failures = ["the run has no result: \(error)"]
      return result
    }
  }
}
