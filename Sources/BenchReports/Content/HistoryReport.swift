public import BenchResults
internal import Foundation

/// The report of a history: all alarms, then the course of each primary figure.
public struct HistoryReport {
  /// A figure in all nights that have it.
  struct Course {
    var figure: Night.Figure
    var nights: [(index: Int, effect: Double)]
  }

  let nights: [Night]
  let alarms: [TrendAlarm]
  let acknowledgements: [Acknowledgement]

  /// - Parameter nights: the oldest first.
  public init(nights: [Night], alarms: [TrendAlarm], acknowledgements: [Acknowledgement]) {
    self.nights = nights
    self.alarms = alarms
    self.acknowledgements = acknowledgements
  }

  /// Alarms of figures that got worse and are not acknowledged, the largest change first. Alarms from before a change
  /// of the pinned build, the settings or the machine are not open.
  public var openAlarms: [TrendAlarm] {
    alarms.filter { alarm in
      alarm.magnitude > 0 && !isOfEarlierSeries(alarm) && !acknowledgements.contains { $0.covers(alarm) }
    }
    .sorted { $0.magnitude > $1.magnitude }
  }

  private func isOfEarlierSeries(_ alarm: TrendAlarm) -> Bool {
    guard let last = nights.last, let earlier = nights.last(where: { !$0.isComparable(with: last) }) else {
      return false
    }
    return alarm.firstTime <= earlier.time
  }

  private func state(of alarm: TrendAlarm) -> String {
    if let known = acknowledgements.first(where: { $0.covers(alarm) }) { return "acknowledged: \(known.note)" }
    if alarm.magnitude <= 0 { return "improvement" }
    return isOfEarlierSeries(alarm) ? "of an earlier series" : "open"
  }

  /// `trend.md`.
  public var text: String { MarkdownReport.text(of: sections) }

  /// `trend.html`.
  public var page: String { HTMLReport.text(of: sections) }

  /// The open alarms in one line.
  public var headline: String {
    let open = openAlarms
    guard let first = open.first else { return "NO OPEN ALARM in \(Quantity.count(nights.count, of: "night"))" }
    let more = open.count > 1 ? ", and \(Quantity.count(open.count - 1)) more" : ""
    return "\(Quantity.count(open.count, of: "OPEN ALARM")): \(first.figure.text) \(Self.change(first)) between "
      + "\(first.lastCommit.prefix(12)) and \(first.firstCommit.prefix(12))\(more)"
  }

  /// The lines for a terminal.
  public var lines: [String] {
    [InertText.line(headline)]
      + openAlarms.map { alarm in
        InertText.line(
          "  \(alarm.figure.text)  \(Self.change(alarm))  \(alarm.lastCommit.prefix(12)) → "
            + "\(alarm.firstCommit.prefix(12))  since \(alarm.firstTime)"
        )
      }
  }

  private var sections: [ReportSection] {
    [verdict, alarmTable, courses, howToRead].compactMap { $0 }
  }

  private var verdict: ReportSection {
    var text: ReportText = "No night has been added yet."
    if let first = nights.first, let last = nights.last {
      let count = Quantity.count(nights.count, of: "night")
      let (commit, pinned) = (String(last.commit.prefix(12)), String(last.reference.prefix(12)))
      text = "\(count) from \(first.time) to \(last.time). The last one is \(code: commit) "
      text += "against the pinned build \(code: pinned)."
    }
    return ReportSection(anchor: "verdict", title: "\(headline)", blocks: [.paragraph([text])])
  }

  private var alarmTable: ReportSection? {
    guard !alarms.isEmpty else { return nil }
    var table = ReportTable([
      ("figure", .left), ("change", .right), ("last commit before", .left), ("first commit after", .left),
      ("since", .left), ("state", .left),
    ])
    for alarm in alarms.reversed() {
      table.append([
        .text(alarm.figure.text), .text(Self.change(alarm)), .code(String(alarm.lastCommit.prefix(12))),
        .code(String(alarm.firstCommit.prefix(12))), .text(alarm.firstTime), .text(state(of: alarm)),
      ])
    }
    return ReportSection(anchor: "alarms", title: "Alarms", blocks: [.table(table)])
  }

  private var courses: ReportSection? {
    let courses = Self.courses(of: nights)
    guard !courses.isEmpty else { return nil }
    return ReportSection(
      anchor: "courses",
      title: "Figures",
      blocks: [.figure(TrendFigure.figure(courses, of: nights, alarms: alarms)), .table(table(of: courses))]
    )
  }

  private func table(of courses: [Course]) -> ReportTable {
    var table = ReportTable([
      ("figure", .left), ("last night", .right), ("against the pinned build", .right), ("lowest", .right),
      ("highest", .right), ("nights", .right),
    ])
    for course in courses {
      let effects = course.nights.map(\.effect)
      table.append([
        .text(course.figure.name.text), .text(course.figure.unit.text(course.figure.head)),
        .text(Self.percent(effects.last ?? 0)), .text(Self.percent(effects.min() ?? 0)),
        .text(Self.percent(effects.max() ?? 0)), .text(String(effects.count)),
      ])
    }
    return table
  }

  /// Returns the primary figures of the last night with all of their nights, in the order of that night's figures.
  static func courses(of nights: [Night]) -> [Course] {
    (nights.last?.figures ?? []).filter { $0.role == .primary }.map { figure in
      Course(
        figure: figure,
        nights: nights.enumerated().compactMap { index, night in
          night.effect(of: figure.name).map { (index, $0) }
        }
      )
    }
  }

  private var howToRead: ReportSection {
    ReportSection(
      anchor: "how-to-read",
      title: "How to read this",
      blocks: [
        .list([
          "Each night is one comparison with the pinned build. Positive changes are worse, for throughput as well.",
          "An alarm is a change of level: E-divisive on ranks, with a permutation test at 1 %. It needs five nights "
            + "before it and six behind it, and stays as it is when nights are added.",
          "An alarm is open until the change is acknowledged: \(code: "yapbench history acknowledge"). Another pinned "
            + "build, other settings or another machine begin a new series, which ends the alarms of the earlier one.",
        ])
      ]
    )
  }

  private static func change(_ alarm: TrendAlarm) -> String { percent(alarm.magnitude) }

  /// Returns an effect in percent, such as `+7.12 %`. The effect is a logarithm, positive if the figure got worse.
  package static func percent(_ effect: Double) -> String {
    let percent = 100 * (exp(effect) - 1)
    return (percent > 0 ? "+" : "") + Quantity.threeDigits(percent) + " %"
  }
}
