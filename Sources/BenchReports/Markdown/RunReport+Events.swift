internal import BenchModel

extension RunReport {
  /// What was done to the run while its actors worked; nothing for a run without events.
  var events: [String] {
    let events = result.events ?? []
    guard !events.isEmpty else { return [] }
    var table = MarkdownTable([
      ("phase", .left), ("due", .right), ("event", .left), ("late", .right), ("took", .right), ("", .left),
      ("what it did", .left),
    ])
    for event in events {
      table.append([
        InertText.code(event.phase), Quantity.duration(nanoseconds: event.dueNanoseconds), InertText.code(event.text),
        event.lateNanoseconds.map { Quantity.duration(nanoseconds: $0) } ?? Quantity.missing,
        event.tookNanoseconds.map { Quantity.duration(nanoseconds: $0) } ?? Quantity.missing, Self.word(event.outcome),
        InertText.markdown(InertText.shortened(event.detail, to: 200)),
      ])
    }
    let remark =
      "Due counts from the beginning of the run. An event that is late has waited for the one before; its `response` "
      + "in the table above has that in it."
    return ["## Events", ""] + table.lines + ["", remark]
  }

  private static func word(_ outcome: EventResult.Outcome) -> String {
    switch outcome {
    case .done: "done"
    case .failed: "**failed**"
    case .notReached: "**not reached**"
    case .unfinished: "**given up**"
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
