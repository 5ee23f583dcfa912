internal import BenchModel

/// The reads that caches answered, and the outcome for cached values that other connections changed: two bars for each
/// connection.
enum CacheFigure {
  private static let width = 880.0
  private static let left = 210.0
  private static let mostConnections = 16

  private struct Segment {
    var name: String
    var count: Int
    var style: Int
  }

  static func figure(_ result: RunResult) -> ReportFigure? {
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
    let drawing = Drawing(
      width: width,
      height: y,
      description: "Hits and misses of the caches, and the outcome for cached values that other connections changed",
      content: parts.joined(separator: "\n")
    )
    let left = uses.count - mostConnections
    let caption: ReportText =
      "Reads: answered by the cache, or read and decoded. Changes: the outcome for cached values that other connections "
      + "changed."
    return ReportFigure(
      drawings: [drawing],
      caption: left > 0 ? caption + " \(Quantity.count(left)) more are in the table." : caption
    )
  }

  private static func reads(_ use: ConnectionCacheUse) -> [Segment] {
    [
      Segment(name: "hits", count: use.counts.hits, style: 0),
      Segment(name: "misses, decoded", count: min(use.counts.decoded, use.counts.misses), style: 1),
      // There was no row to decode.
      Segment(name: "misses, no row", count: max(0, use.counts.misses - use.counts.decoded), style: 4),
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
      let wanted = 28 + SVG.width(of: segment.name) + 14
      if x + wanted > width {
        x = 0
        y += 18
      }
      parts += box(segment.style, at: (x, y + 2), width: 20, height: 12)
      parts += SVG.text(segment.name, at: (x + 26, y + 12))
      x += wanted
    }
    y += 26
    return parts
  }

  private static func bar(_ name: String, _ segments: [Segment], at y: Double) -> String {
    let sum = Double(segments.reduce(0) { $0 + $1.count })
    var parts = SVG.text(name, at: (0, y + 15))
    var x = left
    for segment in segments where segment.count > 0 {
      let share = Double(segment.count) / sum
      let length = share * (width - left)
      var elements = [box(segment.style, at: (x, y), width: max(length, 0.5), height: 20)]
      let text = Quantity.percent(share)
      let wanted = SVG.width(of: text) + 8
      if length > wanted + 8 {
        let middle = x + length / 2
        // On a ground of its own, as no text can be read on a pattern.
        elements.append(SVG.rectangle(at: (middle - wanted / 2, y + 3), width: wanted, height: 14, "ground"))
        elements.append(SVG.text(text, at: (middle, y + 14), "mid"))
      }
      parts += SVG.group(titled: "\(segment.name): \(Quantity.count(segment.count)), \(text)", elements)
      x += length
    }
    return parts
  }

  private static func box(_ style: Int, at point: SVG.Point, width: Double, height: Double) -> String {
    SVG.rectangle(at: point, width: width, height: height, "a p\(style) c\(style)")
  }
}
