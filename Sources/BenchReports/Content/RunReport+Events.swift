internal import BenchModel

extension RunReport {
  /// What was done to the run while its actors worked; nothing for a run without events.
  var events: ReportSection? {
    guard result.phases.contains(where: { !$0.events.isEmpty }) else { return nil }
    var table = ReportTable([
      ("phase", .left), ("due", .right), ("event", .left), ("late", .right), ("took", .right), ("", .left),
      ("what it did", .left),
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
      "Due counts from the beginning of the run. An event that is late has waited for the one before; its "
      + "\(code: "response") in the table above has that in it."
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
    case .unfinished: "\(strong: "given up")"
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
