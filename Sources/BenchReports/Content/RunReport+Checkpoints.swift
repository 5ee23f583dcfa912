internal import BenchModel
internal import NumericConversion

extension RunReport {
  private static let longestShown = 10

  /// The ledger in short: what was tried, why, and how it ended; then the longest attempts.
  var checkpoints: ReportSection {
    let checkpoints = result.checkpoints
    func section(_ blocks: [ReportBlock]) -> ReportSection {
      ReportSection(anchor: "checkpoints", title: "Checkpoints", blocks: blocks)
    }
    guard !checkpoints.isEmpty else { return section([.paragraph(["No checkpoint was attempted."])]) }
    let longest = checkpoints.sorted {
      ($0.durationNanoseconds, $1.number) > ($1.durationNanoseconds, $0.number)
    }.prefix(Self.longestShown)
    let title = checkpoints.count > Self.longestShown ? "The \(Self.longestShown) longest" : "All, longest first"
    return section([
      .table(Self.summary(checkpoints)),
      .details(
        "\(title) (all \(Quantity.count(checkpoints.count)) are in \(code: "checkpoints.csv"))",
        Self.ledger(Array(longest))
      ),
      .paragraph([
        "Concurrent commits were made while the checkpoint ran; stalled writers waited for it when it ended."
      ]),
    ])
  }

  private static func summary(_ checkpoints: [CheckpointResult]) -> ReportTable {
    var table = ReportTable([
      ("cause", .left), ("outcome", .left), ("attempts", .right), ("copied", .right), ("time", .right),
      ("longest", .right), ("longest wait", .right), ("concurrent commits", .right), ("stalled writers", .right),
    ])
    let groups = Dictionary(grouping: checkpoints) { [$0.cause, $0.outcome.rawValue] }
    for (key, group) in groups.sorted(by: {
      ($0.value.count, $1.key[0], $1.key[1]) > ($1.value.count, $0.key[0], $0.key[1])
    }) {
      table.append([
        .code(key[0]), .code(key[1]), .text(Quantity.count(group.count)),
        .text(Quantity.bytes(group.map(\.bytesCopied).saturatingSum())),
        .text(Quantity.duration(nanoseconds: group.map(\.durationNanoseconds).saturatingSum())),
        .text(Quantity.duration(nanoseconds: group.map(\.durationNanoseconds).max() ?? 0)),
        .text(Quantity.duration(nanoseconds: group.map(\.waitNanoseconds).max() ?? 0)),
        .text(Quantity.count(group.map(\.overlappingCommits).saturatingSum())),
        .text(Quantity.count(group.map(\.stalledWriters).saturatingSum())),
      ])
    }
    return table
  }

  private static func ledger(_ checkpoints: [CheckpointResult]) -> ReportTable {
    var table = ReportTable([
      ("no.", .right), ("at", .right), ("phase", .left), ("mode", .left), ("cause", .left), ("outcome", .left),
      ("time", .right), ("wait", .right), ("frames copied", .right), ("frames left", .right),
      ("concurrent commits", .right), ("stalled writers", .right), ("pinned by", .left),
    ])
    for checkpoint in checkpoints {
      table.append([
        .text(Quantity.count(checkpoint.number)),
        .text(Quantity.duration(nanoseconds: checkpoint.elapsedNanoseconds)),
        .code(checkpoint.phase), .code(checkpoint.mode), .code(checkpoint.cause), .code(checkpoint.outcome.rawValue),
        .text(Quantity.duration(nanoseconds: checkpoint.durationNanoseconds)),
        .text(Quantity.duration(nanoseconds: checkpoint.waitNanoseconds)),
        .text(Quantity.count(checkpoint.framesCopied)),
        .text(Quantity.count(checkpoint.framesLeft)), .text(Quantity.count(checkpoint.overlappingCommits)),
        .text(Quantity.count(checkpoint.stalledWriters)), checkpoint.pinnedBy.map(ReportText.code) ?? "",
      ])
    }
    return table
  }
}
