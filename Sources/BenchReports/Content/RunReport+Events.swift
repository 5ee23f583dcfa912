internal import BenchModel

extension RunReport {
  /// The events of the run; nil if there were none.
  var events: ReportSection? {
    guard result.phases.contains(where: { !$0.events.isEmpty }) else { return nil }
    var table = ReportTable([
      ("phase", .left), ("due", .right), ("event", .left), ("delay", .right), ("time", .right), ("outcome", .left),
      ("details", .left),
    ])
    for phase in result.phases {
      for event in phase.events {
        table.append([
          .code(phase.name), .text(Quantity.duration(nanoseconds: event.dueNanoseconds)), .code(event.text),
          .text(event.lateNanoseconds.map { Quantity.duration(nanoseconds: $0) } ?? Quantity.missing),
          .text(event.tookNanoseconds.map { Quantity.duration(nanoseconds: $0) } ?? Quantity.missing),
          Self.word(event.outcome), .text(InertText.shortened(event.detail, to: 200)),
        ])
      }
    }
    let remark: ReportText =
      "Due counts from the start of the run. An event is delayed while the previous one runs; its \(code: "response") in "
      + "the table of latencies includes the delay."
    return ReportSection(
      anchor: "events",
      title: "Events",
      blocks: [.table(table), .paragraph([remark]), .figure(RecoveryFigure.figure(result))]
    )
  }

  private static func word(_ outcome: EventResult.Outcome) -> ReportText {
    switch outcome {
    case .done: "done"
    case .failed: "\(strong: "failed")"
    case .notReached: "\(strong: "not reached")"
    case .unfinished: "\(strong: "unfinished")"
    }
  }
}

extension EventResult {
  /// How long after its time it began.
  var lateNanoseconds: UInt64? { begunNanoseconds.map { $0 - min(dueNanoseconds, $0) } }

  var tookNanoseconds: UInt64? {
    guard let begunNanoseconds, let endedNanoseconds else { return nil }
    return endedNanoseconds - min(begunNanoseconds, endedNanoseconds)
  }
}
