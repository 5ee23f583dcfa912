internal import BenchModel

extension RunReport {
  private static let shownConnections = 12

  /// Who kept how much of the WAL alive for how long.
  var blame: [String] {
    let blame = result.blame
    let heading = ["## Who pinned the WAL", ""]
    guard blame.walByteSeconds > 0 else { return heading + ["No WAL was seen in a recorded phase."] }
    var table = MarkdownTable([
      ("what kept the WAL", .left), ("size × time", .right), ("share", .right), ("most at once", .right),
      ("longest pin", .right), ("most behind", .right),
    ])
    let connections = blame.connections.sorted { ($0.aloneByteSeconds, $1.name) > ($1.aloneByteSeconds, $0.name) }
    for connection in connections.prefix(Self.shownConnections) {
      table.append([
        "\(InertText.code(connection.name)) alone", Quantity.byteSeconds(connection.aloneByteSeconds),
        Quantity.percent(connection.aloneByteSeconds, of: blame.walByteSeconds),
        Quantity.bytes(connection.aloneMaximumBytes),
        Quantity.duration(nanoseconds: connection.longestPinNanoseconds),
        Quantity.count(connection.maximumAgeCommits, of: "commit"),
      ])
    }
    func append(_ what: String, _ area: Double) {
      let share = Quantity.percent(area, of: blame.walByteSeconds)
      table.append([what, Quantity.byteSeconds(area), share, "", "", ""])
    }
    let others = connections.dropFirst(Self.shownConnections)
    if !others.isEmpty {
      append("\(Quantity.count(others.count, of: "connection")) more, each alone", others.aloneByteSeconds)
    }
    append("several connections together", blame.togetherByteSeconds)
    append("nobody, but not yet copied", blame.notCopiedByteSeconds)
    append("nobody: copied and free", blame.freeByteSeconds)
    append("**sum**", blame.sumByteSeconds)
    append("**area under `wal.bytes`**", blame.walByteSeconds)
    return heading + table.lines + ["", comparison]
  }

  private var comparison: String {
    let share = result.blame.sumByteSeconds / result.blame.walByteSeconds
    let text = "Each part is computed by itself; together they make \(Quantity.percent(share)) of the area"
    return (share - 1).magnitude <= 0.05
      ? text + ", so little is left unexplained."
      : text + ". **They do not add up: read the shares with care.**"
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
