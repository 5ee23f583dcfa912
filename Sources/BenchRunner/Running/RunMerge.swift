package import BenchResults
internal import BenchScenario

/// Joins the shards of runs. The runs keep their figures, and the verdict covers all runs together.
package enum RunMerge {
  /// Returns the reason why a report contradicts its record; nil if it does not.
  package static func problem(of report: ShardReport<ScenarioResult>) -> String? {
    let (result, runs) = (report.result, report.result.plannedRuns)
    do {
      let loaded = try scenario(of: result, in: report.record)
      // Of the stored text, which the loader may write in another way.
      let digest = LoadedScenario.digest(of: result.scenarioYAML, result.files ?? [:], result.variants.map(\.label))
      guard result.variants == loaded.variants.map(ScenarioResult.Variant.init),
        result.repetitions == loaded.repetitions,
        report.record.command.groups[report.record.group ?? 0].digest == digest
      else { return "its variants or its text are not those of its scenario" }
      let planned = ScenarioRun.planned(loaded).prefix(runs.count)
      let found = zip(planned, runs).filter { planned, run in
        loaded.variants[planned.variant].name == run.variant && planned.repetition == run.repetition
      }
      let isPlanned = !runs.isEmpty && found.count == runs.count
      return isPlanned ? nil : "its runs are not those of \(report.record.shard.text)"
    } catch { return "its scenario cannot be read: \(error)" }
  }

  private static func scenario(
    of result: ScenarioResult,
    in shard: ShardRecord?
  ) throws(ScenarioDiagnostics) -> LoadedScenario {
    let drivers = result.engines?.drivers.compactMap(DriverKind.init) ?? []
    let whole = try ScenarioLoader.load(text: result.scenarioYAML, files: result.files ?? [:], drivers: drivers)
    let chosen = try whole.choosing(result.choices)
    var loaded = result.first.isSmoke ? chosen.smoke() : chosen
    loaded.shard = shard
    return loaded
  }

  /// Returns the result of a scenario.
  /// - Parameters:
  ///   - group: The scenario's index in the command.
  ///   - set: Reports without problems.
  ///   - merge: The merge of the group.
  /// - Returns: nil if there is no report of the scenario.
  /// - Throws: `ScenarioDiagnostics` if the scenario cannot be read.
  package static func result(
    ofGroup group: Int,
    in set: ShardSet<ScenarioResult>,
    _ merge: MergeResult
  ) throws -> ScenarioResult? {
    let reports = set.reports.filter { $0.record.group == group }
    let results = reports.map(\.result)
    guard var result = results.first else { return nil }
    result.runs = results.flatMap(\.plannedRuns) + results.flatMap(\.retries)
    result.shard = nil
    result.merge = merge
    result.variantExpectations = VariantJudge(loaded: try scenario(of: result, in: nil), scenario: result).results
    let isStrict = reports.contains { $0.record.options.contains("--strict") }
    result.verdict =
      ScenarioVerdict(scenario: result, wasInterrupted: false, failure: nil, isStrict: isStrict).result
    return result
  }
}
