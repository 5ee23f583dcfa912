internal import BenchResults

/// A row of the index: the last runs of a scenario with the same settings of the command.
struct ScenarioRow {
  let scenario: String
  let settings: [String]
  /// The oldest first; never empty.
  let runs: [IndexedRun]

  /// Returns the rows of all scenarios: those that did not pass first, then by name.
  /// - Parameter runs: The newest first.
  static func rows(of runs: [IndexedRun]) -> [ScenarioRow] {
    let rows = Dictionary(grouping: runs) { [$0.summary.scenario] + ($0.summary.settings ?? []) }.map { words, runs in
      ScenarioRow(
        scenario: words[0],
        settings: Array(words.dropFirst()),
        runs: runs.prefix(IndexPage.runsInRow).reversed()
      )
    }
    return rows.sorted { ($0.passes ? 1 : 0, $0.words) < ($1.passes ? 1 : 0, $1.words) }
  }

  private var words: String { ([scenario] + settings).joined(separator: " ") }

  var latest: IndexedRun { runs[runs.count - 1] }
  private var passes: Bool { latest.summary.exitCode == .passed }

  func html(withFigure: Bool) -> String {
    let latest = latest.summary
    let tags = latest.tags.isEmpty ? "" : "<small>\(HTMLText.escaped(latest.tags.joined(separator: ", ")))</small>"
    let reason = passes ? "" : "<small>\(HTMLText.escaped(InertText.shortened(latest.verdictText, to: 160)))</small>"
    let setting = settings.map { "<small>\(HTMLText.element("code", content: HTMLText.escaped($0)))</small>" }.joined()
    let title = HTMLText.element("code", content: HTMLText.escaped(scenario))
    let name = HTMLText.element("a", [("href", self.latest.link)], content: title) + setting
    let figure = Sparkline(of: runs)?.html ?? Quantity.missing
    let marks = HTMLText.element("span", [("class", "marks")], content: runs.map(mark).joined())
    let duration = Quantity.duration(nanoseconds: latest.seconds * 1e9)
    let last = "\(HTMLText.escaped(String(latest.timeText.prefix(16))))<small>\(duration), \(latest.commitHTML)</small>"
    let cells = [marks + reason] + (withFigure ? [figure, walPeak] : []) + [last]
    let words = runs.dropLast().compactMap(\.summary.commit).withoutDuplicates.joined(separator: " ").lowercased()
    return HTMLText.element(
      "tr",
      [("data-words", "\(latest.words) \(words)")],
      content: HTMLText.element("th", [("scope", "row")], content: name + tags)
        + cells.map { HTMLText.element("td", content: $0) }.joined()
    )
  }

  private var walPeak: String {
    guard let peak = latest.summary.walPeak else { return Quantity.missing }
    return HTMLText.element("strong", content: HTMLText.escaped(Quantity.bytes(peak.bytes)))
      + HTMLText.element("small", content: "held by " + peak.holder.html)
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

/// The values of one figure in the last runs of a scenario, as a small line.
struct Sparkline {
  private struct Value {
    var number: Double
    var text: String
    /// nil for the value of an expectation.
    var unit: FigureUnit?
    var holds = true
  }

  private static let width = 124.0
  private static let height = 30.0
  private static let margin = 5.0

  /// The figure, or the expectation, in the syntax of the scenario.
  let source: String
  /// One for each run, the oldest first; nil for a run that did not measure it.
  private var values: [Value?]
  /// nil without an expectation.
  private var limit: Double?

  /// Selects an expectation that failed in the newest run; without one, the headline figure, or else the expectation
  /// that came closest to its limit.
  /// - Parameter runs: The oldest first.
  /// - Returns: nil if no run has measured anything.
  init?(of runs: [IndexedRun]) {
    let newest = runs.last { $0.summary.expectations.contains { $0.measuredValue != nil } }
    let candidates = newest?.summary.expectations.filter { $0.measuredValue != nil } ?? []
    let closest = RunSummary.Expectation.closest(candidates)
    let hasFailed = runs.last?.summary.expectations.contains { $0.source == closest?.source && !$0.holds } ?? false
    if !hasFailed, let figure = runs.last?.summary.headlineFigure, let line = Sparkline(of: figure, in: runs) {
      self = line
      return
    }
    guard let source = closest?.source else {
      // An invalid run has the figures that nothing has disturbed.
      guard let first = runs.last?.summary.figures?.first, let line = Sparkline(of: first.name, in: runs) else {
        return nil
      }
      self = line
      return
    }
    let found = runs.map { run in run.summary.expectations.first { $0.source == source && $0.measuredValue != nil } }
    self.source = source
    values = found.map { value in
      value.flatMap { one in one.measuredValue.map { Value(number: $0, text: one.measured, holds: one.holds) } }
    }
    // A limit in costs of the machine differs from run to run.
    limit = found.lazy.compactMap { $0?.limitValue }.last
  }

  /// The values of a figure; of several variants, the values of the first one that the newest run has.
  private init?(of name: String, in runs: [IndexedRun]) {
    let all = runs.map { $0.summary.figures?.filter { $0.name == name } ?? [] }
    guard let newest = all.last(where: { !$0.isEmpty })?.first else { return nil }
    source = name + (newest.variant.map { ", \($0)" } ?? "")
    values = all.map { figures in
      figures.first { $0.variant == newest.variant }
        .map { Value(number: $0.value, text: $0.unit.text($0.value), unit: $0.unit) }
    }
  }

  var html: String {
    let range = range
    let points = values.enumerated().compactMap { index, value -> (point: SVG.Point, holds: Bool)? in
      value.map { ((x(index), y($0.number, in: range)), $0.holds) }
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
    let texts = values.compactMap { $0?.text }
    let attributes = [
      ("class", "spark"), ("viewBox", "0 0 \(SVG.pixels(Self.width)) \(SVG.pixels(Self.height))"), ("role", "img"),
      ("aria-label", "\(source), measured \(texts.joined(separator: ", "))"),
    ]
    let title = HTMLText.element("title", content: HTMLText.escaped(texts.joined(separator: ", ")))
    return HTMLText.element("svg", attributes, content: title + parts.joined())
      + HTMLText.element("strong", content: HTMLText.escaped(texts.last ?? ""))
      + "<small>\(HTMLText.element("code", content: HTMLText.escaped(source)))</small><small>\(change)</small>"
  }

  /// The newest value against the one before.
  private var change: String {
    let known = values.compactMap { $0 }
    guard known.count > 1 else { return "no earlier value" }
    let (before, last) = (known[known.count - 2], known[known.count - 1])
    let change = EarlierRuns.change(from: before.number, to: last.number, last.unit ?? .number)
    return change.map { "\($0) against the value before" } ?? Quantity.missing
  }

  /// The range of the values; also of the limit, if it is not further from them than they are from each other.
  private var range: ClosedRange<Double> {
    let known = values.compactMap { $0?.number }
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
