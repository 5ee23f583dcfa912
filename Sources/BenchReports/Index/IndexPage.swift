internal import BenchResults

/// The page of `index.html`. It has a table of scenarios, one of smoke runs, and a folded list of all runs.
struct IndexPage {
  /// The number of runs in a row of a scenario.
  static let runsInRow = 10
  /// The number of runs in the list of all runs, which bounds the size of the page.
  static let runsInList = 1_000

  private let all: IndexedRuns
  private let measured: [ScenarioRow]
  private let smoke: [ScenarioRow]

  init(of runs: IndexedRuns) {
    all = runs
    measured = ScenarioRow.rows(of: runs.runs.filter { !$0.summary.isSmoke })
    smoke = ScenarioRow.rows(of: runs.runs.filter(\.summary.isSmoke))
  }

  var text: String {
    let parts =
      all.runs.isEmpty && all.unreadable.isEmpty
      ? ["<h1>No runs</h1>"]
      : [heading, filter] + [scenarios, smokeRuns, list, folders].compactMap { $0 }
    return HTMLPage.text(
      title: "Runs",
      body: parts.joined(separator: "\n"),
      style: Self.style,
      script: Self.script
    )
  }

  private var heading: String {
    let smokeCount = all.runs.count(where: \.summary.isSmoke)
    let runs = all.runs.map(\.summary).filter { !$0.isSmoke }
    let scenarios = Quantity.count(Set(runs.map(\.scenario)).count, of: "scenario")
    let counts =
      (runs.isEmpty ? [] : ["\(Quantity.count(runs.count, of: "run")) of \(scenarios)"])
      + (smokeCount > 0 ? [Quantity.count(smokeCount, of: "smoke run")] : [])
    let states = ReportSection.Tone.allCases.compactMap { tone -> String? in
      let count = measured.count { $0.latest.summary.exitCode.tone == tone }
      guard count > 0 else { return nil }
      return HTMLText.element("span", [("class", tone.rawValue)], content: "\(tone.sign) \(count) \(tone.meaning)")
    }
    let state = states.isEmpty ? "" : "<p>Last runs of the scenarios: \(states.joined(separator: ", ")).</p>"
    return "<h1>\(counts.joined(separator: ", and "))</h1>\n" + state
  }

  private var filter: String {
    """
    <p class="filter"><label>Filter <input type="search" id="filter" autocomplete="off" \
    placeholder="name, tag, verdict or commit"/></label> <span id="found" role="status"></span></p>
    """
  }

  private var scenarios: String? {
    guard !measured.isEmpty else { return nil }
    let signs = ReportSection.Tone.allCases.map { "\($0.sign) \($0.meaning)" }.joined(separator: ", ")
    let note =
      "The last \(Self.runsInRow) runs, the newest on the right: \(signs). The line shows the values of the figure "
      + "below it: an expectation that failed, with its limit as a dashed line and × for a failure, or the rate or p99 "
      + "of the scenario's most important actor, or else the expectation that came closest to its limit. Runs with "
      + "other settings (\"--set\", \"--driver\") have rows of their own. The WAL's peak is that of the last run. "
    let words = HTMLText.element("a", [("href", ReportWords.fileName)], content: "The words of the reports")
    let rows = measured.map { $0.html(withFigure: true) }
    return Self.table(["scenario", "last verdicts", "figure", "WAL peak", "last run (UTC)"], rows)
      + "\n<p class=\"note\">\(HTMLText.escaped(note))\(words).</p>"
  }

  private var smokeRuns: String? {
    guard !smoke.isEmpty else { return nil }
    return "<h2 id=\"smoke\">Smoke runs</h2>\n<p>They show that everything works, and measure nothing.</p>\n"
      + Self.table(["scenario", "last verdicts", "last run (UTC)"], smoke.map { $0.html(withFigure: false) })
  }

  /// - Parameter rows: HTML.
  private static func table(_ titles: [String], _ rows: [String]) -> String {
    let head = titles.map { HTMLText.element("th", [("scope", "col")], content: $0) }.joined()
    return "<table class=\"runs\"><thead><tr>\(head)</tr></thead>\n<tbody>\n\(rows.joined(separator: "\n"))\n</tbody>"
      + "</table>"
  }

  /// All runs, the newest first.
  private var list: String? {
    guard !all.runs.isEmpty else { return nil }
    let shown = all.runs.prefix(Self.runsInList)
    let rows = shown.map { run in
      let summary = run.summary
      let link = HTMLText.element("a", [("href", run.link)], content: HTMLText.escaped(summary.timeText))
      let verdict = "\(summary.mark) \(HTMLText.escaped(summary.verdictText))"
      let cells = [link, HTMLText.element("code", content: HTMLText.escaped(summary.scenario)), verdict]
      return HTMLText.element(
        "tr",
        [("data-words", summary.words)],
        content: (cells + [summary.commitHTML]).map { HTMLText.element("td", content: $0) }.joined()
      )
    }
    let title =
      shown.count < all.runs.count
      ? "The newest \(Quantity.count(shown.count)) of \(Quantity.count(all.runs.count)) runs" : "All runs"
    let table = Self.table(["time (UTC)", "scenario", "verdict", "commit"], rows)
    return "<details id=\"all\"><summary>\(title)</summary>\n\(table)</details>"
  }

  private var folders: String? {
    guard !all.unreadable.isEmpty else { return nil }
    let items = all.unreadable.map { folder in
      let link = HTMLText.element(
        "a",
        [("href", IndexedRun.link(toFolder: folder.name))],
        content: HTMLText.escaped(folder.name)
      )
      return HTMLText.element("li", content: "\(link): \(HTMLText.escaped(folder.problem))")
    }
    return "<h2 id=\"unreadable\">Folders without a verdict</h2>\n"
      + "<p><code>yapbench report RUN --out RUN --force</code> writes the verdict of a complete run again.</p>\n"
      + HTMLText.element("ul", content: items.joined(separator: "\n"))
  }
}

extension ReportSection.Tone {
  /// The sign that accompanies the colour.
  var sign: String {
    switch self {
    case .good: "✔"
    case .bad: "✘"
    // A variation selector keeps it from becoming a coloured picture.
    case .doubtful: "⚠\u{FE0E}"
    }
  }

  fileprivate var meaning: String {
    switch self {
    case .good: "passed"
    case .bad: "failed"
    case .doubtful: "invalid or interrupted"
    }
  }
}

extension RunSummary {
  /// Such as `PASSED: 3 of 3 expectations (partial)`.
  var verdictText: String { "\(exitCode.word): \(headline)" + (isPartial ? " (partial)" : "") }

  /// Such as `2026-02-03 04:05:06`.
  var timeText: String { startedAt.replacing("T", with: " ").replacing("Z", with: "") }

  /// The sign of the verdict in its colour.
  var mark: String {
    HTMLText.element("span", [("class", exitCode.tone.rawValue)], content: exitCode.tone.sign)
  }

  /// The first characters of the commit, and whether the build had other changes.
  var commitHTML: String {
    guard let commit else { return Quantity.missing }
    let short = HTMLText.element("code", content: HTMLText.escaped(String(commit.prefix(7))))
    guard hasUncommittedChanges else { return short }
    return short + " "
      + HTMLText.element(
        "span",
        [("class", "doubtful"), ("title", "with uncommitted changes")],
        content: "+\u{A0}changes"
      )
  }

  /// The words that the filter finds, in lower case.
  var words: String {
    let states = [exitCode.word, isSmoke ? "smoke" : "", isPartial ? "partial" : ""]
    let build = [commit ?? "", hasUncommittedChanges ? "changes" : ""]
    return ([scenario] + (settings ?? []) + tags + states + build).filter { !$0.isEmpty }.joined(separator: " ")
      .lowercased()
  }
}
