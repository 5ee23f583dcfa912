internal import BenchResults

/// A row of the index: the last runs of a scenario.
struct ScenarioRow {
  let scenario: String
  /// The oldest first; never empty.
  let runs: [IndexedRun]

  /// Returns the rows of all scenarios: those that did not pass first, then by name.
  /// - Parameter runs: The newest first.
  static func rows(of runs: [IndexedRun]) -> [ScenarioRow] {
    let rows = Dictionary(grouping: runs, by: \.summary.scenario).map { scenario, runs in
      ScenarioRow(scenario: scenario, runs: runs.prefix(IndexPage.runsInRow).reversed())
    }
    return rows.sorted { ($0.passes ? 1 : 0, $0.scenario) < ($1.passes ? 1 : 0, $1.scenario) }
  }

  var latest: IndexedRun { runs[runs.count - 1] }
  private var passes: Bool { latest.summary.exitCode == .passed }

  func html(withFigure: Bool) -> String {
    let latest = latest.summary
    let tags = latest.tags.isEmpty ? "" : "<small>\(HTMLText.escaped(latest.tags.joined(separator: ", ")))</small>"
    let reason = passes ? "" : "<small>\(HTMLText.escaped(InertText.shortened(latest.verdictText, to: 160)))</small>"
    let name = HTMLText.element("code", content: HTMLText.escaped(scenario))
    let figure = Sparkline(of: runs)?.html ?? Quantity.missing
    let marks = HTMLText.element("span", [("class", "marks")], content: runs.map(mark).joined())
    let duration = Quantity.duration(nanoseconds: latest.seconds * 1e9)
    let last = "\(HTMLText.escaped(String(latest.timeText.prefix(16))))<small>\(duration), \(latest.commitHTML)</small>"
    let cells = [marks + reason] + (withFigure ? [figure] : []) + [last]
    let words = runs.dropLast().compactMap(\.summary.commit).withoutDuplicates.joined(separator: " ").lowercased()
    return HTMLText.element(
      "tr",
      [("data-words", "\(latest.words) \(words)")],
      content: HTMLText.element("th", [("scope", "row")], content: name + tags)
        + cells.map { HTMLText.element("td", content: $0) }.joined()
    )
  }

  /// A link to the report of a run, with the sign of its verdict.
  private func mark(_ run: IndexedRun) -> String {
    let text = "\(run.summary.timeText): \(InertText.shortened(run.summary.verdictText, to: 200))"
    let tone = run.summary.exitCode.tone
    return HTMLText.element(
      "a",
      [("href", run.link), ("class", "mark \(tone.rawValue)"), ("title", text), ("aria-label", text)],
      content: tone.sign
    )
  }
}

/// The measured values of an expectation in the last runs of a scenario, as a small line.
struct Sparkline {
  private static let width = 124.0
  private static let height = 30.0
  private static let margin = 5.0

  let source: String
  /// One for each run, the oldest first; nil for a run that did not measure it.
  let values: [RunSummary.Expectation?]

  /// Selects an expectation of the newest run that has any: one that failed, or else the one with the smallest margin.
  /// - Parameter runs: The oldest first.
  /// - Returns: nil if no run has measured an expectation.
  init?(of runs: [IndexedRun]) {
    let newest = runs.last { $0.summary.expectations.contains { $0.measuredValue != nil } }
    let candidates = newest?.summary.expectations.filter { $0.measuredValue != nil } ?? []
    guard let source = RunSummary.Expectation.closest(candidates)?.source else { return nil }
    self.source = source
    values = runs.map { run in
      run.summary.expectations.first { $0.source == source && $0.measuredValue != nil }
    }
  }

  var html: String {
    let range = range
    let points = values.enumerated().compactMap { index, value -> (point: SVG.Point, holds: Bool)? in
      guard let value, let number = value.measuredValue else { return nil }
      return ((x(index), y(number, in: range)), value.holds)
    }
    var parts: [String] = []
    if let limit, range.contains(limit) {
      let height = y(limit, in: range)
      parts.append(SVG.path([(Self.margin, height), (Self.width - Self.margin, height)], "limit"))
    }
    if points.count > 1 { parts.append(SVG.path(points.map(\.point), "line")) }
    for (index, (point, holds)) in points.enumerated() {
      if holds {
        if index == points.count - 1 { parts.append(SVG.dot(at: point)) }
      } else {
        parts.append(Self.cross(at: point))
      }
    }
    let texts = values.compactMap { $0?.measured }
    let attributes = [
      ("class", "spark"), ("viewBox", "0 0 \(SVG.pixels(Self.width)) \(SVG.pixels(Self.height))"), ("role", "img"),
      ("aria-label", "\(source), measured \(texts.joined(separator: ", "))"),
    ]
    let title = HTMLText.element("title", content: HTMLText.escaped(texts.joined(separator: ", ")))
    return HTMLText.element("svg", attributes, content: title + parts.joined())
      + HTMLText.element("strong", content: HTMLText.escaped(texts.last ?? ""))
      + "<small>\(HTMLText.element("code", content: HTMLText.escaped(source)))</small>"
  }

  /// The limit of the newest run. A limit in costs of the machine differs from run to run.
  private var limit: Double? { values.lazy.compactMap { $0?.limitValue }.last }

  /// The range of the values; also of the limit, if it is not further from them than they are from each other.
  private var range: ClosedRange<Double> {
    let known = values.compactMap { $0?.measuredValue }
    let (low, high) = (known.min() ?? 0, known.max() ?? 0)
    guard let limit, limit > low - (high - low), limit < high + (high - low) else { return low...high }
    return min(low, limit)...max(high, limit)
  }

  /// The newest run is on the right, also if there are fewer than `IndexPage.runsInRow`.
  private func x(_ index: Int) -> Double {
    let step = (Self.width - 2 * Self.margin) / Double(IndexPage.runsInRow - 1)
    return Self.width - Self.margin - Double(values.count - 1 - index) * step
  }

  private func y(_ value: Double, in range: ClosedRange<Double>) -> Double {
    Self.height - Self.margin - range.share(below: value) * (Self.height - 2 * Self.margin)
  }

  private static func cross(at point: SVG.Point) -> String {
    let (x, y) = point
    let strokes = [[(x - 3, y - 3), (x + 3, y + 3)], [(x - 3, y + 3), (x + 3, y - 3)]]
    return HTMLText.element("path", [("class", "bad"), ("d", strokes.map(SVG.commands).joined())])
  }
}
