internal import BenchModel

/// What caches answered, and what became of the values that others changed: two bars for each connection.
enum CacheFigure {
  private static let width = 880.0
  private static let left = 210.0
  private static let mostConnections = 16

  private struct Segment {
    var name: String
    var count: Int
    var style: Int
  }

  static func figure(_ result: RunResult) -> DrawnFigure? {
    let uses = result.cacheUses.filter { reads($0).contains { $0.count > 0 } || changes($0).contains { $0.count > 0 } }
    guard !uses.isEmpty else { return nil }
    var y = 0.0
    var parts = [legend(reads(uses[0]) + changes(uses[0]), &y)]
    for use in uses.prefix(mostConnections) {
      let name = "\(InertText.shortened(use.connection, to: 16)) in \(InertText.shortened(use.phase, to: 12))"
      for (what, segments) in [("reads", reads(use)), ("changes", changes(use))] {
        guard segments.contains(where: { $0.count > 0 }) else { continue }
        parts.append(bar("\(name): \(what)", segments, at: y))
        y += 26
      }
    }
    let svg = HTMLText.element(
      "svg",
      [
        ("class", "chart"), ("viewBox", "0 0 \(HTMLText.whole(width)) \(HTMLText.whole(y))"), ("role", "img"),
        ("aria-label", "Hits and misses of the caches, and what became of cached values that others changed"),
      ],
      parts.joined(separator: "\n")
    )
    let left = uses.count - mostConnections
    let caption: ReportText =
      "Of the reads that asked a cache, those it answered and those that read and decoded; of the cached values that "
      + "others changed, what became of them."
    return DrawnFigure(
      charts: [],
      drawings: [svg],
      caption: left > 0 ? caption + " \(Quantity.count(left)) more are in the table." : caption
    )
  }

  private static func reads(_ use: ConnectionCacheUse) -> [Segment] {
    [
      Segment(name: "hits", count: use.counts.hits, style: 0),
      Segment(name: "misses, decoded", count: min(use.counts.decoded, use.counts.misses), style: 1),
      // No row was there, so there was nothing to decode.
      Segment(name: "misses, nothing there", count: max(0, use.counts.misses - use.counts.decoded), style: 4),
    ]
  }

  private static func changes(_ use: ConnectionCacheUse) -> [Segment] {
    let counts = use.counts
    return [
      Segment(name: "updated in place", count: max(0, counts.updatedByPolicy - counts.copied), style: 2),
      Segment(name: "updated with a copy", count: min(counts.copied, counts.updatedByPolicy), style: 3),
      Segment(name: "dropped, read again", count: counts.readAgain, style: 7),
      Segment(name: "dropped", count: max(0, counts.dropped - counts.readAgain), style: 5),
    ]
  }

  private static func legend(_ segments: [Segment], _ y: inout Double) -> String {
    var x = 0.0
    var parts = ""
    for segment in segments {
      let wanted = 28 + ChartDrawing.textWidth(segment.name) + 14
      if x + wanted > width {
        x = 0
        y += 18
      }
      parts += box(x, y + 2, 20, 12, segment.style)
      parts += HTMLText.element(
        "text",
        [("x", "\(HTMLText.whole(x) + 26)"), ("y", "\(HTMLText.whole(y) + 12)")],
        segment.name
      )
      x += wanted
    }
    y += 26
    return parts
  }

  private static func bar(_ name: String, _ segments: [Segment], at y: Double) -> String {
    let sum = Double(segments.reduce(0) { $0 + $1.count })
    var parts = HTMLText.element("text", [("x", "0"), ("y", "\(HTMLText.whole(y) + 15)")], HTMLText.escaped(name))
    var x = left
    for segment in segments where segment.count > 0 {
      let share = Double(segment.count) / sum
      let length = share * (width - left)
      parts +=
        "<g>"
        + HTMLText.element(
          "title",
          [],
          HTMLText.escaped("\(segment.name): \(Quantity.count(segment.count)), \(Quantity.percent(share))")
        )
      parts += box(x, y, length, 20, segment.style)
      let text = Quantity.percent(share)
      let wanted = ChartDrawing.textWidth(text) + 8
      if length > wanted + 8 {
        // On a ground of its own, as no text can be read on a pattern.
        parts += HTMLText.element(
          "rect",
          [
            ("class", "ground"), ("x", "\(HTMLText.whole(x + length / 2 - wanted / 2))"),
            ("y", "\(HTMLText.whole(y) + 3)"),
            ("width", "\(HTMLText.whole(wanted))"), ("height", "14"),
          ]
        )
        let place = [("x", "\(HTMLText.whole(x + length / 2))"), ("y", "\(HTMLText.whole(y) + 14)"), ("class", "mid")]
        parts += HTMLText.element("text", place, text)
      }
      parts += "</g>"
      x += length
    }
    return parts
  }

  private static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: Int) -> String {
    HTMLText.element(
      "rect",
      [
        ("class", "a p\(style) c\(style)"), ("x", Self.tenths(x)), ("y", Self.tenths(y)),
        ("width", Self.tenths(max(width, 0.5))), ("height", Self.tenths(height)),
      ]
    )
  }

  private static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
}
