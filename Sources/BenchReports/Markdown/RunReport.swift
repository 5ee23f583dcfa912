internal import BenchModel

/// `report.md`: what people read first. The answer stands in its first line, what backs it below, and what it cannot
/// say near the end.
struct RunReport {
  let result: RunResult
  let picture: PictureOutcome
  var pictureName = RunPicture.fileName
  /// Repeats the run.
  let command: String
  /// Where the tables lie, seen from the report.
  var tableFolder = ""

  var text: String {
    let sections = [
      verdict, story, expectations, pictureSection, latencies, events, blame, checkpoints, invariants, trust,
      environment,
      notes, limits, repetition,
    ]
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  /// What was run, in two sentences.
  private var story: [String] {
    let phases = result.phases.map { phase in
      var text = "\(InertText.code(phase.name)) \(Quantity.duration(nanoseconds: phase.durationNanoseconds))"
      if let condition = phase.condition { text += " until \(InertText.code(condition))" }
      switch phase.end {
      case .reached: break
      case .notReached: text += ", **which did not come**"
      case .cutShort: text += ", **cut short**"
      }
      return text + (phase.isRecorded ? "" : " (not recorded)")
    }
    let summary = InertText.markdown(result.summary.isEmpty ? "A scenario without a summary." : result.summary)
    let variant = result.variant.map { " (\(InertText.code($0)))" } ?? ""
    let title = "**\(InertText.markdown(result.scenario))**\(variant): \(summary)"
    let start =
      "\(InertText.markdown(result.startedAt)) on driver \(InertText.code(result.driver)) with seed \(result.seed)"
    if phases.isEmpty { return [title, "It began at \(start), and ended before its first phase."] }
    return [
      title,
      "It ran for \(Quantity.duration(nanoseconds: result.endNanoseconds)) from \(start), in "
        + "\(Quantity.count(result.phases.count, of: "phase")): \(phases.joined(separator: "; ")).",
    ]
  }

  private var expectations: [String] {
    guard !result.expectations.isEmpty else {
      return ["## Expectations", "", "The scenario expects nothing: this run measures and does not judge."]
    }
    var table = MarkdownTable([("", .left), ("expected", .left), ("measured", .right)])
    for expectation in result.expectations {
      let state = result.state(of: expectation)
      table.append([
        state == "FAILED" ? "**FAILED**" : state, InertText.code(expectation.source),
        InertText.markdown(expectation.measured),
      ])
    }
    var remarks: [String] = []
    if result.isSmoke { remarks.append("A smoke run shows expectations and does not judge by them.") }
    if result.isPartial {
      remarks.append(
        "Those of a phase that was cut short are held against what it came to; those of one that did not begin are "
          + "open."
      )
    }
    return ["## Expectations", ""] + table.lines + (remarks.isEmpty ? [] : [""] + remarks)
  }

  private var pictureSection: [String] {
    let heading = ["## WAL and latency over time", ""]
    switch picture {
    case .drawn:
      let text =
        "Above, the size of the WAL and what of it is not in the database yet; between, the events, if there are any, "
        + "who held the WAL and the checkpoint attempts; below, latency by the second on a logarithmic axis. "
        + "Pale phases were not recorded."
      return heading + ["![WAL size and latency over time](\(pictureName))", "", text]
    case .missing(let reason):
      let data = result.samples.isEmpty ? "" : " Its data is in `timeseries.csv`."
      return heading + ["There is no picture: \(InertText.markdown(reason)).\(data)"]
    }
  }

  private var notes: [String] {
    result.notes.isEmpty ? [] : ["## Notes", ""] + result.notes.map { "- " + InertText.markdown($0) }
  }

  private var repetition: [String] {
    [
      "## Repeat it", "",
      "In the project's folder; this run's `scenario.yaml` has every override of it written in:", "",
      "```sh", command, "```", "",
      "The figures themselves: `\(tableFolder)summary.csv` (every percentile), `\(tableFolder)timeseries.csv` (base "
        + "units: seconds, bytes), `\(tableFolder)pins.csv`, `\(tableFolder)checkpoints.csv`, and "
        + "`\(tableFolder)run.json` (everything)"
        + (tableFolder.isEmpty ? "." : "; this run is \(InertText.code(result.runID)) there."),
    ]
  }
}
