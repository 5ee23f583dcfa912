internal import ArgumentParser
internal import BenchScenario

/// Scenarios of the project that `run` runs together.
enum ScenarioSuite: String, CaseIterable, ExpressibleByArgument {
  case standard = "default"
  case peers

  var meaning: String {
    switch self {
    case .standard: "eight scenarios of the engine, about five minutes"
    case .peers: "the scenarios of Scenarios/peers on every engine that keeps data, about twenty minutes"
    }
  }

  /// The engines that the suite compares with the first of them; empty for the engine of each scenario.
  var drivers: [DriverKind] {
    switch self {
    case .standard: []
    case .peers: DriverKind.allCases.filter(\.keepsData)
    }
  }

  /// The files and folders of the suite, below the folder of the project's scenarios: those that are easiest to
  /// understand first.
  var names: [String] {
    switch self {
    case .standard:
      [
        "wal/stalled-reader.yaml", "wal/sixty-hertz.yaml", "write/write-burst.yaml",
        "contrast/one-connection-or-two.yaml", "views/sorted-list.yaml", "policy/three-policies.yaml",
        "concurrency/transfers.yaml", "trouble/random-operations.yaml",
      ]
    case .peers: ["peers"]
    }
  }

  /// - Throws: `Failure` if the project's scenarios are not found.
  func paths() throws -> [String] {
    let folder = try ProjectScenarios.folderOfProgram()
    return names.map { "\(folder)/\($0)" }
  }
}
