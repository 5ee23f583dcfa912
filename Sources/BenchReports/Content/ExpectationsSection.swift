internal import BenchResults

/// The expectations of one run with their measured values, and their distances from the limits.
enum ExpectationsSection {
  static func section(of result: RunResult) -> ReportSection {
    func section(_ blocks: [ReportBlock]) -> ReportSection {
      ReportSection(anchor: "expectations", title: "Expectations", blocks: blocks, isLead: true)
    }
    guard !result.expectations.isEmpty else {
      return section([.paragraph(["The scenario has no expectations: this run only measures."])])
    }
    var table = ReportTable(names: ["", "expected"], numbers: ["measured", "limit", "margin"])
    for expectation in result.expectations {
      let state = result.state(of: expectation)
      table.append([
        state.text, .code(expectation.source), .text(expectation.measured), .text(expectation.limit),
        margin(of: expectation, tone: state.tone),
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

  /// Returns the distance from the limit, with a bar of the measured value as a share of the limit.
  private static func margin(of expectation: ExpectationResult, tone: ReportSection.Tone) -> ReportText {
    let text = ReportText.text(expectation.marginText)
    guard let distance = expectation.distanceFromLimit, distance >= -1, expectation.limitValue ?? 0 > 0,
      expectation.comparison != .equal
    else { return text }
    return text + .gauge(1 + distance, tone)
  }
}
