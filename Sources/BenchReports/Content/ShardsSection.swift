internal import BenchResults

/// The shards that were merged, with the commands that repeat those that are not complete.
enum ShardsSection {
  /// - Parameters:
  ///   - machines: The number of machines.
  ///   - more: The blocks after the table.
  static func section(of merge: MergeResult, machines: Int, more: [ReportBlock] = []) -> ReportSection {
    let explanation: ReportText =
      "The command has \(Quantity.count(merge.shardCount, of: "shard")), and these \(merge.unit.rawValue)s are from "
      + "\(Quantity.count(machines, of: "machine"))"
      + (machines > 1 ? "; figures of different machines are not pooled." : ".")
    var table = ReportTable([
      ("shard", .right), ("state", .left), (.text("planned \(merge.unit.rawValue)s"), .right), ("made", .right),
    ])
    for part in merge.parts {
      table.append([.text(String(part.number)), .text(part.state.rawValue), .count(part.planned), .count(part.made)])
    }
    let commands = merge.parts.compactMap(\.command).map(ReportBlock.command)
    let remedy: [ReportBlock] =
      commands.isEmpty
      ? [] : [.paragraph(["These commands repeat the missing and failed shards. Merge again afterwards."])] + commands
    let rejected: [ReportBlock] = merge.rejected.isEmpty ? [] : [.list(merge.rejected.map(ReportText.text))]
    return ReportSection(
      anchor: "shards",
      title: "Shards",
      blocks: [.paragraph([explanation]), .table(table)] + more + rejected + remedy
    )
  }
}
