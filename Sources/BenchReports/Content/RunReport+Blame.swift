internal import BenchModel

extension RunReport {
  private static let shownConnections = 12

  /// Who kept how much of the WAL alive for how long.
  var blame: ReportSection {
    let blame = result.blame
    func section(_ blocks: [ReportBlock]) -> ReportSection {
      ReportSection(anchor: "blame", title: "Who pinned the WAL", blocks: blocks)
    }
    guard blame.walByteSeconds > 0 else { return section([.paragraph(["No WAL was seen in a recorded phase."])]) }
    var table = ReportTable([
      ("what kept the WAL", .left), ("size × time", .right), ("share", .right), ("most at once", .right),
      ("longest pin", .right), ("most behind", .right),
    ])
    let connections = blame.connections.sorted { ($0.aloneByteSeconds, $1.name) > ($1.aloneByteSeconds, $0.name) }
    for connection in connections.prefix(Self.shownConnections) {
      table.append([
        "\(code: connection.name) alone", .text(Quantity.byteSeconds(connection.aloneByteSeconds)),
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
      append("\(Quantity.count(others.count, of: "connection")) more, each alone", others.aloneByteSeconds)
    }
    append("several connections together", blame.togetherByteSeconds)
    append("nobody, but not yet copied", blame.notCopiedByteSeconds)
    append("nobody: copied and free", blame.freeByteSeconds)
    append("\(strong: "sum")", blame.sumByteSeconds)
    append("\(strong: "area under \(code: "wal.bytes")")", blame.walByteSeconds)
    return section([.table(table), .paragraph([comparison]), .figure(BlameFigure.figure(result))])
  }

  private var comparison: ReportText {
    let share = result.blame.sumByteSeconds / result.blame.walByteSeconds
    let text: ReportText =
      "Each part is computed by itself; together they make \(Quantity.percent(share)) of the area"
    return (share - 1).magnitude <= 0.05
      ? text + ", so little is left unexplained."
      : text + ". \(strong: "They do not add up: read the shares with care.")"
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
