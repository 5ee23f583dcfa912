/// One combination of the values that a scenario's `matrix` names, and what the scenario is with them.
public struct ScenarioVariant: Sendable, Equatable {
  /// One of the values.
  public struct Setting: Codable, Sendable, Equatable {
    /// Where it stands in the scenario, such as `engine.defaultObjectPolicy`.
    public var path: String
    /// The end of the path that tells it from the others, such as `defaultObjectPolicy`.
    public var key: String
    /// As the scenario writes it.
    public var value: String

    public init(path: String, key: String, value: String) {
      self.path = path
      self.key = key
      self.value = value
    }

    var name: String { "\(key)=\(value)" }
  }

  /// In the file's order; empty for a scenario without a matrix.
  public let settings: [Setting]
  /// The scenario with these values, checked as a whole.
  public let scenario: Scenario

  public init(settings: [Setting] = [], scenario: Scenario) {
    self.settings = settings
    self.scenario = scenario
  }

  /// Such as `defaultObjectPolicy=share,synchronous=full`; nil for a scenario without a matrix.
  public var name: String? { settings.isEmpty ? nil : settings.map(\.name).joined(separator: ",") }

  /// The values alone, such as `share, full`, for where the keys are known; empty without a matrix.
  public var label: String { settings.map(\.value).joined(separator: ", ") }

  /// Whether it has all settings of a choice such as `share` or `defaultObjectPolicy=share,synchronous=full`.
  func isChosen(by choice: String) -> Bool {
    // A value may have a comma in it, so the whole name is tried first.
    choice == name || choice == label
      || choice.split(separator: ",").allSatisfy { term in
        settings.contains { $0.name == term || $0.value == term }
      }
  }
}

/// A scenario that may run, in each of its variants, and the text that repeats it.
public struct LoadedScenario: Sendable, Equatable {
  /// Those that are to run, in the file's order; never empty. A scenario without a matrix has one, without a name.
  public internal(set) var variants: [ScenarioVariant]
  /// Runs of each variant.
  public internal(set) var repetitions: Int
  /// The choices by which the variants were picked out; empty where all of them are to run.
  public internal(set) var choices: [String] = []
  /// The scenario with every override in it, as YAML; its matrix is written out.
  public let expandedYAML: String
  /// The texts of the files that it names, by their names.
  public internal(set) var files: [String: String] = [:]

  /// The only scenario of one without a matrix; else that of the first variant, with which the others share the name,
  /// the summary, the tags and the seed.
  public var scenario: Scenario { variants[0].scenario }

  public var runCount: Int { variants.count * repetitions }
}

extension LoadedScenario {
  /// The file that diagnostics of a choice name.
  public static let choiceFile = "--only"

  /// Picks out the variants that one of the choices names, such as `share` or `defaultObjectPolicy=share`; of several
  /// settings, separated by commas, a variant has all. No choice leaves all of them.
  ///
  /// - Throws: a problem for each choice that names no variant.
  public func choosing(_ choices: [String]) throws(ScenarioDiagnostics) -> LoadedScenario {
    guard !choices.isEmpty else { return self }
    let log = DiagnosticLog()
    let words = variants.compactMap(\.name) + Set(variants.flatMap(\.settings).map(\.value)).sorted()
    for (index, choice) in choices.enumerated() where !variants.contains(where: { $0.isChosen(by: choice) }) {
      let place = Place(file: Self.choiceFile, line: index + 1, column: 1)
      let remedy =
        words.isEmpty
        ? "the scenario \(quoted(scenario.name)) has no \"matrix\""
        : Suggestion.nearest(to: choice, among: words).map { "did you mean \(quoted($0))?" }
          ?? "expected one of " + variants.compactMap(\.name).joined(separator: "; ")
      log.report("there is no variant \(quoted(choice)); \(remedy)", at: place)
    }
    try log.throwIfAny()
    var result = self
    result.variants = variants.filter { variant in choices.contains { variant.isChosen(by: $0) } }
    result.choices = choices
    return result
  }

  /// The scenario cut short, each variant once. Its text stays whole: a smoke run is repeated by asking for one again.
  public func smoke(
    longestPhaseNanoseconds: UInt64 = Scenario.longestSmokePhaseNanoseconds
  ) -> LoadedScenario {
    var result = self
    result.variants = variants.map {
      ScenarioVariant(
        settings: $0.settings,
        scenario: $0.scenario.smoke(longestPhaseNanoseconds: longestPhaseNanoseconds)
      )
    }
    result.repetitions = 1
    return result
  }
}
