internal import BenchModel

extension RunReport {
  private static let shownConnections = 12

  /// The WAL by the connections that kept its frames, as its size over time.
  var blame: ReportSection {
    let blame = result.blame
    func section(_ blocks: [ReportBlock]) -> ReportSection {
      ReportSection(anchor: "blame", title: "What kept the WAL", blocks: blocks)
    }
    guard blame.walByteSeconds > 0 else { return section([.paragraph(["No WAL was sampled in a recorded phase."])]) }
    var table = ReportTable([
      ("kept by", .left), ("WAL area", .right), ("share", .right), ("peak held", .right),
      ("longest pin", .right), ("max lag", .right),
    ])
    let connections = blame.connections.sorted { ($0.aloneByteSeconds, $1.name) > ($1.aloneByteSeconds, $0.name) }
    for connection in connections.prefix(Self.shownConnections) {
      table.append([
        "only \(code: connection.name)", .text(Quantity.byteSeconds(connection.aloneByteSeconds)),
        .text(Quantity.percent(connection.aloneByteSeconds, of: blame.walByteSeconds)),
        .text(Quantity.bytes(connection.aloneMaximumBytes)),
        .text(Quantity.duration(nanoseconds: connection.longestPinNanoseconds)),
        .text(Quantity.count(connection.maximumAgeCommits, of: "commit")),
      ])
    }
    func append(_ what: ReportText, _ area: Double) {
      let share = Quantity.percent(area, of: blame.walByteSeconds)
      table.append([what, .text(Quantity.byteSeconds(area)), .text(share), "", "", ""])
    }
    let others = connections.dropFirst(Self.shownConnections)
    if !others.isEmpty {
      append("only one of \(Quantity.count(others.count)) other connections", others.aloneByteSeconds)
    }
    append("several connections", blame.togetherByteSeconds)
    append("no connection: waiting for a checkpoint", blame.notCopiedByteSeconds)
    append("no connection: reusable (already checkpointed)", blame.freeByteSeconds)
    append("\(strong: "sum")", blame.sumByteSeconds)
    append("\(strong: "area under \(code: "wal.bytes")")", blame.walByteSeconds)
    return section([.table(table), .paragraph([comparison]), .figure(BlameFigure.figure(result))])
  }

  private var comparison: ReportText {
    let share = result.blame.sumByteSeconds / result.blame.walByteSeconds
    let text: ReportText =
      "The parts are computed independently; their sum is \(Quantity.percent(share)) of the area."
    return (share - 1).magnitude <= 0.05 ? text : text + " \(strong: "They do not add up: the shares are inaccurate.")"
  }
}

extension Sequence<BlameResult.Connection> {
  var aloneByteSeconds: Double { reduce(0) { $0 + $1.aloneByteSeconds } }
}

extension BlameResult {
  var sumByteSeconds: Double {
    connections.aloneByteSeconds + togetherByteSeconds + notCopiedByteSeconds + freeByteSeconds
  }
}
