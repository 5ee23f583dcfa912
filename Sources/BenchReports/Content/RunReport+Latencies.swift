internal import BenchModel
internal import LatencyMetrics

extension RunReport {
  /// The recorded phases' rows that say most: of a transaction under an open load the response, which includes the wait
  /// for its turn, and the service; of everything else the service.
  var latencies: ReportSection {
    func section(_ blocks: [ReportBlock]) -> ReportSection {
      ReportSection(anchor: "latency", title: "Latency", blocks: blocks)
    }
    let hasDeadlocks = result.hasDeadlocks
    var table = ReportTable(
      [
        ("phase", .left), ("actor", .left), ("operation", .left), ("time", .left), ("count", .right), ("rate", .right),
      ] + (hasDeadlocks ? [("deadlocks", .right)] : []) + [
        ("p50", .right), ("p90", .right), ("p99", .right), ("p99.9", .right), ("max", .right),
      ]
    )
    var hasGaps = false
    for latency in shownLatencies {
      let histogram = latency.histogram
      let cells = [50, 90, 99, 99.9].map { percentile -> ReportText in
        guard let value = supported(histogram, percentile) else {
          hasGaps = true
          return .text(Quantity.missing)
        }
        return .text(Quantity.duration(nanoseconds: value))
      }
      let rate = latency.ratePerSecond.map(Quantity.rate(perSecond:)) ?? Quantity.missing
      let maximum = histogram.isEmpty ? Quantity.missing : Quantity.duration(nanoseconds: histogram.maximum)
      table.append(
        [
          .code(latency.phase.name), .code(latency.actor), .code(latency.operation), .text(latency.kind.rawValue),
          .text(Quantity.count(histogram.count)), .text(rate),
        ] + (hasDeadlocks ? [deadlocks(of: latency)] : []) + cells + [.text(maximum)]
      )
    }
    guard !table.isEmpty else { return section([.paragraph(["No latency was recorded."])]) }
    return section([
      .figure(LatencyCurvesFigure.figure(result)), .table(table), .paragraph(latencyRemarks(hasGaps: hasGaps)),
    ])
  }

  private var shownLatencies: [Latency] {
    result.phases.filter(\.isRecorded).flatMap { phase in
      let shown = phase.latencies.filter { latency in
        switch latency.kind {
        case .wait: return false
        case .service: return true
        case .response where latency.actor == PhaseEvent.actorName: return true
        case .response:
          return latency.operation == OperationResult.transaction && phase.actor(latency.actor)?.load != .closed
        }
      }
      func rank(_ latency: Latency) -> (String, Int, String, Int) {
        (
          latency.actor, latency.operation == OperationResult.transaction ? 0 : 1, latency.operation,
          latency.kind == .response ? 0 : 1
        )
      }
      return shown.sorted { rank($0) < rank($1) }
    }
  }

  /// Empty for an operation that begins no nested transactions.
  private func deadlocks(of latency: Latency) -> ReportText {
    guard latency.kind == .service else { return "" }
    let operation = latency.phase.actor(latency.actor)?.operation(latency.operation)
    return operation?.deadlocks.map { .text(Quantity.count($0)) } ?? ""
  }

  private func supported(_ histogram: LatencyHistogram, _ percentile: Double) -> UInt64? {
    histogram.supports(percentile: percentile) ? histogram.value(atPercentile: percentile) : nil
  }

  private func latencyRemarks(hasGaps: Bool) -> [ReportText] {
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
    if hasGaps { lines.append("\(Quantity.missing): too few samples for this percentile.") }
    if result.phases.contains(where: { !$0.isRecorded }) {
      lines.append("Phases that were not recorded are only in \(code: "summary.csv").")
    }
    return lines
  }
}

extension RunResult {
  /// Whether an operation begins transactions inside of others.
  fileprivate var hasDeadlocks: Bool {
    phases.contains { $0.actors.contains { $0.operations.contains { $0.deadlocks != nil } } }
  }
}

extension LatencyHistogram {
  /// A percentile needs at least one sample beyond it.
  func supports(percentile: Double) -> Bool { Double(count) * (100 - percentile) / 100 >= 0.999 }
}
