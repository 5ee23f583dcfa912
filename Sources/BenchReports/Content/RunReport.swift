internal import BenchResults

/// The report of one run: the verdict in the first line, then the figures, and their limitations near the end.
struct RunReport {
  let result: RunResult
  /// The name of the picture's file, which is in the folder of the report.
  var pictureName = TimelineFigure.fileName
  /// The command that repeats the run.
  let command: String
  /// The path of the tables' folder, relative to the report.
  var tableFolder = ""

  /// A link to the page of all runs; nil if this is the only planned run.
  var back: HTMLReport.Link? {
    tableFolder.isEmpty
      ? nil : HTMLReport.Link(text: "All runs of the scenario together", path: tableFolder + "report.html")
  }

  var sections: [ReportSection] {
    let sections: [ReportSection?] = [
      verdict, course, expectations, timeline, LatencySection.section(of: result), CommitsSection.section(of: result),
      EventsSection.section(of: result), WALSection.section(of: result), WritesSection.section(of: result),
      CachesSection.section(of: result), CheckpointsSection.section(of: result), MemorySection.section(of: result),
      InvariantsSection.section(of: result), TrustSection.section(of: result), EnvironmentSection.section(of: result),
      notes, LimitsSection.section(of: result), repetition,
    ]
    return sections.compactMap { $0 }
  }

  private var verdict: ReportSection {
    var remarks: [ReportText] = []
    if result.isSmoke { remarks.append(VerdictResult.smokeRemark) }
    if result.isPartial {
      remarks.append("\(strong: "Partial: the run ended early; the report covers the time until then.")")
    }
    if let dropped = DroppedArrivals(in: [result]) { remarks.append("\(strong: .text(dropped.headline)).") }
    if let excess = result.walExcess { remarks.append("\(strong: .text(excess.headline)).") }
    return result.verdict.section(remarks)
  }

  /// The scenario and the course of the run.
  private var course: ReportSection {
    let phases = result.phases.map { phase in
      var text: ReportText = "\(code: phase.name) \(Quantity.duration(nanoseconds: phase.durationNanoseconds))"
      if let condition = phase.condition { text += " until \(code: condition)" }
      switch phase.end {
      case .reached: break
      case .notReached: text += ", \(strong: "timed out: condition not reached")"
      case .cutShort: text += ", \(strong: "cut short")"
      }
      return text + (phase.isRecorded ? "" : " (not recorded)")
    }
    let variant = result.variant.map { " (\(code: $0))" as ReportText } ?? ""
    let summary = result.summary.isEmpty ? "A scenario without a summary." : result.summary
    let title: ReportText = "\(strong: .text(result.scenario))\(variant): \(summary)"
    let start: ReportText = "\(result.startedAt) on driver \(code: result.driver) with seed \(String(result.seed))"
    let times: ReportText =
      phases.isEmpty
      ? "Started at \(start), and ended before its first phase."
      : "Ran for \(Quantity.duration(nanoseconds: result.endNanoseconds)) from \(start), in "
        + "\(Quantity.count(result.phases.count, of: "phase")): \(phases.joined(separator: "; "))."
    return ReportSection(anchor: "what-was-run", title: nil, blocks: [.paragraph([title, times])])
  }

  private var expectations: ReportSection {
    func section(_ blocks: [ReportBlock]) -> ReportSection {
      ReportSection(anchor: "expectations", title: "Expectations", blocks: blocks)
    }
    guard !result.expectations.isEmpty else {
      return section([.paragraph(["The scenario has no expectations: this run only measures."])])
    }
    var table = ReportTable([
      ("", .left), ("expected", .left), ("measured", .right), ("limit", .right), ("margin", .right),
    ])
    for expectation in result.expectations {
      table.append([
        result.state(of: expectation).text, .code(expectation.source), .text(expectation.measured),
        .text(expectation.limit), .text(expectation.marginText),
      ])
    }
    var remarks: [ReportText] = []
    if result.isSmoke { remarks.append("In a smoke run, expectations do not affect the verdict.") }
    if result.isPartial {
      remarks.append(
        "Expectations of a phase that was cut short are evaluated on the part that ran; those without a measured value "
          + "are open."
      )
    }
    return section([.table(table)] + (remarks.isEmpty ? [] : [.paragraph(remarks)]))
  }

  private var timeline: ReportSection {
    let figure = TimelineFigure.figure(result, fileName: pictureName)
    return ReportSection(
      anchor: "timeline",
      title: "WAL and latency over time",
      blocks: [figure.map { .figure($0) } ?? .paragraph(["No WAL, event, checkpoint or latency was recorded."])]
    )
  }

  private var notes: ReportSection? {
    guard !result.notes.isEmpty else { return nil }
    return ReportSection(anchor: "notes", title: "Notes", blocks: [.list(result.notes.map(ReportText.text))])
  }

  private var repetition: ReportSection {
    func file(_ name: String) -> ReportText { .code(tableFolder + name) }
    let files: ReportText =
      "The figures are in \(file("summary.csv")) (percentiles of all phases), \(file("timeseries.csv")) "
      + "(base units: seconds, bytes), \(file("pins.csv")), \(file("checkpoints.csv")), and "
      + "\(file("run.json")) (everything)"
      + (tableFolder.isEmpty ? "." : "; this run is \(code: result.runID) there.")
    let instruction: ReportText =
      "Run this in the project's folder; this run's \(code: "scenario.yaml") includes its overrides:"
    return ReportSection(
      anchor: "repeat",
      title: "Repeat it",
      blocks: [.paragraph([instruction]), .command(command), .paragraph([files])]
    )
  }
}
