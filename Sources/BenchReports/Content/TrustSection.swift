internal import BenchResults
internal import LatencyMetrics

/// The costs and the errors of the harness.
enum TrustSection {
  static func section(of result: RunResult) -> ReportSection {
    let harness = result.harness
    let cost: ReportText =
      "The harness costs \(Quantity.duration(nanoseconds: harness.nullOperationNanoseconds)) per operation (measured "
      + "with a driver that does nothing), \(Quantity.duration(nanoseconds: harness.clockNanoseconds)) per reading of "
      + "the clock and \(Quantity.duration(nanoseconds: harness.recordingNanoseconds)) per recording of a "
      + "transaction's times"
      + (harness.lookingShare.map { "; sampling took \(Quantity.percent($0)) of one core" } ?? "")
      + "; other guests of the host took \(Quantity.percent(harness.stealShare)) of the time (steal)."
    var blocks: [ReportBlock] =
      result.phases.isEmpty
      ? [.paragraph(["No phase ran, so there are no figures to judge.", cost])]
      : Self.blocks(
        signs: harness.distrust.map(ReportText.text),
        isInvalid: result.isInvalid,
        none: "No sign of measurement error.",
        cost: cost
      )
    if let disturbed = DisturbedPercentiles(in: [result]) {
      let explanation: ReportText =
        "Each of these times may lie anywhere between both values. An expectation is judged if it holds, or fails, in "
        + "the whole range."
      blocks += [.table(disturbed.table), .explanation([explanation])]
    }
    if result.phases.contains(where: { !$0.actors.isEmpty }) {
      let remark: ReportText =
        "Late: the delay with which a free worker started an arrival, which is an error of the generator. Checks: the "
        + "share of the working time in which workers compared the values read with the expected ones. If "
        + "checking all transactions would take more than a twelfth of the transactions' time, some are not checked."
      blocks += [.table(generators(of: result.phases)), .explanation([remark])]
    }
    return ReportSection(
      anchor: "trust",
      title: "Measurement quality",
      blocks: blocks,
      folded: harness.distrust.isEmpty && !result.phases.isEmpty ? "no sign of measurement error" : nil
    )
  }

  /// Returns the signs of measurement error, and the cost of the harness.
  /// - Parameters:
  ///   - isInvalid: Whether they make the measurement invalid.
  ///   - none: The text if there is no sign.
  static func blocks(signs: [ReportText], isInvalid: Bool, none: ReportText, cost: ReportText) -> [ReportBlock] {
    guard !signs.isEmpty else { return [.paragraph([none, cost])] }
    let title: ReportText =
      isInvalid ? "Signs of measurement error:" : "Disturbances, in spite of which there is a verdict:"
    return [.paragraph(["\(strong: title)"]), .list(signs), .paragraph([cost])]
  }

  private static func generators(of phases: [PhaseResult]) -> ReportTable {
    var table = ReportTable(
      names: ["phase", "actor"],
      numbers: ["due", "started", "% started", "dropped", "late p50", "late p99", "late max", "checks"]
    )
    for phase in phases {
      for actor in phase.actors {
        let lateness = actor.lateness
        let due = actor.load == .closed ? "closed" : actor.dueArrivals.map(Quantity.count) ?? Quantity.missing
        let share = actor.dueArrivals.map { Quantity.percent(Double(actor.begunArrivals), of: Double($0)) }
        table.append([
          .code(phase.name), .code(actor.name), .text(due), .count(actor.begunArrivals),
          .text(share ?? Quantity.missing), .text(actor.droppedText), .duration(lateness.value(at: .p50)),
          .duration(lateness.value(at: .p99)), .duration(lateness.isEmpty ? nil : lateness.maximum),
          .percent(actor.checkingShare),
        ])
      }
    }
    return table
  }
}

/// The limitations of a run's figures.
enum LimitsSection {
  /// - Parameter spread: The sentence about the spread of the figures.
  static func section(
    of result: RunResult,
    spread: ReportText = "A single run shows no spread: comparing commits requires repeated, interleaved runs."
  ) -> ReportSection {
    var lines: [ReportText] = [
      spread,
      "The WAL, the pins and the memory are sampled every "
        + "\(Quantity.duration(nanoseconds: result.samplingNanoseconds)); peaks between two samples are not recorded.",
      "Data in the operating system's cache is read without the disk.",
      "Not tested: a loss of power, other machines and other file systems.",
    ]
    if result.phases.contains(where: { $0.actors.contains { $0.load == .closed } }) {
      lines.append("A closed load slows down with the engine, so a stall affects few of its samples.")
    }
    if result.environment.buildMode != "release" {
      lines.append("This was not a release build: its speed is meaningless.")
    }
    if result.environment.hasUncommittedChanges {
      lines.append("The checkout had uncommitted changes: the commit does not identify the code that ran.")
    }
    if let problem = result.environment.commitProblem {
      lines.append("The commit is not known, so the report does not identify the code that ran: \(problem).")
    }
    return ReportSection(anchor: "limits", title: "Limitations", blocks: [.list(lines)], folded: "")
  }
}
