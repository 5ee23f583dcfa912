internal import BenchResults
internal import HarnessPrimitives

/// A count of a connection's caches. `all` determines the columns of a run's table, of the comparison of variants and
/// of `variants.csv`.
struct CacheCount: Sendable {
  /// The number by which the count of a phase is divided when variants are compared.
  enum Denominator: String, Sendable {
    case operation, commit

    var shortName: String { self == .operation ? "op" : "commit" }
  }

  let title: String
  /// The name in `variants.csv`, without the denominator.
  let name: String
  let denominator: Denominator
  let better: BetterValues?
  let value: @Sendable (EngineSample.CacheCounts) -> Int

  var column: String { "cache_\(name)_per_\(denominator.rawValue)" }

  static let hits = Self(title: "hits", name: "hits", denominator: .operation, better: .higher) { $0.hits }

  static let all = [
    hits,
    Self(title: "misses", name: "misses", denominator: .operation, better: .lower) { $0.misses },
    Self(title: "decoded", name: "decoded", denominator: .operation, better: .lower) { $0.decoded },
    Self(title: "updated", name: "updated_by_policy", denominator: .commit, better: nil) { $0.updatedByPolicy },
    Self(title: "copied", name: "copied", denominator: .commit, better: nil) { $0.copied },
    Self(title: "dropped", name: "dropped", denominator: .commit, better: .lower) { $0.dropped },
    Self(title: "read again", name: "read_again", denominator: .commit, better: .lower) { $0.readAgain },
  ]
}

/// The counts of the two caches of a connection in a phase.
struct CacheUse {
  var connection: String
  var phase: String
  /// Objects and metadata together.
  var counts: EngineSample.CacheCounts
  /// Operations of the actors that use only this connection. A transaction counts as the operations inside it.
  var operations: Int
  /// Commits of all connections from the first to the last sample of the phase.
  var commits: Int

  /// The count per operation or commit; nil if there was no operation or commit.
  func mean(of count: CacheCount) -> Double? {
    let denominator = count.denominator == .operation ? operations : commits
    return denominator > 0 ? Double(count.value(counts)) / Double(denominator) : nil
  }
}

extension RunResult {
  /// The connections with counted caches that are the only connection of an actor; once for each such actor.
  func cachingConnections(in phase: String) -> [String] {
    let used = (self.phase(named: phase)?.actors ?? []).compactMap(\.connection)
    let counted = Set(samples.first { $0.phase == phase }?.connections.filter { $0.caches != nil }.map(\.name) ?? [])
    return used.filter { counted.contains($0) }
  }

  /// The counts from the first to the last sample of the phase; nil if one of the two has none for the connection.
  func cacheUse(of connection: String, in phase: String) -> CacheUse? {
    guard let result = self.phase(named: phase) else { return nil }
    let own = samples(of: result)
    func caches(_ sample: EngineSample?) -> EngineSample.Caches? {
      sample?.connections.first { $0.name == connection }?.caches
    }
    guard let first = caches(own.first), let last = caches(own.last) else { return nil }
    let actors = result.actors.filter { $0.connection == connection }
    return CacheUse(
      connection: connection,
      phase: phase,
      counts: last.increments(since: first),
      operations: actors.reduce(0) { $0 + $1.operationCount },
      commits: (own.last?.commit ?? 0) - (own.first?.commit ?? 0)
    )
  }

  /// The use of the caches of each connection of `cachingConnections` in each recorded phase.
  var cacheUses: [CacheUse] {
    phases.filter(\.isRecorded).flatMap { phase in
      cachingConnections(in: phase.name).withoutDuplicates.compactMap { cacheUse(of: $0, in: phase.name) }
    }
  }
}

/// The use of the connections' caches in the recorded phases.
enum CachesSection {
  /// - Returns: nil if no use of caches was counted, as with a driver without caches.
  static func section(of result: RunResult) -> ReportSection? {
    let uses = result.cacheUses
    guard !uses.isEmpty else { return nil }
    let titles = CacheCount.all.map { ReportText.text($0.title) } + ["hit rate"]
    var table = ReportTable(names: ["phase", "connection"], numbers: titles)
    for use in uses {
      let counts = use.counts
      table.append(
        [.code(use.phase), .code(use.connection)]
          + CacheCount.all.map { .count($0.value(counts)) }
          + [.text(Quantity.percent(Double(counts.hits), of: Double(counts.hits + counts.misses)))]
      )
    }
    let remark: ReportText =
      "Objects and metadata together, from the first to the last sample of a phase. Updated, copied and dropped: "
      + "cached values that other connections changed. Read again: dropped values that were read and decoded again."
    return ReportSection(
      anchor: "caches",
      title: "Caches",
      blocks: [.drawings(CachesChart.drawings(of: uses)), .table(table), .explanation([remark])],
      folded: "hit rate \(hitRate(of: uses))"
    )
  }

  /// The hit rate of all connections together.
  private static func hitRate(of uses: [CacheUse]) -> String {
    let hits = uses.map(\.counts.hits).saturatingSum()
    let reads = [hits, uses.map(\.counts.misses).saturatingSum()].saturatingSum()
    return Quantity.percent(Double(hits), of: Double(reads))
  }
}

/// The reads by hit and miss, and the outcomes for cached values that other connections changed: up to two bars for
/// each connection and phase.
enum CachesChart {
  private static let width = 880.0
  private static let barHeight = 18.0
  private static let rowHeight = 40.0
  private static let mostConnections = 16

  private struct Segment {
    var name: String
    var count: Int
    var style: Int
  }

  static func drawings(of uses: [CacheUse]) -> ReportDrawings? {
    let uses = uses.filter { reads($0).contains { $0.count > 0 } || changes($0).contains { $0.count > 0 } }
    guard !uses.isEmpty else { return nil }
    var y = 0.0
    var parts = ""
    for use in uses.prefix(mostConnections) {
      let name = "\(InertText.shortened(use.connection, to: 16)) in \(InertText.shortened(use.phase, to: 12))"
      for (kind, segments) in [("reads", reads(use)), ("changes", changes(use))] {
        guard segments.contains(where: { $0.count > 0 }) else { continue }
        parts += bar("\(name): \(kind)", segments, at: y)
        y += rowHeight
      }
    }
    let description = "Hits and misses of the caches, and the outcomes for cached values that other connections changed"
    let legend = (reads(uses[0]) + changes(uses[0])).map { ChartLegend.Entry(style: $0.style, name: $0.name) }
    let bars = HTMLText.element(
      "svg",
      [("class", "bars"), ("height", SVG.pixels(y)), ("role", "img"), ("aria-label", description)],
      content: parts
    )
    let drawing = Drawing(
      width: width,
      height: y,
      description: description,
      content: parts,
      page: HTMLText.element("div", [("class", "chart")], content: ChartLegend.html(legend) + bars)
    )
    let caption: ReportText =
      "Reads: served from the cache, or read and decoded. Changes: the outcomes for cached values that other "
      + "connections changed."
    return ReportDrawings(
      drawings: [drawing],
      caption: caption + .more(uses.count - mostConnections, "are in the table"),
      isInteractive: false
    )
  }

  private static func reads(_ use: CacheUse) -> [Segment] {
    [
      Segment(name: "hits", count: use.counts.hits, style: 0),
      Segment(name: "misses, decoded", count: min(use.counts.decoded, use.counts.misses), style: 1),
      // Reads that found no row had nothing to decode.
      Segment(name: "misses, no row", count: max(0, use.counts.misses - use.counts.decoded), style: 4),
    ]
  }

  private static func changes(_ use: CacheUse) -> [Segment] {
    let counts = use.counts
    return [
      Segment(name: "updated in place", count: max(0, counts.updatedByPolicy - counts.copied), style: 2),
      Segment(name: "updated with a copy", count: min(counts.copied, counts.updatedByPolicy), style: 3),
      Segment(name: "dropped, read again", count: counts.readAgain, style: 7),
      Segment(name: "dropped", count: max(0, counts.dropped - counts.readAgain), style: 5),
    ]
  }

  /// Returns a bar below its name. Positions and widths are shares, so that the bar is as wide as the page.
  private static func bar(_ name: String, _ segments: [Segment], at y: Double) -> String {
    let sum = Double(segments.map(\.count).saturatingSum())
    var parts = SVG.text(name, at: (0, y + 13))
    var begin = 0.0
    for segment in segments where segment.count > 0 {
      let share = Double(segment.count) / sum
      let attributes = [
        ("class", "a p\(segment.style) c\(segment.style)"), ("x", SVG.share(begin)), ("y", SVG.pixels(y + 18)),
        ("width", SVG.share(share)), ("height", SVG.pixels(barHeight)),
      ]
      var elements = [HTMLText.element("rect", attributes)]
      let text = Quantity.percent(share)
      if share > 0.12 { elements.append(SVG.text(text, x: SVG.share(begin + share / 2), y: y + 31, "mid halo")) }
      parts += SVG.group(titled: "\(segment.name): \(Quantity.count(segment.count)), \(text)", elements)
      begin += share
    }
    return parts
  }
}
