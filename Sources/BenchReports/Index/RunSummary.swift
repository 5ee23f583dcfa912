package import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// `verdict.json`: the verdict on all runs of a scenario, in a few kilobytes. The index reads only this file of each
/// run, because a `run.json` may have many megabytes.
package struct RunSummary: Codable, Sendable, Equatable {
  /// An expectation, with the values of the valid run in which it failed or came closest to its limit.
  struct Expectation: Codable, Sendable, Equatable {
    /// In the syntax of the scenario.
    var source: String
    /// The measured value with its unit.
    var measured: String
    /// In base units; for a comparison of variants their ratio; nil if nothing was measured.
    var measuredValue: Double?
    var comparison: Comparison
    /// The bound in base units; nil if it was not measured.
    var limitValue: Double?
    var holds: Bool

    /// The distance from the limit as a share of the limit; negative beyond the limit. nil for an exact limit, and if a
    /// value is missing or the limit is 0.
    var margin: Double? {
      guard let measuredValue, let limitValue, limitValue != 0 else { return nil }
      let distance = (measuredValue - limitValue) / abs(limitValue)
      switch comparison {
      case .less, .lessOrEqual: return -distance
      case .greater, .greaterOrEqual: return distance
      case .equal: return nil
      }
    }

    /// Returns the expectation that failed, or else the one with the smallest margin.
    static func closest(_ expectations: [Expectation]) -> Expectation? {
      expectations.min { first, other in
        let (one, two) = (first.holds ? 1.0 : 0, other.holds ? 1.0 : 0)
        return (one, first.margin ?? .infinity) < (two, other.margin ?? .infinity)
      }
    }
  }

  /// A figure of one variant, in its base unit.
  struct Figure: Codable, Sendable, Equatable {
    /// In the syntax of the scenario.
    var name: String
    /// The label of the variant; nil without a matrix.
    var variant: String?
    var unit: FigureUnit
    var value: Double
  }

  static let fileName = "verdict.json"
  static let currentSchemaVersion = 1

  var schemaVersion = currentSchemaVersion
  package let scenario: String
  let tags: [String]
  /// ISO 8601, UTC.
  let startedAt: String
  /// The duration of the phases of all runs.
  package let seconds: Double
  /// nil if it is not known.
  let commit: String?
  let hasUncommittedChanges: Bool
  let isSmoke: Bool
  let isPartial: Bool
  let exitCode: ExitStatus
  /// The conclusion in one line, without the word of the verdict.
  package let headline: String
  /// Empty if the figures are invalid or incomplete, and for a smoke run.
  let expectations: [Expectation]
  /// The figures that the report states first, and the peak of the WAL in each phase, without those that the machine
  /// disturbed. nil in files of older versions.
  let figures: [Figure]?
  /// The largest of all runs; nil without a WAL, and in files of older versions.
  let walPeak: HeldPeak?
  /// The name of the figure of the index: the rate of a closed load, or the p99 of an open one, whose rate is given.
  let headlineFigure: String?
  /// The overrides, choices and engines of the command.
  let settings: [String]?
  /// Comparable runs have the same configuration, machine and libraries. nil in files of older versions.
  let configuration: String?
  let machine: ComparedMachine?
  let libraries: [String]?

  package init(_ result: ScenarioResult) {
    let first = result.first
    scenario = first.scenario
    tags = first.tags
    startedAt = first.startedAt
    seconds = result.runs.reduce(0) { $0 + $1.phaseSeconds }
    commit = first.environment.commit
    hasUncommittedChanges = first.environment.hasUncommittedChanges
    isSmoke = first.isSmoke
    isPartial = result.isPartial
    exitCode = result.verdict.exitCode
    headline = result.verdict.headline
    let hasFigures = !first.isSmoke && [.passed, .expectationFailed].contains(result.verdict.exitCode)
    expectations = hasFigures ? Self.expectations(of: result) : []
    figures = first.isSmoke || result.isPartial ? [] : Self.figures(of: result)
    walPeak = result.runs.compactMap(HeldPeak.init).max { $0.bytes < $1.bytes }
    headlineFigure = HeadlineFigures.ofIndex(in: result)?.description
    let engines = result.engines.map { ["--driver " + $0.drivers.joined(separator: ",")] } ?? []
    settings = (result.overrides ?? []) + result.choices + engines
    configuration = result.configuration
    machine = ComparedMachine(first.environment)
    libraries = (result.runs.map(\.engine.library) + [first.environment.sqliteVersion]).withoutDuplicates
  }

  /// Whether the figures of both runs are of the same load on the same machine.
  func isComparable(to other: RunSummary) -> Bool {
    guard let configuration, let machine, let others = other.machine else { return false }
    return configuration == other.configuration && libraries == other.libraries && isSmoke == other.isSmoke
      && machine.isSame(as: others)
  }

  /// Returns the value of a figure; nil if the run does not have it.
  /// - Parameter figure: In the syntax of the scenario.
  func value(of figure: String, variant: String?) -> Double? {
    figures?.first { $0.name == figure && $0.variant == variant }?.value
  }

  /// The figures of runs without another fault than a disturbance.
  private static func figures(of result: ScenarioResult) -> [Figure] {
    let phases = result.first.phases.filter(\.isRecorded).map { FigureScope($0.name) }
    let ids = HeadlineFigures.all(of: result) + phases.map { FigureID(.walBytes, .max, of: $0) }
    return result.variants.flatMap { variant -> [Figure] in
      let runs = result.runsWithFigures(of: variant).filter { run in
        [.passed, .expectationFailed].contains(run.verdict.exitCode)
          || run.isInvalid && run.isDisturbed && run.harness.loadFault == nil
      }
      return ids.withoutDuplicates.compactMap { id in
        let repetitions = runs.map { RepeatedPhase($0, id.scope.phase) }
        guard let figure = VariantFigure(id, of: repetitions), figure.value.isFinite,
          !repetitions.contains(where: { $0.figures?.isDisturbed(id) ?? false })
        else { return nil }
        let label = variant.name == nil ? nil : variant.label
        return Figure(name: id.description, variant: label, unit: id.unit, value: figure.value)
      }
    }
  }

  private static func expectations(of result: ScenarioResult) -> [Expectation] {
    let runs = result.variants.flatMap { result.runsWithFigures(of: $0) }
    let found =
      runs.flatMap(\.expectations).map(Expectation.init) + result.variantExpectations.compactMap(Expectation.init)
    return found.map(\.source).withoutDuplicates.compactMap { source in
      Expectation.closest(found.filter { $0.source == source })
    }
  }

  // MARK: The file

  /// The rest of a larger file is not read, so the file counts as damaged. 1,000 expectations take less.
  private static let largestBytes = 1 << 18

  func encoded() throws -> String { String(decoding: try StableJSON.document(self), as: UTF8.self) }

  /// Reads the file of a run's folder.
  /// - Returns: nil if it is not a `verdict.json` of this version.
  static func read(in run: String) throws(FileProblem) -> RunSummary? {
    let bytes = try RegularFile(path: "\(run)/\(fileName)").contents(upTo: largestBytes)
    let summary = try? JSONDecoder().decode(RunSummary.self, from: Data(bytes))
    return summary?.schemaVersion == currentSchemaVersion ? summary : nil
  }
}

extension RunSummary.Expectation {
  fileprivate init(_ result: ExpectationResult) {
    source = result.source
    measured = result.measured
    measuredValue = result.measuredValue.flatMap(Self.finite)
    comparison = result.comparison
    limitValue = result.limitValue.flatMap(Self.finite)
    holds = result.holds
  }

  /// - Returns: nil if the repetitions did not decide it.
  fileprivate init?(_ result: VariantExpectationResult) {
    guard result.outcome == .passed || result.outcome == .failed else { return nil }
    source = result.source
    measured = "ratio \(result.ratioText)"
    measuredValue = result.ratio.flatMap(Self.finite)
    comparison = result.comparison
    limitValue = Self.finite(result.limitRatio)
    holds = result.outcome == .passed
  }

  /// JSON has no other numbers.
  private static func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }
}
