package import BenchResults
internal import HarnessPrimitives

/// The report of a history: all alarms, then the course of each primary figure.
package struct HistoryReport: WrittenReport {
  /// A figure in all nights of one series that have it, with its change in percent.
  struct Course {
    /// The figure in the last night of its series.
    var figure: Night.Figure
    var seriesIndex: Int
    var changes: [(index: Int, percent: Double)]
  }

  let nights: [Night]
  let series: [NightSeries]
  let alarms: [TrendAlarm]
  let acknowledgements: [Acknowledgement]

  /// - Parameter nights: the oldest first.
  package init(nights: [Night], alarms: [TrendAlarm], acknowledgements: [Acknowledgement]) {
    self.nights = nights
    series = NightSeries.all(of: nights)
    self.alarms = alarms
    self.acknowledgements = acknowledgements
  }

  /// The open alarms in one line.
  package var headline: String {
    let open = openAlarms
    guard let first = open.first else { return "NO OPEN ALARM in \(searchedNights)" }
    let more = open.count > 1 ? ", and \(Quantity.count(open.count - 1)) more" : ""
    return "\(Quantity.count(open.count, of: "OPEN ALARM")) in \(searchedNights): \(first.figure.text) "
      + "\(change(first)) between \(first.lastCommit.prefix(12)) and \(first.firstCommit.prefix(12))\(more)"
  }

  /// The lines for a terminal.
  package var lines: [String] { [InertText.line(headline)] + lines(of: openAlarms) }

  /// Returns a line for each alarm.
  package func lines(of alarms: [TrendAlarm]) -> [String] {
    alarms.map { alarm in
      let place = series.count > 1 ? seriesIndex(of: alarm).map { "  series \($0 + 1)" } ?? "" : ""
      var end = ""
      if case .open(let time?) = state(of: alarm) { end = "  returned since \(time)" }
      return InertText.line(
        "  \(alarm.figure.text)  \(change(alarm))  \(alarm.lastCommit.prefix(12)) → "
          + "\(alarm.firstCommit.prefix(12))  since \(alarm.firstTime)\(place)\(end)"
      )
    }
  }

  var sections: [ReportSection] {
    [verdict, alarmTable, seriesTable, courses, howToRead].compactMap { $0 }
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

  /// nil without alarms.
  var alarmTable: ReportSection? {
    guard !alarms.isEmpty else { return nil }
    var table = ReportTable([
      ("figure", .left), ("change", .right), ("series", .right), ("last commit before", .left),
      ("first commit after", .left), ("since", .left), ("state", .left),
    ])
    for alarm in alarms.reversed() {
      table.append([
        .text(alarm.figure.text), .text(change(alarm)),
        .text(seriesIndex(of: alarm).map { String($0 + 1) } ?? Quantity.missing),
        .code(String(alarm.lastCommit.prefix(12))), .code(String(alarm.firstCommit.prefix(12))), .text(alarm.firstTime),
        .text(state(of: alarm).text),
      ])
    }
    return ReportSection(anchor: "alarms", title: "Alarms", blocks: [.table(table)])
  }

  /// The series, if there are several.
  private var seriesTable: ReportSection? {
    guard series.count > 1 else { return nil }
    var table = ReportTable([
      ("series", .right), ("pinned build", .left), ("machine", .left), ("settings", .left), ("nights", .right),
      ("first", .left), ("last", .left), ("searched", .left),
    ])
    for (index, series) in series.enumerated() {
      let last = series.last
      let machine = [
        last.machine.cpu, Quantity.count(last.machine.coreCount, of: "core"), last.machine.processorLimits?.text,
        FigureUnit.bytes.text(Double(last.machine.memoryBytes)), last.machine.fileSystem,
      ]
      table.append([
        .text(String(index + 1)), .code(String(last.reference.prefix(12))),
        .text(machine.compactMap { $0 }.joined(separator: ", ")),
        .text(last.settings.isEmpty ? Quantity.missing : last.settings.joined(separator: " ")),
        .text(String(series.nights.count)), .text(series.nights[0].time), .text(last.time),
        .text(series.isSearched ? "yes" : "no: too few nights"),
      ])
    }
    return ReportSection(anchor: "series", title: "Series", blocks: [.table(table)])
  }

  private var courses: ReportSection? {
    let courses = Self.courses(of: series, in: nights)
    guard !courses.isEmpty else { return nil }
    return ReportSection(
      anchor: "courses",
      title: "Figures",
      blocks: [.drawings(TrendChart.drawings(courses, of: self)), .table(table(of: courses))]
    )
  }

  private func table(of courses: [Course]) -> ReportTable {
    var table = ReportTable(
      names: ["figure"],
      numbers: ["series", "last night", "against the pinned build", "lowest", "highest", "nights"]
    )
    for course in courses {
      let percents = course.changes.map(\.percent)
      table.append([
        .text(course.figure.name.text), .text(String(course.seriesIndex + 1)),
        .text(course.figure.unit.text(course.figure.head)), .text(course.figure.changeText),
        .text(percents.min().map(Quantity.change) ?? Quantity.missing),
        .text(percents.max().map(Quantity.change) ?? Quantity.missing), .text(String(percents.count)),
      ])
    }
    return table
  }

  /// Returns the primary figures of the last night of each series with all of its nights, in the order of their names
  /// and series.
  static func courses(of series: [NightSeries], in nights: [Night]) -> [Course] {
    let courses = series.enumerated().flatMap { number, series in
      let indices = nights.indices.filter { series.contains(nights[$0]) }
      return series.last.figures.filter { $0.role == .primary }.map { figure in
        Course(
          figure: figure,
          seriesIndex: number,
          changes: indices.compactMap { index in
            nights[index].effect(of: figure.name).map { (index, PercentInterval.percent($0, figure.better)) }
          }
        )
      }
    }
    return courses.sorted { ($0.figure.name, $0.seriesIndex) < ($1.figure.name, $1.seriesIndex) }
  }

  private var howToRead: ReportSection {
    .howToRead([
      "Each night is one comparison with the pinned build. A change is that of the figure itself, as "
        + "\(code: "yapbench compare") prints it: a lower throughput is a negative one.",
      "Nights with the same pinned build, machine and settings form a series. A night that differs belongs to "
        + "another series, and does not interrupt this one. Each series with at least "
        + "\(String(TrendAlarm.nightsBefore + TrendAlarm.nightsSince)) nights is searched.",
      "An alarm is a change of level that neither chance nor the correlation of neighbouring nights explains, "
        + "each tested at 1 %. It needs \(String(TrendAlarm.nightsBefore)) nights before the change and "
        + "\(String(TrendAlarm.nightsSince)) since, and stays as it is when nights are added.",
      "An alarm is open until the change is acknowledged: \(code: "yapbench history acknowledge"), or until two "
        + "nights in a row on its machine compare with another pinned build.",
    ])
  }
}

extension HistoryReport {
  /// Writes `trend.md` and `trend.html` beside the file of the history.
  /// - Returns: the path of the page.
  package func write(beside history: String) throws -> String {
    let folder = PathParts(history).folder
    try write(as: "trend", in: folder)
    return folder + "/trend.html"
  }
}

extension Night.Figure {
  /// The change of the figure itself, such as `+7.12 %`; `from 0` or `to 0` if a side is 0.
  package var changeText: String { ChangeText.text(changePercent, base: base, head: head) }
}
