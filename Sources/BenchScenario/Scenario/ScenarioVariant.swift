public import BenchResults

/// One combination of the values in a scenario's `matrix`, and the scenario with these values.
public struct ScenarioVariant: Sendable, Equatable {
  /// The settings in the file's order; empty for a scenario without a matrix.
  public var settings: [VariantSetting] = []
  /// The scenario with these values.
  public internal(set) var scenario: Scenario

  /// The name, such as `defaultObjectPolicy=share,synchronous=full`; nil for a scenario without a matrix.
  public var name: String? { settings.isEmpty ? nil : settings.map(\.name).joined(separator: ",") }

  /// The values alone, such as `share, full`, for tables that name the keys; empty without a matrix.
  public var label: String { settings.label }

  /// Whether the variant has all settings of a choice such as `share` or `defaultObjectPolicy=share,synchronous=full`.
  func isChosen(by choice: String) -> Bool {
    // A value may contain a comma, so the whole name is tried first.
    choice == name || choice == label || VariantChoice(choice).includes(settings)
  }
}

/// The variants of a scenario, all of which passed all checks, and the text from which they can be loaded again.
public struct LoadedScenario: Sendable, Equatable {
  /// The variants to run, in the file's order; never empty. A scenario without a matrix has one, without a name.
  public internal(set) var variants: [ScenarioVariant]
  /// Runs of each variant.
  public internal(set) var repetitions: Int
  /// The choices by which the variants were selected; empty if none was given, so that all variants run.
  public internal(set) var choices: [String] = []
  /// The scenario with every override applied, as YAML; its matrix is kept.
  public let expandedYAML: String
  /// The text without what does not change a run: the seed, descriptions, expectations, and the form of the text.
  public let comparableText: String
  /// The overrides of the text, without the seed.
  public var overrides: [ScenarioOverride] = []
  /// The part of the runs to make; nil for all.
  public var shard: ShardRecord?
  /// The texts of the files that the scenario names, by their names.
  public internal(set) var files: [String: String] = [:]
  /// The drivers that the variants compare; nil for the scenario's own driver.
  public internal(set) var engines: EngineComparison?
  /// The warnings that all variants of the file have, sorted by location.
  public internal(set) var warnings: [Diagnostic] = []

  /// The scenario of the first variant. All variants share the name, the summary, the tags and the seed. Without a
  /// matrix there is only one variant.
  public var scenario: Scenario { variants[0].scenario }

  /// The figures that the report is to show first, beside those of expectations.
  public var shownFigures: [FigureID] { variants.flatMap(\.scenario.shownFigures).withoutDuplicates }

  /// The number of runs, of all shards together.
  public var runCount: Int { variants.count * repetitions }
}

extension LoadedScenario {
  /// The file name in the diagnostics of a choice.
  public static let choiceFile = "--only"

  /// Returns the scenario with the variants that at least one of the choices names, such as `share` or
  /// `defaultObjectPolicy=share,synchronous=full`. With an empty list of choices all variants stay.
  ///
  /// - Throws: a problem for each choice that names no variant.
  public func choosing(_ choices: [String]) throws(ScenarioDiagnostics) -> LoadedScenario {
    guard !choices.isEmpty else { return self }
    let log = DiagnosticLog()
    let words = variants.compactMap(\.name) + Set(variants.flatMap(\.settings).map(\.value)).sorted()
    for (index, choice) in choices.enumerated() where !variants.contains(where: { $0.isChosen(by: choice) }) {
      let location = SourceLocation(file: Self.choiceFile, line: index + 1, column: 1)
      let remedy =
        words.isEmpty
        ? "the scenario \(quoted(scenario.name)) has no \"matrix\""
        : Suggestion.nearest(to: choice, among: words).map { "did you mean \(quoted($0))?" }
          ?? "expected one of " + variants.compactMap(\.name).joined(separator: "; ")
      log.report("there is no variant \(quoted(choice)); \(remedy)", at: location)
    }
    try log.throwIfAny()
    var result = self
    result.variants = variants.filter { variant in choices.contains { variant.isChosen(by: $0) } }
    result.choices = choices
    return result
  }

  /// The drivers of `engines`; empty without a comparison.
  public var comparedDrivers: [DriverKind] { engines?.drivers.compactMap(DriverKind.init) ?? [] }

  /// Returns the scenario with the variants for which `isWanted` returns true; nil if there are none.
  public func keeping(_ isWanted: (Scenario) -> Bool) -> LoadedScenario? {
    var result = self
    result.variants.removeAll { !isWanted($0.scenario) }
    return result.variants.isEmpty ? nil : result
  }

  /// Returns the scenario with one run of one variant, without the expectations, which concern figures.
  public func singleRun(ofVariant index: Int, seed: UInt64) -> LoadedScenario {
    var result = self
    result.variants = [variants[index]]
    result.variants[0].scenario = result.scenario.withoutExpectations
    result.variants[0].scenario.seed = seed
    result.repetitions = 1
    return result
  }

  /// Returns the scenario with every variant cut to a smoke run, and one run of each. The text stays unchanged.
  public func smoke(longestPhaseNanoseconds: UInt64 = Scenario.longestSmokePhaseNanoseconds) -> LoadedScenario {
    var result = self
    for index in variants.indices {
      result.variants[index].scenario =
        variants[index].scenario.smoke(longestPhaseNanoseconds: longestPhaseNanoseconds)
    }
    result.repetitions = 1
    return result
  }
}

extension [VariantSetting] {
  var label: String { map(\.value).joined(separator: ", ") }
}

extension ScenarioResult.Variant {
  public init(_ variant: ScenarioVariant) {
    self.init(name: variant.name, label: variant.label, settings: variant.settings)
  }
}
