internal import BenchModel

extension RunReport {
  /// What the caches of each connection that an actor used did in the recorded phases; nothing where none is counted.
  var caches: ReportSection? {
    let uses = result.cacheUses
    guard !uses.isEmpty else { return nil }
    var table = ReportTable([
      ("phase", .left), ("connection", .left), ("hits", .right), ("misses", .right), ("hit rate", .right),
      ("decoded", .right), ("updated", .right), ("copied", .right), ("dropped", .right), ("read again", .right),
    ])
    for use in uses {
      let counts = use.counts
      table.append(
        [.code(use.phase), .code(use.connection), .text(Quantity.count(counts.hits))]
          + [
            .text(Quantity.count(counts.misses)),
            .text(Quantity.percent(Double(counts.hits), of: Double(counts.hits + counts.misses))),
          ]
          + [counts.decoded, counts.updatedByPolicy, counts.copied, counts.dropped, counts.readAgain].map {
            .text(Quantity.count($0))
          }
      )
    }
    let remark: ReportText =
      "Objects and metadata together, from the first to the last sample of a phase. Updated, copied and dropped: cached "
      + "values that other connections changed. Read again: dropped values that were read and decoded again."
    return ReportSection(
      anchor: "caches",
      title: "Caches",
      blocks: [.figure(CacheFigure.figure(result)), .table(table), .paragraph([remark])]
    )
  }
}

/// What the two caches of a connection did in a phase, together.
struct ConnectionCacheUse {
  var phase: String
  var connection: String
  var counts: EngineSample.CacheCounts
}

extension RunResult {
  /// Of recorded phases, and of connections that an actor used.
  var cacheUses: [ConnectionCacheUse] {
    phases.filter(\.isRecorded).flatMap { phase in
      var seen: Set<String> = []
      return cachingConnections(in: phase.name).filter { seen.insert($0).inserted }.compactMap { connection in
        cacheUse(of: connection, in: phase.name).map {
          ConnectionCacheUse(phase: phase.name, connection: connection, counts: $0.object + $0.metadata)
        }
      }
    }
  }
}
