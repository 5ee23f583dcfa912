package import BenchResults

/// The report of a stress campaign: its verdict, what was tested and how often, the failures, and what was not tested.
package struct StressReport: WrittenReport {
  private let result: StressResult

  package init(_ result: StressResult) {
    self.result = result
  }

  private static let longestReason = 160

  /// One line: the verdict with its reason, which is shortened if it is long; if nothing failed, with counts.
  package var headline: String { "\(result.status.word): \(reason)" }

  /// The point at which the campaign was interrupted, such as "interrupted after 7 of 20 cases"; nil if it was not.
  package var interruption: String? { result.isInterrupted ? "interrupted after \(finishedCases)" : nil }

  private var finishedCases: String {
    guard let planned = result.plannedCases else { return Quantity.count(result.cases, of: "case") }
    return "\(Quantity.count(result.cases)) of \(Quantity.count(planned, of: "case"))"
  }

  private var reason: String {
    let cases = Quantity.count(result.cases, of: "case")
    if let first = result.failures.first {
      let more = result.failures.count > 1 ? ", and \(result.failures.count - 1) more" : ""
      let isLong = first.text.count > Self.longestReason
      let text = isLong ? "\(first.text.prefix(Self.longestReason)) …" : first.text
      return "case \(first.number): \(text)\(more)"
    }
    if result.isInterrupted { return "\(cases) before the interruption, no failure" }
    if let first = result.shortcomings.first ?? result.mergeProblems.first { return first }
    return "\(cases), no failure"
  }

  var sections: [ReportSection] {
    [verdict, counts] + (result.merge.map { [shards($0)] } ?? [])
      + (result.failures.isEmpty ? [] : [failures]) + [untested, environment, repetition]
  }

  private var verdict: ReportSection {
    let planned: ReportText = result.plannedCases.map { " of \(Quantity.count($0)) planned" } ?? ""
    let part: ReportText = result.shard.map { ", \($0.shard.text)" } ?? ""
    // A merge has no duration of its own: each machine has one.
    let time = Quantity.duration(nanoseconds: result.durationSeconds * 1e9)
    let duration: ReportText = result.merge == nil ? " in \(time)" : ""
    var lines: [ReportText] = [
      "\(code: "stress \(result.kind.rawValue)")\(part) with seed \(String(result.seed)), begun at "
        + "\(result.startedAt): \(Quantity.count(result.cases, of: "case"))\(planned)\(duration)."
    ]
    if result.shard != nil {
      lines.append("Whether enough was tested is judged when \(code: "yapbench merge") joins the shards.")
    }
    if result.isInterrupted { lines.append("Interrupted after \(finishedCases).") }
    for shortcoming in result.shortcomings { lines.append("Not enough was tested: \(shortcoming).") }
    return ReportSection(
      anchor: "verdict",
      title: .text(headline),
      tone: result.status.tone,
      blocks: [.paragraph(lines)],
      isLead: true
    )
  }

  private var counts: ReportSection {
    var table = ReportTable(names: ["tested"], numbers: ["count"], isAlwaysOpen: true)
    for count in result.counts { table.append([.text(count.name), .count(count.value)]) }
    return ReportSection(anchor: "counts", title: "What was tested", blocks: [.table(table)])
  }

  /// The merged shards, and the cases of each machine.
  private func shards(_ merge: MergeResult) -> ReportSection {
    let machines = result.machines ?? []
    var table = ReportTable(
      names: ["machine", "file system"],
      numbers: ["cases", "failed", "durations"],
      isAlwaysOpen: true
    )
    for machine in machines {
      let durations = machine.seconds.map { Quantity.duration(nanoseconds: $0 * 1e9) }
      table.append([
        .text(machine.name), .text(machine.fileSystem), .count(machine.cases), .count(machine.failedCases),
        .text(durations.joined(separator: ", ")),
      ])
    }
    return ShardsSection.section(of: merge, machines: machines.count, more: [.table(table)])
  }

  private var failures: ReportSection {
    var blocks: [ReportBlock] = []
    for failures in result.failedCases {
      let texts: [ReportText] = failures.map { "Case \(String($0.number)): \($0.text)" }
      let files: [ReportText] = failures[0].folder.map { ["Its files are in \(code: $0)."] } ?? []
      blocks.append(.paragraph(texts + files))
      blocks.append(.command(failures[0].command))
    }
    return ReportSection(anchor: "failures", title: "Failures", blocks: blocks)
  }

  private var untested: ReportSection {
    ReportSection(anchor: "untested", title: "Not tested", blocks: [.list(result.untested.map(ReportText.text))])
  }

  private var environment: ReportSection {
    let environment = result.environment
    let exposure =
      environment.sqliteHasWALResetDefect
      ? "has the WAL-reset defect: a checkpoint beside a commit without a guard can lose commits"
      : "does not have the WAL-reset defect"
    var table = ReportTable(names: ["environment", ""])
    table.append(["SQLite", "\(environment.sqliteVersion), \(exposure)"])
    table.append(["SQLite source", .code(environment.sqliteSourceID)])
    table.append(["synchronous", .code(environment.synchronous)])
    table.append(["file system", .text(environment.fileSystem)])
    table.append(["commit", .text(environment.commit ?? Quantity.missing)])
    table.append(["program", .code(environment.program)])
    table.append(["named points", environment.hasTestPoints ? "built in" : "not built in"])
    return ReportSection(anchor: "environment", title: "Environment", blocks: [.table(table)])
  }

  private var repetition: ReportSection {
    var blocks: [ReportBlock] = [.command(result.command)]
    if result.isInterrupted, let command = result.resumeCommand {
      blocks += [.paragraph(["Continue it with the cases that it has not finished:"]), .command(command)]
    }
    return .repetition(blocks)
  }
}
