public import BenchResults
internal import BenchScenario

/// Joins the shards of runs. The runs keep their figures, and the verdict covers all runs together.
public struct RunMerge: Sendable {
  /// The accepted reports.
  public private(set) var set: ShardSet<ScenarioResult>
  /// The scenarios whose texts the accepted reports contain, by their groups.
  private var loaded: [Int: LoadedScenario] = [:]

  /// Leaves out reports that contradict themselves.
  public init(_ set: ShardSet<ScenarioResult>) {
    self.set = set
    var loaded: [Int: LoadedScenario] = [:]
    var first: [Int: ScenarioResult] = [:]
    self.set.reject { report in
      let group = report.record.group ?? 0
      do {
        let scenario = try loaded[group] ?? Self.scenario(of: report.result)
        let reference = first[group] ?? report.result
        if let problem = Self.problem(of: report, in: scenario, first: reference) { return problem }
        (loaded[group], first[group]) = (scenario, reference)
        return nil
      } catch { return "its scenario cannot be read: \(error)" }
    }
    self.loaded = loaded
  }

  private static func scenario(of result: ScenarioResult) throws(ScenarioDiagnostics) -> LoadedScenario {
    let drivers = result.engines?.drivers.compactMap(DriverKind.init) ?? []
    let whole = try ScenarioLoader.load(text: result.scenarioYAML, files: result.files ?? [:], drivers: drivers)
    let chosen = try whole.choosing(result.choices)
    return result.first.isSmoke ? chosen.smoke() : chosen
  }

  /// Returns the reason why a report does not belong to its shard; nil if it does.
  private static func problem(
    of report: ShardReport<ScenarioResult>,
    in loaded: LoadedScenario,
    first: ScenarioResult
  ) -> String? {
    let (result, runs) = (report.result, report.result.plannedRuns)
    guard result.variants == loaded.variants.map(ScenarioResult.Variant.init), result.repetitions == loaded.repetitions,
      result.scenarioYAML == first.scenarioYAML, result.files == first.files
    else { return "its variants or its text are not those of its scenario" }
    let planned = ScenarioRun.planned(loaded, report.record).prefix(runs.count)
    let isPlanned = zip(planned, runs).allSatisfy { planned, run in
      loaded.variants[planned.variant].name == run.variant && planned.repetition == run.repetition
    }
    guard isPlanned, planned.count == runs.count, !runs.isEmpty else {
      return "its runs are not those of \(report.record.text)"
    }
    return nil
  }

  /// Returns the result of a scenario.
  /// - Parameters:
  ///   - group: The scenario's index in the command.
  ///   - merge: The merge of the group.
  /// - Returns: nil if no report of the scenario was accepted.
  public func result(ofGroup group: Int, _ merge: MergeResult) -> ScenarioResult? {
    let reports = set.reports.filter { $0.record.group == group }
    guard let loaded = loaded[group], var result = reports.first?.result else { return nil }
    let results = reports.map(\.result)
    result.runs = results.flatMap(\.plannedRuns) + results.flatMap(\.retries)
    result.shard = nil
    result.merge = merge
    result.variantExpectations = VariantJudge(loaded, result).results
    let isStrict = reports.contains { $0.record.options.contains("--strict") }
    result.verdict = ScenarioVerdict(result, wasInterrupted: false, failure: nil, isStrict: isStrict).result
    return result
  }
}
