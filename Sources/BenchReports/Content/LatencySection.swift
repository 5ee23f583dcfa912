internal import BenchResults
internal import LatencyMetrics

/// The latencies of the recorded phases: for transactions of an open load and for events the response time, which
/// includes the wait for the start, and the service time; for everything else the service time.
enum LatencySection {
  /// Marks a median of which the harness has too large a share.
  private static let mark = "†"

  static func section(of result: RunResult) -> ReportSection {
    ReportSection(anchor: "latency", title: "Latency", blocks: blocks(of: result))
  }

  private static func blocks(of result: RunResult) -> [ReportBlock] {
    let hasDeadlocks = result.hasDeadlocks
    let hasShares = result.harness.overheads != nil
    var table = ReportTable(
      names: ["phase", "actor", "operation", "time"],
      numbers: ["count", "rate"] + (hasDeadlocks ? ["deadlocks"] : []) + ["p50", "p90", "p99", "p99.9", "max"]
        + (hasShares ? ["harness"] : [])
    )
    var (hasGaps, hasMarks) = (false, false)
    for latency in shownLatencies(of: result) {
      let histogram = latency.histogram
      let share = histogram.value(at: .p50).flatMap {
        result.harness.share(ofMedian: $0, operation: latency.operation, actor: latency.actor)
      }
      let isMarked = share.map { $0 > HarnessResult.markedShare } ?? false
      let cells = Percentile.listed.map { percentile -> ReportText in
        guard let nanoseconds = histogram.value(at: percentile) else {
          hasGaps = true
          return .text(Quantity.missing)
        }
        let time = Quantity.duration(nanoseconds: nanoseconds)
        guard isMarked, percentile == .p50 else { return .text(time) }
        hasMarks = true
        return .text(time + mark)
      }
      let rate = latency.ratePerSecond.map(Quantity.rate(perSecond:)) ?? Quantity.missing
      let maximum = ReportText.duration(histogram.isEmpty ? nil : histogram.maximum)
      table.append(
        [
          .code(latency.phase.name), .code(latency.actor), title(of: latency), .text(latency.kind.rawValue),
          .count(histogram.count), .text(rate),
        ] + (hasDeadlocks ? [deadlocks(of: latency)] : []) + cells + [maximum]
          + (hasShares ? [share.map(ReportText.percent) ?? ""] : []),
        isPart: latency.actor != EventResult.actorName && OperationResult.isInsideTransactions(latency.operation)
      )
    }
    guard !table.isEmpty else { return [.paragraph(["No latency was recorded."])] }
    return [
      .drawings(LatencyCurvesChart.drawings(result)), .table(table),
      .explanation(remarks(on: result, hasGaps: hasGaps, hasMarks: hasMarks)),
    ]
  }

  private static func shownLatencies(of result: RunResult) -> [Latency] {
    result.phases.filter(\.isRecorded).flatMap { phase in
      let shown = phase.latencies.filter { latency in
        switch latency.kind {
        case .wait: return false
        case .service: return true
        case .response where latency.actor == EventResult.actorName: return true
        case .response:
          return latency.operation == OperationResult.transaction && phase.actor(latency.actor)?.load != .closed
        }
      }
      func rank(_ latency: Latency) -> (String, Int, String, Int) {
        // The operations of transactions are below them, as their parts.
        let isInside = OperationResult.isInsideTransactions(latency.operation)
        let level = latency.operation == OperationResult.transaction ? 0 : isInside ? 1 : 2
        return (latency.actor, level, latency.operation, latency.kind == .response ? 0 : 1)
      }
      return shown.sorted { rank($0) < rank($1) }
    }
  }

  /// The operation; indented if the row is the part of an operation's reads that had one outcome.
  private static func title(of latency: Latency) -> ReportText {
    // Unlike ASCII spaces, an em space at the start of a cell is kept by Markdown and HTML.
    "\(latency.outcome == nil ? "" : "\u{2003}")\(code: latency.operation)"
  }

  /// The number of deadlocks; empty beside a response time, and for an operation that begins no nested transactions.
  private static func deadlocks(of latency: Latency) -> ReportText {
    guard latency.kind == .service else { return "" }
    let operation = latency.phase.actor(latency.actor)?.operation(latency.operation)
    return operation?.deadlocks.map(ReportText.count) ?? ""
  }

  private static func remarks(on result: RunResult, hasGaps: Bool, hasMarks: Bool) -> [ReportText] {
    var lines: [ReportText] = [
      "Response time counts from the intended start of a transaction, service time from its actual start."
    ]
    let closed = Set(result.phases.flatMap(\.actors).filter { $0.load == .closed }.map(\.name)).sorted()
    if !closed.isEmpty {
      lines.append(
        "\(closed.map(ReportText.code).joined(separator: ", ")) ran closed loads: each operation starts "
          + "when the previous one has ended. Without a schedule there are no response times, so the service times are "
          + "not corrected for coordinated omission."
      )
    }
    if result.hasDeadlocks {
      lines.append(
        "Deadlocks are inner transactions that the engine rejected, because they were nested or because threads would "
          + "have waited for each other. The outer transaction was rolled back, and its time ends there."
      )
    }
    if result.latencies.contains(where: { $0.phase.isRecorded && $0.outcome != nil }) {
      lines.append(
        "The reads of one row are also listed by their outcome in the connection's caches: \(code: "hit"), "
          + "\(code: "miss"), or \(code: "reread") of a value that was dropped because another connection changed the "
          + "row."
      )
    }
    if result.harness.overheads != nil {
      lines.append(
        "Harness: the median with a driver that does nothing, as a share of the measured median."
          + (hasMarks ? " \(mark): the share is more than \(Quantity.percent(HarnessResult.markedShare))." : "")
      )
    }
    if hasGaps { lines.append("\(Quantity.missing): too few samples for this percentile.") }
    if result.phases.contains(where: { !$0.isRecorded }) {
      lines.append("The latencies of phases that were not recorded are in \(code: "summary.csv").")
    }
    return lines
  }
}

extension RunResult {
  /// Whether an operation begins nested transactions.
  fileprivate var hasDeadlocks: Bool {
    phases.contains { $0.actors.contains { $0.operations.contains { $0.deadlocks != nil } } }
  }
}
