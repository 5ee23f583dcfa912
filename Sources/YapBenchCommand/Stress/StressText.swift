internal import BenchReports
internal import BenchResults

/// The result of a campaign as the program prints it.
enum StressText {
  /// - Parameter folder: The folder of the report.
  static func lines(of result: StressResult, folder: String) -> [String] {
    let report = StressReport(result)
    var lines = [InertText.line(report.headline)]
    if let interruption = report.interruption { lines.append(interruption) }
    lines += AlignedColumns.lines(result.counts.map { ["  " + $0.name, String($0.value)] })
    for failures in result.failedCases {
      lines += failures.map { InertText.line("case \($0.number): \($0.text)") }
      lines.append(InertText.line("  repeat: \(failures[0].command)"))
    }
    lines += result.shortcomings.map { InertText.line("not enough was tested: \($0)") }
    if let merge = result.merge { lines += Self.lines(of: merge, result) }
    return lines + [InertText.line("report: \(folder)/report.html")]
  }

  private static func lines(of merge: MergeResult, _ result: StressResult) -> [String] {
    let machines = (result.machines ?? []).map { machine in
      let seconds = machine.seconds.map { Quantity.duration(nanoseconds: $0 * 1e9) }.joined(separator: ", ")
      return "  \(machine.name), \(machine.fileSystem): \(Quantity.count(machine.cases, of: "case")), "
        + "\(Quantity.count(machine.failedCases)) failed, in \(seconds)"
    }
    return (merge.lines(onMachines: machines.count) + machines + merge.repetitions).map { InertText.line($0) }
  }
}

/// The command line of a campaign.
struct StressCommandLine: Sendable {
  let kind: StressKind
  let seed: UInt64
  /// The options that determine the cases.
  let arguments: [String]
  /// The folder of `--data-dir`; nil without the option.
  let dataFolder: String?

  /// The words of the command without the program, the kind of the campaign and its limits.
  var options: [String] { ["--seed", String(seed)] + arguments + (dataFolder.map { ["--data-dir", $0] } ?? []) }

  func text(_ more: [String]) -> String { RepeatCommand.line(["stress", kind.rawValue] + options + more) }

  func text(ofCase number: Int) -> String { text(["--case", String(number)]) }
}
