internal import BenchModel

extension RunReport {
  private static let longestShown = 10

  /// The ledger in short: what was tried, why, and how it ended; then the longest attempts.
  var checkpoints: [String] {
    let checkpoints = result.checkpoints
    guard !checkpoints.isEmpty else { return ["## Checkpoints", "", "No checkpoint was attempted."] }
    let longest = checkpoints.sorted {
      ($0.durationNanoseconds, $1.number) > ($1.durationNanoseconds, $0.number)
    }.prefix(Self.longestShown)
    let title = checkpoints.count > Self.longestShown ? "The \(Self.longestShown) longest" : "One by one, longest first"
    return ["## Checkpoints", ""] + Self.summary(checkpoints).lines
      + ["", "\(title) (all \(Quantity.count(checkpoints.count)) are in `checkpoints.csv`):", ""]
      + Self.ledger(Array(longest)).lines
  }

  private static func summary(_ checkpoints: [CheckpointResult]) -> MarkdownTable {
    var table = MarkdownTable([
      ("cause", .left), ("outcome", .left), ("attempts", .right), ("copied", .right), ("time", .right),
      ("longest", .right), ("longest wait", .right),
    ])
    let groups = Dictionary(grouping: checkpoints) { [$0.cause, $0.outcome] }
    for (key, group) in groups.sorted(by: {
      ($0.value.count, $1.key[0], $1.key[1]) > ($1.value.count, $0.key[0], $0.key[1])
    }) {
      table.append([
        InertText.code(key[0]), InertText.code(key[1]), Quantity.count(group.count),
        Quantity.bytes(group.reduce(0) { $0 + $1.bytesCopied }),
        Quantity.duration(nanoseconds: group.reduce(UInt64(0)) { $0 + $1.durationNanoseconds }),
        Quantity.duration(nanoseconds: group.map(\.durationNanoseconds).max() ?? 0),
        Quantity.duration(nanoseconds: group.map(\.waitNanoseconds).max() ?? 0),
      ])
    }
    return table
  }

  private static func ledger(_ checkpoints: [CheckpointResult]) -> MarkdownTable {
    var table = MarkdownTable([
      ("no.", .right), ("at", .right), ("phase", .left), ("mode", .left), ("cause", .left), ("outcome", .left),
      ("took", .right), ("waited", .right), ("frames copied", .right), ("left", .right), ("pinned by", .left),
    ])
    for checkpoint in checkpoints {
      table.append([
        Quantity.count(checkpoint.number), Quantity.duration(nanoseconds: checkpoint.elapsedNanoseconds),
        InertText.code(checkpoint.phase), InertText.code(checkpoint.mode), InertText.code(checkpoint.cause),
        InertText.code(checkpoint.outcome), Quantity.duration(nanoseconds: checkpoint.durationNanoseconds),
        Quantity.duration(nanoseconds: checkpoint.waitNanoseconds), Quantity.count(checkpoint.framesCopied),
        Quantity.count(checkpoint.framesLeft), checkpoint.pinnedBy.map(InertText.code) ?? "",
      ])
    }
    return table
  }
}
