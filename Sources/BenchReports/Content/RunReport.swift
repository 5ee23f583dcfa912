internal import BenchResults

/// The report of one run: the verdict in the first line, then the figures, and their limitations near the end.
struct RunReport {
  let result: RunResult
  /// The name of the picture's file, which is in the folder of the report.
  var pictureName = TimelineChart.fileName
  /// The command that repeats the run.
  let command: String
  var files = RunFiles()
  /// The intervals from the log of latencies, or the reason why it cannot be read; nil for a run without a log.
  var latencies: Result<LatencyIntervals, ReportError>?
  /// Whether other runs were planned. The page of all runs is then in the folder above this report.
  var isOneOfSeveral = false
  /// The figures of `show`.
  var shownFigures: [FigureID] = []
  /// The comparison with earlier runs; nil for none.
  var againstEarlierRuns: ReportSection?

  var links: [HTMLReport.Link] {
    let back = HTMLReport.Link(text: "All runs of this scenario together", path: "../report.html")
    return (isOneOfSeveral ? [back] : []) + files.links
  }

  var sections: [ReportSection] {
    let sections: [ReportSection?] = [
      verdict, course, figures, againstEarlierRuns, ExpectationsSection.section(of: result), timeline,
      PhasesSection.section(of: result), LatencySection.section(of: result), CommitsSection.section(of: result),
      EventsSection.section(of: result),
      StorageSection.section(of: result) ?? WALSection.section(of: result), WritesSection.section(of: result),
      CachesSection.section(of: result), CheckpointsSection.section(of: result), LoadSection.section(of: result),
      MemorySection.section(of: result), InvariantsSection.section(of: result), TrustSection.section(of: result),
      EnvironmentSection.section(of: result), .notes(result.notes), LimitsSection.section(of: result), repetition,
    ]
    return sections.compactMap { $0 }
  }

  private var figures: ReportSection? {
    FiguresSection.section(of: result, shown: shownFigures, isOneOfSeveral ? EarlierRuns() : files.earlier)
  }

  private var verdict: ReportSection {
    let partial = result.isPartial ? "the run ended early; the report covers the time until then" : nil
    return result.verdict.section(of: [result], partial: partial, isOfSeveral: false)
  }

  /// The scenario and the course of the run.
  private var course: ReportSection {
    let phases = result.phases.map { phase in
      var text: ReportText = "\(code: phase.name) \(Quantity.duration(nanoseconds: phase.durationNanoseconds))"
      if let condition = phase.condition { text += " until \(code: condition)" }
      switch phase.end {
      case .reached: if let key = phase.endedBy { text += ", ended by \(code: key)" }
      case .notReached: text += ", \(strong: "timed out: condition not reached")"
      case .cutShort: text += ", \(strong: "cut short")"
      }
      text += "\(Quantity.clause(of: phase.endRates))"
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
        + result.buildText
    return ReportSection(anchor: "what-was-run", title: nil, blocks: [.paragraph([title, times])], isLead: true)
  }

  private var timeline: ReportSection {
    let timeline = TimelineChart.drawings(result, fileName: pictureName)
    return ReportSection(
      anchor: "timeline",
      title: "\(RunTimeline(result).storageSubject) and latency over time",
      blocks: [
        timeline.map { .drawings($0) } ?? .paragraph(["No WAL, event, checkpoint or latency was recorded."]),
        heatMap,
      ].compactMap { $0 }
    )
  }

  private var heatMap: ReportBlock? {
    switch latencies {
    case .success(let latencies): .drawings(LatencyHeatChart.drawings(latencies, of: result))
    case .failure(let error):
      .paragraph(["There is no heat map of the latencies: \(files.link(LatencyLogFile.name)): \(error.problem)."])
    case nil: nil
    }
  }

  private var repetition: ReportSection {
    files.repetition(
      by: command,
      tables: "\(files.link("summary.csv")) (percentiles of all phases)",
      end: isOneOfSeveral ? "; this run is \(code: result.runID) there." : "."
    )
  }
}
