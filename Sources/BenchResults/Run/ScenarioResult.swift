/// All runs of one scenario: the only data that passes from the runner to the reports. Its JSON is `run.json`.
public struct ScenarioResult: Codable, Sendable {
  /// One of the variants that were to run.
  public struct Variant: Codable, Sendable, Equatable {
    /// nil for a scenario without a matrix, which has one variant.
    public var name: String?
    /// The values without their keys; empty without a matrix.
    public var label: String
    public var settings: [VariantSetting]

    public init(name: String?, label: String, settings: [VariantSetting]) {
      self.name = name
      self.label = label
      self.settings = settings
    }
  }

  /// The version, raised if a field changes its meaning or is removed. Documentation/run.schema.json describes it.
  /// Other versions cannot be read.
  public static let currentSchemaVersion = 5

  public var schemaVersion = currentSchemaVersion
  /// The scenario as it ran, with every override and the seed, and with its matrix expanded.
  public var scenarioYAML: String
  /// The texts of the files that the scenario names, by their names; nil for none.
  public var files: [String: String]?
  /// The selections (`--only`) of variants; empty if all variants were to run.
  public var choices: [String] = []
  /// The selected variants, in the file's order.
  public var variants: [Variant]
  /// The planned number of runs of each variant.
  public var repetitions: Int
  /// In the order of time; never empty.
  public var runs: [RunResult]
  /// The most severe of all runs' verdicts.
  public var verdict: VerdictResult

  public var plannedRunCount: Int { variants.count * repetitions }

  /// Whether a single run was requested. Its report is then the scenario's report.
  public var isSingle: Bool { plannedRunCount == 1 }

  /// Whether a run is missing or was broken off.
  public var isPartial: Bool { runs.count < plannedRunCount || runs.contains(where: \.isPartial) }

  /// The first run, for values that all runs have in common.
  public var first: RunResult { runs[0] }

  /// Runs of one variant, in the order of their repetitions.
  public func runs(of variant: Variant) -> [RunResult] {
    runs.filter { $0.variant == variant.name }.sorted { $0.repetition < $1.repetition }
  }

  /// The name of a run among the others, such as "variant share, repetition 2"; empty for a single one.
  public func label(of run: RunResult) -> String {
    let values = variants.first { $0.name == run.variant }?.label ?? ""
    let variant = run.variant == nil ? nil : "variant \(values)"
    let repetition = repetitions > 1 ? "repetition \(run.repetition)" : nil
    return [variant, repetition].compactMap { $0 }.joined(separator: ", ")
  }
}

/// One of the values of a variant.
public struct VariantSetting: Codable, Sendable, Equatable {
  /// Its path in the scenario, such as `engine.defaultObjectPolicy`.
  public var path: String
  /// The shortest end of the path that no other path has, such as `defaultObjectPolicy`.
  public var key: String
  /// The text in the scenario.
  public var value: String

  public init(path: String, key: String, value: String) {
    self.path = path
    self.key = key
    self.value = value
  }

  public var name: String { "\(key)=\(value)" }
}

extension ScenarioResult {
  /// The verdict is that of the first run until it is set.
  public init(scenarioYAML: String, variants: [Variant], repetitions: Int, runs: [RunResult]) {
    (self.scenarioYAML, self.variants, self.repetitions) = (scenarioYAML, variants, repetitions)
    (self.runs, verdict) = (runs, runs[0].verdict)
  }
}
