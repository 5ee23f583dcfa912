/// All runs of one scenario: the only data that passes from the runner to the reports. Its JSON is `run.json`.
public struct ScenarioResult: Codable, Sendable {
  /// One of the variants that were to run.
  public struct Variant: Codable, Sendable, Equatable {
    /// nil for a scenario without a matrix, which has one variant.
    public var name: String?
    /// The variant's values without their keys; empty without a matrix.
    public var label: String
    public var settings: [VariantSetting]

    public init(name: String?, label: String, settings: [VariantSetting]) {
      self.name = name
      self.label = label
      self.settings = settings
    }
  }

  /// The version of the format, which Documentation/run.schema.json describes. It is raised if a field is removed or
  /// changes its meaning. Other versions cannot be read.
  public static let currentSchemaVersion = 10

  public var schemaVersion = currentSchemaVersion
  /// The scenario as YAML, with its matrix, and with every override and the seed applied.
  public var scenarioYAML: String
  /// The texts of the files that the scenario names, by their names; nil for none.
  public var files: [String: String]?
  /// The selections (`--only`) of variants; empty if all variants were to run.
  public var choices: [String] = []
  /// The overrides (`--set`) of the scenario, without the seed; nil in records of older versions.
  public var overrides: [String]?
  /// A digest of all that determines the load, which comparable results share; nil in records of older versions.
  public var configuration: String?
  /// The engines that the variants compare (`--driver`); nil for the scenario's own driver. `scenarioYAML` is the
  /// scenario as it was before they were added to its matrix.
  public var engines: EngineComparison?
  /// The selected variants, in the file's order.
  public var variants: [Variant]
  /// The figures that the report is to show first, beside those that expectations name; nil in older records.
  public var shownFigures: [FigureID]?
  /// The planned number of runs of each variant.
  public var repetitions: Int
  /// The runs that were made, in the order of time; of merged shards, in the planned order. Never empty.
  public var runs: [RunResult]
  /// The expectations that compare variants.
  public var variantExpectations: [VariantExpectationResult] = []
  /// The most severe verdict: of a run, or of an interruption or failure between two runs.
  public var verdict: VerdictResult
  /// The part of the planned runs that this is the result of; nil for all of them.
  public var shard: ShardRecord?
  /// The shards that were merged into this result; nil for a result that is no merge.
  public var merge: MergeResult?

  public var plannedRunCount: Int { shard?.cases.count ?? variants.count * repetitions }

  /// Whether a single run was requested. Its report is then the scenario's report.
  public var isSingle: Bool { variants.count * repetitions == 1 }

  /// Whether a run is missing or was broken off.
  public var isPartial: Bool {
    runs.count < plannedRunCount || runs.contains(where: \.isPartial)
      || merge?.parts.contains { $0.state != .complete } == true
  }

  /// The first run, for values that all runs have in common.
  public var first: RunResult { runs[0] }

  /// Returns the runs of one variant, in the order of their repetitions.
  public func runs(of variant: Variant) -> [RunResult] {
    runs.filter { $0.variant == variant.name }.sorted { $0.repetition < $1.repetition }
  }

  /// Returns the runs of one variant whose figures count: the valid ones, or all if none is valid.
  public func runsWithFigures(of variant: Variant) -> [RunResult] {
    let all = runs(of: variant)
    let valid = all.filter { !$0.isInvalid }
    return valid.isEmpty ? all : valid
  }

  /// Returns the runs of one variant that are left out of its figures: the invalid ones, if another one is valid.
  public func runsLeftOut(of variant: Variant) -> [RunResult] {
    let all = runs(of: variant)
    return all.allSatisfy(\.isInvalid) ? [] : all.filter(\.isInvalid)
  }

  /// Whether more than half of the planned repetitions of each variant are valid. The invalid ones are then left out.
  public var hasEnoughValidRuns: Bool {
    variants.allSatisfy { variant in
      let all = runs(of: variant)
      // A shard has some of the repetitions.
      let planned = shard == nil ? repetitions : all.count { $0.repetition <= repetitions }
      return planned == 0 || all.count { !$0.isInvalid } > planned / 2
    }
  }

  /// Whether the run's variant has several runs: repetitions, or a retry of an invalid run. The first run of a variant
  /// without repetitions keeps its name.
  public func isRepeated(_ run: RunResult) -> Bool { repetitions > 1 || run.repetition > 1 }

  /// Returns the name of a run, such as "variant share, repetition 2"; empty without matrix and repetitions.
  public func label(of run: RunResult) -> String {
    let values = variants.first { $0.name == run.variant }?.label ?? ""
    let variant = run.variant == nil ? nil : "variant \(values)"
    let repetition = isRepeated(run) ? "repetition \(run.repetition)" : nil
    return [variant, repetition].compactMap { $0 }.joined(separator: ", ")
  }
}

extension ScenarioResult: ShardResult {
  public var isWhole: Bool { !isPartial && ![.internalError, .interrupted].contains(verdict.exitCode) }
  public var casesMade: Int { plannedRuns.count { !$0.isPartial } }

  public var plannedRuns: [RunResult] { runs.filter { $0.repetition <= repetitions } }
  /// The retries of invalid runs.
  public var retries: [RunResult] { runs.filter { $0.repetition > repetitions } }
}

extension RunResult {
  /// Whether the measurement is invalid.
  public var isInvalid: Bool { verdict.exitCode == .measurementInvalid }

  /// Whether the machine made times of a phase longer.
  public var isDisturbed: Bool { phases.contains { $0.disturbance != nil } }
}

/// One of the values of a variant.
public struct VariantSetting: Codable, Sendable, Equatable {
  /// The path of the value in the scenario, such as `engine.defaultObjectPolicy`.
  public var path: String
  /// The shortest end of the path that no other path has, such as `defaultObjectPolicy`.
  public var key: String
  /// The value as text.
  public var value: String

  public init(path: String, key: String, value: String) {
    self.path = path
    self.key = key
    self.value = value
  }

  public var name: String { "\(key)=\(value)" }
}

extension ScenarioResult {
  /// Creates a result with the verdict of the first run, which the caller replaces. `runs` must not be empty.
  public init(scenarioYAML: String, variants: [Variant], repetitions: Int, runs: [RunResult]) {
    (self.scenarioYAML, self.variants, self.repetitions) = (scenarioYAML, variants, repetitions)
    (self.runs, verdict) = (runs, runs[0].verdict)
  }
}
