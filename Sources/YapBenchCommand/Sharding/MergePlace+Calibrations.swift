internal import BenchRegression
internal import BenchReports
internal import BenchResults

extension MergePlace {
  /// Prints the noise of each machine that has made shards of a calibration. Figures of different machines are not
  /// pooled, and nothing is written: each shard has its report, and has appended its result to the calibration file.
  func merge(_ set: ShardSet<ComparisonOutcome>, in context: CommandContext) -> ExitStatus {
    let merge = set.merge { number, _ in command(of: number, in: set) }
    let byMachine = Dictionary(grouping: set.reports) { "\($0.record.machine), \($0.result.machine.fileSystem)" }
    let machines = byMachine.values.sorted { $0[0].record.number < $1[0].record.number }.flatMap { reports in
      let results = reports.map(\.result)
      let calibration = Calibration(results.map(CalibrationRecord.init), machine: results[0].machine)
      let noise = CalibrationText(calibration: calibration, figures: results.flatMap(\.figures)).lines
      return ["\(reports[0].record.machine), \(results[0].machine.fileSystem):"] + noise.map { "  " + $0 }
    }
    for line in merge.lines(onMachines: byMachine.count) + machines + merge.repetitions {
      context.output.line(InertText.line(line))
    }
    // A false alarm is a result of the calibration and not a failure.
    let codes = set.reports.map(\.result.exitCode).filter { $0 != .regressed }
    return ExitStatus.mostSevere(codes + (merge.problems.isEmpty ? [] : [.incomparable]))
  }
}
