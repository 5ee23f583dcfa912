internal import BenchResults
internal import HarnessPrimitives

/// The size of the database, the engine's own figures and the snapshots that were held, for an engine without SQLite's
/// WAL. Such an engine keeps what an old snapshot needs in its own files, so their growth is the cost of the snapshot.
enum StorageSection {
  /// - Returns: nil for a run whose engine has SQLite's WAL, or no files.
  static func section(of result: RunResult) -> ReportSection? {
    let timeline = RunTimeline(result)
    guard let peak = timeline.storageSize.map(\.y).max(), timeline.walSize.isEmpty else { return nil }
    let remark: ReportText =
      "An engine keeps the data of the oldest snapshot in its own files. The size of the files includes space that the "
      + "engine can use again."
    return ReportSection(
      anchor: "storage",
      title: "Storage and snapshots",
      blocks: [.table(figures(of: result)), .explanation([remark]), snapshots(of: result)],
      folded: "peak \(Quantity.bytes(Int(saturating: peak)))"
    )
  }

  /// A row for each recorded phase and figure.
  private static func figures(of result: RunResult) -> ReportTable {
    var table = ReportTable(names: ["phase", "figure"], numbers: ["first", "peak", "last"])
    let metrics = Metric.allCases.filter { $0 == .storageBytes || $0.driver == result.driver }
    for phase in result.phases where phase.isRecorded {
      let figures = result.figures(of: phase)
      for metric in metrics {
        let values = figures.values(of: metric, in: FigureScope(phase.name))
        guard let first = values.first, let last = values.last, let peak = values.max() else { continue }
        let cells = [first, peak, last].map { ReportText.text(metric.unit.text($0)) }
        table.append([.code(phase.name), .code(metric.rawValue)] + cells)
      }
    }
    return table
  }

  /// A row for each connection that held the oldest snapshot, the longest first.
  private static func snapshots(of result: RunResult) -> ReportBlock {
    var held: [String: (nanoseconds: UInt64, commits: Int)] = [:]
    for (sample, next) in zip(result.samples, result.samples.dropFirst()) {
      guard let oldest = sample.oldestSnapshot else { continue }
      let before = held[oldest.name] ?? (0, 0)
      let time = next.elapsedNanoseconds - sample.elapsedNanoseconds
      held[oldest.name] = (before.nanoseconds + time, max(before.commits, oldest.ageCommits))
    }
    guard !held.isEmpty else { return .paragraph(["No connection held a snapshot that was behind the newest commit."]) }
    var table = ReportTable(names: ["oldest snapshot held by"], numbers: ["time", "max lag"])
    for (name, span) in held.sorted(by: { ($0.value.nanoseconds, $1.key) > ($1.value.nanoseconds, $0.key) }) {
      table.append([.code(name), .duration(span.nanoseconds), .text(Quantity.count(span.commits, of: "commit"))])
    }
    return .table(table)
  }
}

extension EngineSample {
  /// The connection whose snapshot is the furthest behind the newest commit; nil if none is behind.
  var oldestSnapshot: Connection? {
    connections.filter { $0.ageCommits > 0 && $0.pinnedNanoseconds != nil }.max { $0.ageCommits < $1.ageCommits }
  }
}
