/// All runs of one scenario: what the runner writes and the reports read, and nothing else passes between them. Its
/// JSON is `run.json`.
public struct ScenarioResult: Codable, Sendable {
  /// One of the variants that were to run.
  public struct Variant: Codable, Sendable, Equatable {
    /// nil for a scenario without a matrix, which has one variant.
    public var name: String?
    /// The values alone, for where their keys are known; empty without a matrix.
    public var label: String
    public var settings: [ScenarioVariant.Setting]

    public init(name: String?, label: String, settings: [ScenarioVariant.Setting]) {
      self.name = name
      self.label = label
      self.settings = settings
    }

    public init(_ variant: ScenarioVariant) {
      self.init(name: variant.name, label: variant.label, settings: variant.settings)
    }
  }

  /// Raised when a field changes its meaning or goes away. Documentation/run.schema.json describes this version, and
  /// no other is read.
  public static let currentSchemaVersion = 5

  public var schemaVersion = currentSchemaVersion
  /// The scenario as it ran, every override and the seed written in; its matrix is written out.
  public var scenarioYAML: String
  /// The texts of the files that the scenario names, by their names; nil for none.
  public var files: [String: String]?
  /// The choices (`--only`) by which the variants were picked out; empty where all of them were to run.
  public var choices: [String]
  /// Those that were to run, in the file's order.
  public var variants: [Variant]
  /// Runs of each variant that were to be made.
  public var repetitions: Int
  /// In the order in which they were made; never empty.
  public var runs: [RunResult]
  /// The most severe of all runs' verdicts.
  public var verdict: VerdictResult

  public init(
    scenarioYAML: String,
    files: [String: String]? = nil,
    choices: [String] = [],
    variants: [Variant],
    repetitions: Int,
    runs: [RunResult],
    verdict: VerdictResult
  ) {
    self.scenarioYAML = scenarioYAML
    self.files = files
    self.choices = choices
    self.variants = variants
    self.repetitions = repetitions
    self.runs = runs
    self.verdict = verdict
  }

  public var plannedRunCount: Int { variants.count * repetitions }

  /// Whether one run is all that was asked for: then its report is the scenario's.
  public var isSingle: Bool { plannedRunCount == 1 }

  /// Whether something was not run to its end.
  public var isPartial: Bool { runs.count < plannedRunCount || runs.contains(where: \.isPartial) }

  /// The run that speaks for what all runs have in common.
  public var first: RunResult { runs[0] }

  /// Runs of one variant, by their repetition.
  public func runs(of variant: Variant) -> [RunResult] {
    runs.filter { $0.variant == variant.name }.sorted { $0.repetition < $1.repetition }
  }

  /// Where a run stands among the others, such as "variant share, repetition 2"; empty for a single one.
  public func place(of run: RunResult) -> String {
    let label = variants.first { $0.name == run.variant }?.label ?? ""
    let variant = run.variant == nil ? nil : "variant \(label)"
    let repetition = repetitions > 1 ? "repetition \(run.repetition)" : nil
    return [variant, repetition].compactMap { $0 }.joined(separator: ", ")
  }
}
