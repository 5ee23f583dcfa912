package import BenchResults
internal import HarnessPrimitives

/// The page of all nights: the verdict of the last one, the results of all, the alarms, and the course of every figure
/// of the suite.
package struct NightsReport: WrittenReport {
  /// A night with the name of its folder.
  package struct Night {
    var name: String
    var report: NightReport

    package init(_ name: String, _ report: NightReport) { (self.name, self.report) = (name, report) }
  }

  /// A further page of all nights, relative to their folder.
  package enum Page: String, CaseIterable {
    case suite = "suite/index.html"
    case trend = "trend.html"

    fileprivate var title: ReportText {
      switch self {
      case .suite: "Reports of the suite: "
      case .trend: "Course of the comparisons: "
      }
    }
  }

  /// A figure of the suite in all nights on the machine of the last one, the oldest first.
  private struct Course {
    var last: SuiteRun.Figure
    var values: [Double]

    /// The last value against the median of those before it, in percent; nil without one.
    var changePercent: Double? {
      guard values.count > 1 else { return nil }
      let earlier = values.dropLast().median
      return earlier == 0 ? nil : 100 * (last.value / earlier - 1)
    }
  }

  private let nights: [Night]
  private let history: HistoryReport
  private let suite: [SuiteRun]
  private let pages: [Page]

  /// - Parameters:
  ///   - nights: Not empty; the newest first.
  ///   - suite: The oldest first.
  ///   - pages: The further pages that exist.
  package init(_ nights: [Night], history: HistoryReport, suite: [SuiteRun], pages: [Page]) {
    (self.nights, self.history, self.suite, self.pages) = (nights, history, suite, pages)
  }

  /// Writes `index.md` and `index.html` in the folder of all nights.
  package func write(in folder: String) throws { try write(as: "index", in: folder) }

  var sections: [ReportSection] { [verdict, table, alarms, figures, howToRead].compactMap { $0 } }

  private var verdict: ReportSection {
    let last = nights[0]
    let count = Quantity.count(nights.count, of: "night")
    let courses = scenarios.flatMap(\.courses)
    let trend: [ReportText] = history.nights.isEmpty ? [] : ["Trend: \(history.headline)."]
    let changes: [ReportText] = courses.isEmpty ? [] : ["Suite, last runs: \(Self.changes(in: courses))."]
    return ReportSection(
      anchor: "verdict",
      title: "Last night, \(String(last.report.summary.startedAt.prefix(10))): \(last.report.headline)",
      tone: last.report.tone,
      blocks: [
        .paragraph(["\(count) in this folder."] + trend + changes + pages.map { $0.title + .file($0.rawValue) })
      ]
    )
  }

  private var table: ReportSection {
    var table = ReportTable(names: ["night", "result", "commit"], numbers: ["suite", "time"], isAlwaysOpen: true)
    for night in nights {
      let summary = night.report.summary
      let scenarios = summary.steps.filter { $0.part == .suite }
      let made = scenarios.filter { !$0.isSkipped }
      let left = scenarios.count - made.count
      let passed = "\(made.count { $0.exitCode == .passed }) of \(made.count) passed"
      table.append([
        .report(.text(night.name), path: "\(night.name)/summary"),
        .toned(.text(night.report.word), night.report.tone)
          + .text(String(night.report.headline.dropFirst(night.report.word.count))),
        summary.commit.map { .code(String($0.prefix(12))) } ?? .text(Quantity.missing),
        .text(passed + (left > 0 ? ", \(left) not run" : "")), .duration(summary.usedSeconds * 1e9),
      ])
    }
    return ReportSection(anchor: "nights", title: "Nights", blocks: [.table(table)])
  }

  private var alarms: ReportSection? {
    (history.alarmTable?.blocks).map { ReportSection(anchor: "alarms", title: "Alarms", blocks: $0) }
  }

  // MARK: Figures of the suite

  /// The last run of each scenario, by name, and the course of each of its figures.
  private var scenarios: [(last: SuiteRun, courses: [Course])] {
    Dictionary(grouping: suite, by: \.scenario).sorted { $0.key < $1.key }.compactMap { _, runs in
      let courses = Self.courses(of: runs)
      return runs.last.flatMap { courses.isEmpty ? nil : ($0, courses) }
    }
  }

  private var figures: ReportSection? {
    let blocks = scenarios.map { last, courses -> ReportBlock in
      .details(
        "\(code: last.scenario): last run \(last.exitCode.word) at \(last.startedAt), \(Self.changes(in: courses))",
        Self.table(of: courses)
      )
    }
    return blocks.isEmpty ? nil : ReportSection(anchor: "suite", title: "Figures of the suite", blocks: blocks)
  }

  /// - Parameter runs: The runs of one scenario, the oldest first.
  private static func courses(of runs: [SuiteRun]) -> [Course] {
    guard let last = runs.last(where: { !$0.figures.isEmpty }) else { return [] }
    let comparable = runs.filter { $0.machine.isSame(as: last.machine) }
    return last.figures.map { figure in
      let values = comparable.compactMap { run in run.figures.first { $0.name == figure.name }?.value }
      return Course(last: figure, values: values)
    }
  }

  /// Such as `12 figures: -4.10 % to +2.31 % against the median before`.
  private static func changes(in courses: [Course]) -> String {
    let changes = courses.compactMap(\.changePercent)
    let count = Quantity.count(courses.count, of: "figure")
    guard let least = changes.min(), let greatest = changes.max() else { return "\(count) for the first time" }
    let range = [least, greatest].map { Quantity.change(percent: $0) }.withoutDuplicates.joined(separator: " to ")
    return "\(count): \(range) against the median before"
  }

  private static func table(of courses: [Course]) -> ReportTable {
    var table = ReportTable(
      names: ["figure"],
      numbers: ["last measured", "against the median before", "lowest", "highest", "nights"]
    )
    for course in courses {
      let unit = course.last.unit
      table.append([
        .text(course.last.name.text), .curve(course.values) + .text(unit.text(course.last.value)),
        .text(course.changePercent.map { Quantity.change(percent: $0) } ?? Quantity.missing),
        .text(course.values.min().map(unit.text) ?? Quantity.missing),
        .text(course.values.max().map(unit.text) ?? Quantity.missing), .text(String(course.values.count)),
      ])
    }
    return table
  }

  private var howToRead: ReportSection {
    .howToRead([
      "A figure of the suite is the median of a scenario's repetitions in one night. Times that the machine disturbed, "
        + "and nights on another machine than the last, are left out.",
      "The courses show what the nights measured, and are no verdicts: single runs differ from night to night, and a "
        + "changed scenario begins a new level. The comparisons and the alarms are verdicts.",
    ])
  }
}
