package import BenchResults
internal import Foundation
internal import HarnessPrimitives

/// The report of a night: the verdict in one line, every step, and the changes of both comparisons.
package struct NightReport: WrittenReport {
  let summary: NightSummary
  let outcomes: [NightSummary.Part: ComparisonOutcome]
  package let exitCode: ExitStatus

  /// - Parameters:
  ///   - outcomes: The results of the completed comparisons.
  ///   - exitCode: The exit code of the whole night.
  package init(_ summary: NightSummary, outcomes: [NightSummary.Part: ComparisonOutcome], exitCode: ExitStatus) {
    self.summary = summary
    self.outcomes = outcomes
    self.exitCode = exitCode
  }

  /// One line: the verdict with its reason, or with counts if nothing failed; the first step with each less severe
  /// result; the place at which an unfinished night is; and what was left out, with the reasons.
  package var headline: String {
    ([verdictText] + lesser + [place].compactMap { $0 } + omissions).joined(separator: "; ")
  }

  private var verdictText: String {
    let causes = summary.steps.filter { step in
      step.part.decides && step.exitCode == exitCode
    }
    guard exitCode != .passed, let first = causes.first else { return "\(word): \(counts)" }
    let name = Self.title(of: first)
    let more = causes.count > 1 ? ", and \(Quantity.count(causes.count - 1, of: "step")) more" : ""
    return "\(word): \(name): \(first.headline)\(more)"
  }

  private var lesser: [String] {
    let failed = summary.steps.filter { step in
      step.part.decides && step.exitCode.map { $0 != .passed && $0 != exitCode } ?? false
    }
    return failed.compactMap(\.exitCode).withoutDuplicates.compactMap { code in
      failed.first { $0.exitCode == code }.map { "\(Self.title(of: $0)): \($0.headline)" }
    }
  }

  /// The first word of the headline.
  var word: String {
    switch exitCode {
    case .passed: outcomes.isEmpty ? "NOTHING COMPARED" : "NO REGRESSION"
    case .interrupted where !summary.isComplete: "UNFINISHED"
    default: exitCode.word
    }
  }

  /// A night that compared nothing is not good, even if all of its steps passed.
  var tone: ReportSection.Tone { exitCode == .passed && outcomes.isEmpty ? .doubtful : exitCode.tone }

  /// nil for a complete night.
  private var place: String? {
    guard !summary.isComplete, let last = summary.steps.last else { return nil }
    return "\(last.isOver ? "the last step was" : "running") \(Self.title(of: last))"
  }

  /// The parts that the night has left out, with the reasons. Reasons that differ only in numbers are one.
  private var omissions: [String] {
    let scenarios = summary.steps.filter { $0.part == .suite }
    let left = scenarios.filter(\.isSkipped)
    let reasons = AlikeTexts.groups(of: left.map(\.headline)).map(\.text).joined(separator: ", ")
    let suite =
      left.isEmpty
      ? [] : ["\(left.count) of \(Quantity.count(scenarios.count, of: "scenario")) not run: \(reasons)"]
    return suite
      + summary.steps.filter { $0.isSkipped && [.pinned, .last].contains($0.part) }.map {
        "not compared \(Self.title(of: $0)): \($0.headline)"
      }
  }

  private var counts: String {
    let made = summary.steps.filter { !$0.isSkipped }
    let suite = made.count { $0.part == .suite }
    let compared = outcomes.values.reduce(0) { $0 + $1.figures.count(where: \.decides) }
    return "\(Quantity.count(suite, of: "scenario")) passed, \(Quantity.count(compared, of: "figure")) compared"
  }

  var sections: [ReportSection] {
    [verdict, steps] + [NightSummary.Part.pinned, .last].compactMap(changes) + [repetition]
  }

  private var verdict: ReportSection {
    let build = summary.commit.map { "commit \($0.prefix(12))" } ?? "executable \(summary.sha256.prefix(12))"
    let minutes = Quantity.duration(nanoseconds: summary.usedSeconds * 1e9)
    let budget = Quantity.duration(nanoseconds: summary.budgetSeconds * 1e9)
    return ReportSection(
      anchor: "verdict",
      title: "\(headline)",
      tone: tone,
      blocks: [
        .paragraph([
          "The night that began at \(summary.startedAt), of \(build): \(minutes) of a budget of \(budget), exit code "
            + "\(String(exitCode.rawValue))."
        ])
      ]
    )
  }

  private var steps: ReportSection {
    var table = ReportTable(names: ["step", "result"], numbers: ["exit", "time"])
    for step in summary.steps {
      let time = step.isSkipped ? Quantity.missing : Quantity.duration(nanoseconds: step.seconds * 1e9)
      let title: ReportText = .text(Self.title(of: step))
      let page = page(of: step)
      table.append([
        page.map { .report(title, path: $0) } ?? title,
        step.isSkipped ? "skipped: \(step.headline)" : .text(step.headline),
        .text(step.exitCode.map { String($0.rawValue) } ?? Quantity.missing), .text(time),
      ])
    }
    return ReportSection(anchor: "steps", title: "Steps", blocks: [.table(table)])
  }

  private static func title(of step: NightSummary.Step) -> String {
    switch step.part {
    case .suite: step.scenario
    case .pinned: "against the pinned build"
    case .history: "history"
    case .trend: "trend"
    case .last: "against the last night"
    case .calibration: "the build against itself (\(step.scenario))"
    case .bisection: "search for the commit"
    }
  }

  /// Returns the path of the step's page without its extension; nil for a step without a page.
  private func page(of step: NightSummary.Step) -> String? {
    switch step.part {
    case .pinned, .last: outcomes[step.part].map { _ in "\(step.part.rawValue)/compare" }
    case .calibration: step.exitCode == .passed ? "calibration/compare" : nil
    case .trend: step.isSkipped ? nil : "../trend"
    case .suite: step.page
    case .history, .bisection: nil
    }
  }

  private func changes(_ part: NightSummary.Part) -> ReportSection? {
    guard let outcome = outcomes[part], let table = ComparisonReport(outcome, command: "").changesTable else {
      return nil
    }
    let title: ReportText = part == .pinned ? "Changes since the pinned build" : "Changes since the last night"
    return ReportSection(anchor: part.rawValue, title: title, blocks: [.table(table)])
  }

  private var repetition: ReportSection {
    let made = summary.steps.filter { !$0.arguments.isEmpty }
    let commands = made.map { (["yapbench"] + $0.arguments).map(ShellWord.quoted).joined(separator: " ") }
    return .repetition([.paragraph(["Each step is a separate command:"])] + commands.map(ReportBlock.command))
  }
}

extension NightReport {
  /// Writes `summary.md`, `summary.html`, `junit.xml` and two files for github-action-benchmark.
  package func write(in folder: String) throws {
    let exports =
      try NightExport.gitHubActionBenchmark(of: self)
      + [ExportFormat.File(name: "junit.xml", text: NightExport.junit(of: self))]
    try write(as: "summary", in: folder)
    for file in exports { try OutputFile.replace(Data(file.text.utf8), at: "\(folder)/\(file.name)") }
  }
}

extension NightSummary {
  /// Replaces `night.json`.
  package func write(in folder: String) throws {
    try OutputFile.replace(StableJSON.document(self), at: "\(folder)/night.json")
  }
}
