internal import BenchResults
internal import HarnessPrimitives
internal import LatencyMetrics

/// The parts of the recorded phases' commits, and the waits inside the engine.
enum CommitsSection {
  /// - Returns: nil if neither was timed in a recorded phase, as with a driver that reports neither.
  static func section(of result: RunResult) -> ReportSection? {
    let phases = result.phases.filter(\.isRecorded)
    let commits = phases.flatMap { phase in
      phase.actors.compactMap { actor in
        actor.commitTimes.map { (title: "\(phase.name)/\(actor.name)", sum: $0) }
      }
    }
    let waits = phases.flatMap(ShownWait.all).filter { $0.histogram.maximum > 1 }
    let reads = phases.flatMap(ShownWait.reads)
    guard !commits.isEmpty || !waits.isEmpty || !reads.isEmpty else { return nil }
    var blocks: [ReportBlock] = []
    if !commits.isEmpty {
      blocks += tables(of: commits).map(ReportBlock.table) + [.explanation(remarks(on: commits))]
    }
    if !reads.isEmpty {
      let remark: ReportText =
        "\(strong: "From a commit to the row in the reader's hands"): the time from the first commit that changed a "
        + "row until an actor that reacts to notifications has read the row again."
      blocks += [.table(table(of: reads)), .paragraph([remark])]
    }
    if !waits.isEmpty { blocks += [.details("Waits inside the engine", table(of: waits))] }
    let count = commits.map(\.sum.count).saturatingSum()
    return ReportSection(
      anchor: "commits",
      title: "Parts of a commit",
      blocks: blocks,
      folded: !reads.isEmpty ? nil : count > 0 ? .text(Quantity.count(count, of: "commit")) : ""
    )
  }

  /// Returns tables with as many actors side by side as fit on a page without scrolling.
  private static func tables(of commits: [ActorCommits]) -> [ReportTable] {
    let parts = CommitPart.all.filter { part in !part.isRare || commits.contains { part.time($0.sum.times) > 0 } }
    // In characters: the space beside the parts' names, the usual content of a cell, and the space around a cell.
    let (room, cell, padding) = (96, 15, 4)
    var groups: [[ActorCommits]] = []
    var width = room
    for one in commits {
      let column = max(one.title.count, cell) + padding
      width += column
      if width > room {
        groups.append([])
        width = column
      }
      groups[groups.count - 1].append(one)
    }
    return groups.map { table(of: $0, parts: parts) }
  }

  /// Returns a table with a column for each actor and a row for each part. The parts as columns would not fit on a
  /// page.
  private static func table(of commits: [ActorCommits], parts: [CommitPart]) -> ReportTable {
    var table = ReportTable(names: [""], numbers: commits.map { .code($0.title) })
    func append(_ title: ReportText, time: (CommitTimesSum) -> UInt64) {
      let cells = commits.map { one -> ReportText in
        let share = Quantity.percent(Double(time(one.sum)), of: Double(one.sum.service))
        return .text("\(Quantity.duration(nanoseconds: mean(time(one.sum), of: one.sum))) (\(share))")
      }
      table.append([title] + cells)
    }
    for part in parts {
      // Unlike ASCII spaces, an em space at the start of a cell is kept by Markdown and HTML.
      append("\(part.isNested ? "\u{2003}" : "")\(part.name)") { part.time($0.times) }
    }
    append("harness") { $0.around }
    table.append(
      [.strong("service")] + commits.map { .duration(mean($0.sum.service, of: $0.sum)) }
    )
    table.append(["commits"] + commits.map { .count($0.sum.count) })
    return table
  }

  private static func mean(_ sum: UInt64, of times: CommitTimesSum) -> Double {
    Double(sum) / Double(max(times.count, 1))
  }

  private static func remarks(on commits: [ActorCommits]) -> [ReportText] {
    var lines: [ReportText] = [
      "Mean times, which add up to the mean service time, with their shares of it; an indented row is a part of the "
        + "row above it. Only synchronous calls that changed something count; nested transactions do not.",
      "\(strong: "begin"): BEGIN, taking the snapshot and following other connections' commits. "
        + "\(strong: "storage calls"): SQLite's statements, or the calls of another engine's library. "
        + "\(strong: "commit"): COMMIT, which appends to the WAL and syncs it; another engine's counterpart. "
        + "\(strong: "engine bookkeeping"): includes the notification of the commit. "
        + "\(strong: "harness"): the time outside of the engine's call, such as opening a connection for one "
        + "transaction, or messages to an engine in a separate process.",
    ]
    if commits.contains(where: { $0.sum.times.jointWait > 0 }) {
      lines.append(
        "Transactions that share a COMMIT wait for each other's blocks; usually one of them commits for all."
      )
    }
    return lines
  }

  private static func table(of waits: [ShownWait]) -> ReportTable {
    var table = ReportTable(names: ["wait", "phase", "actor"], numbers: ["count", "mean", "p50", "p99", "max"])
    for wait in waits {
      let histogram = wait.histogram
      table.append([
        .code(wait.metric.rawValue), .code(wait.phase), wait.actor.map(ReportText.code) ?? "", .count(histogram.count),
        .duration(histogram.mean), duration(histogram.value(at: .p50)), duration(histogram.value(at: .p99)),
        duration(histogram.maximum),
      ])
    }
    return table
  }

  /// Returns a duration of a histogram. A histogram has no 0, so the wait for a free lane is recorded as 1 ns.
  private static func duration(_ nanoseconds: UInt64?) -> ReportText {
    .text(nanoseconds.map { Quantity.duration(nanoseconds: $0 > 1 ? $0 : 0) } ?? Quantity.missing)
  }
}

/// The commits of one actor in one phase: a column of the table.
private typealias ActorCommits = (title: String, sum: CommitTimesSum)

/// A row of the table of waits.
private struct ShownWait {
  let metric: Metric
  let phase: String
  /// nil for the notifications, which belong to no actor.
  let actor: String?
  let histogram: LatencyHistogram

  static func all(in phase: PhaseResult) -> [Self] {
    phase.actors.flatMap { actor in
      rows(actor.laneWait, .laneWait, in: phase, of: actor)
        + rows(actor.writeLaneWait, .writeLaneWait, in: phase, of: actor)
    } + rows(phase.notificationLag, .notificationLag, in: phase)
  }

  /// The times from commits to the reads of the changed rows.
  static func reads(in phase: PhaseResult) -> [Self] {
    phase.actors.flatMap { rows($0.notificationToRead, .notificationToRead, in: phase, of: $0) }
  }

  private static func rows(
    _ result: WaitResult?,
    _ metric: Metric,
    in phase: PhaseResult,
    of actor: ActorResult? = nil
  ) -> [Self] {
    result.map { [Self(metric: metric, phase: phase.name, actor: actor?.name, histogram: $0.histogram)] } ?? []
  }
}
