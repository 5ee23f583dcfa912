import Foundation
import HarnessPrimitives
import Testing

@testable import BenchReports
@testable import BenchResults

@Suite("The headline of a comparison without a result for times") struct ComparisonHeadlineTests {
  private typealias Made = MadeUpComparison

  private let busy = "machine busy: other processes took 20 to 90 % of the processor time in run"

  /// A comparison of whose 80 pairs 72 were unusable.
  private func outcome(
    _ figures: [FigureResult],
    causes: [ExcludedFigures.Cause]? = nil,
    failures: [String] = [],
    exitCode: BenchResults.ExitStatus = .incomparable
  ) -> ComparisonOutcome {
    var outcome = Made.outcome(figures, failures: failures, exitCode: exitCode)
    outcome.excluded = ExcludedFigures(
      pairs: 80,
      unusablePairs: 72,
      causes: causes ?? [.init(busy, pairs: 74, times: 290)]
    )
    return outcome
  }

  /// A time with a pair or two, which has no interval.
  private var fewPairs: FigureResult {
    var figure = Made.figure("p50", .inconclusive)
    (figure.pairs, figure.interval95Percent, figure.interval90Percent) = (2, nil, nil)
    return figure
  }

  private func exact(
    _ metric: String,
    _ verdict: EffectVerdict,
    role: FigureRole = .count
  ) -> FigureResult {
    var figure = Made.figure(metric, verdict, role: role)
    figure.isExact = true
    figure.interval95Percent = nil
    return figure
  }

  private func report(_ outcome: ComparisonOutcome) -> ComparisonReport {
    ComparisonReport(outcome, command: "yapbench compare v1.2 .")
  }

  @Test func `no result is said first, with its cause, wherever the verdict stands`() throws {
    let outcome = outcome([fewPairs])
    let report = report(outcome)
    let title = "NO RESULT: 72 of 80 pairs were unusable: \(busy)"
    #expect(report.headline == "\(title) · 1 inconclusive")
    #expect(report.lines(exitCode: .incomparable)[0] == "\(title) · 1 inconclusive (exit 3)")
    #expect(report.text.hasPrefix("# \(title)\n"))
    #expect(report.comment.hasPrefix("# \(title)\n"))
    #expect(try XMLPage(html: report.page).texts(of: "h1") == [title])
    let document = try JSONDecoder().decode(ComparisonOutcome.self, from: report.document())
    #expect(document.verdict == report.headline)
    let night = NightReport(
      NightSummary(startedAt: "2026-01-31T02:00:00Z", budgetSeconds: 60, sha256: "1", commit: nil),
      outcomes: [.pinned: outcome],
      exitCode: .incomparable
    )
    var summary = night.summary
    summary.steps = [NightSummary.Step(part: .pinned, arguments: ["compare"])]
    let text = NightExport.junit(of: NightReport(summary, outcomes: [.pinned: outcome], exitCode: .incomparable))
    #expect(text.contains("name=\"times\" time=\"0.000\"><error type=\"no result\" message=\"\(title)\">"))
  }

  @Test func `the command that adds pairs is named if pairs were unusable`() {
    let needed = report(outcome([fewPairs]))
    #expect(needed.lines(exitCode: .incomparable)[1].hasSuffix("machine is less busy: yapbench compare v1.2 ."))
    #expect(needed.comment.contains("**To add pairs** when the machine is less busy, repeat the command: `yapbench"))
    let failed = Made.outcome([], failures: ["commits, head: exit code 3"], exitCode: .incomparable)
    #expect(!report(failed).comment.contains("To add pairs"))
    #expect(!report(outcome([Made.figure("p50", .unchanged)])).comment.contains("To add pairs"))
  }

  @Test func `the trust section counts what was left out, with a line for each cause`() {
    let saturated = "generator saturated: run/write started 50 to 90 of 200 arrivals"
    let causes = [ExcludedFigures.Cause(busy, pairs: 70, times: 280), .init(saturated, pairs: 1, times: nil)]
    let report = report(outcome([fewPairs], causes: causes))
    #expect(report.comment.contains("- Excluded: 280 times of 70 pairs: \(busy).\n"))
    #expect(report.comment.contains("- Excluded: 1 pair with all figures: \(saturated).\n"))
    #expect(report.headline.hasPrefix("NO RESULT: 72 of 80 pairs were unusable: \(busy) (and 1 other cause)"))
  }

  @Test func `a verdict by counts or instructions says so, and that times have none`() {
    let cause = "no result for times: 72 of 80 pairs were unusable: \(busy)"
    let unchanged = [exact("syncs", .unchanged), fewPairs]
    #expect(report(outcome(unchanged)).text.hasPrefix("# UNCHANGED by counts; \(cause)\n"))
    let instructions = exact("instructions", .improved, role: .instructions)
    #expect(report(outcome([instructions])).headline.contains("IMPROVED by instructions: 1 of 1 figures changed"))
    #expect(report(outcome([instructions])).headline.contains("; \(cause)"))
    #expect(
      report(outcome(unchanged + [exact("instructions", .changedSmall, role: .instructions)])).headline
        .hasPrefix("SMALL CHANGES by instructions and counts; \(cause)")
    )
    #expect(
      report(outcome([exact("instructions", .inconclusive, role: .instructions)])).headline
        .hasPrefix("NO CHANGE FOUND by instructions; \(cause)")
    )
  }

  @Test func `a regression stays first, and the unusable pairs follow`() {
    let headline = report(outcome([exact("syncs", .regressed), fewPairs], exitCode: .regressed)).headline
    #expect(headline.hasPrefix("REGRESSED by counts: 1 of 2 figures changed (commits/run/write syncs"))
    #expect(headline.contains("); no result for times: 72 of 80 pairs were unusable: \(busy)"))
    let both = [exact("syncs", .regressed), Made.figure("p50", .unchanged)]
    let timed = report(outcome(both, exitCode: .regressed)).headline
    #expect(timed.hasPrefix("REGRESSED: 1 of 2 figures changed"))
    #expect(timed.hasSuffix(" · 72 of 80 pairs were unusable: \(busy)"))
  }

  @Test func `a comparison that passes by instructions says so, and its missing times are no errors`() {
    let instructions = exact("instructions", .unchanged, role: .instructions)
    let missing = FigureNotCompared(
      name: FigureName(workload: "commits/run/write", metric: "p50"),
      role: .primary,
      reason: "disturbed in each of 20 pairs"
    )
    var passed = outcome([instructions], exitCode: .passed)
    passed.notCompared = [missing]
    #expect(report(passed).headline.hasPrefix("UNCHANGED by instructions; no result for times: 72 of 80 pairs"))
    passed.summary.notCompared = 1
    #expect(report(passed).headline.hasSuffix(" · 1 not compared, where instructions decide"))
    var summary = NightSummary(startedAt: "2026-01-31T02:00:00Z", budgetSeconds: 60, sha256: "1", commit: nil)
    summary.steps = [NightSummary.Step(part: .pinned, arguments: ["compare"])]
    let text = NightExport.junit(of: NightReport(summary, outcomes: [.pinned: passed], exitCode: .passed))
    #expect(!text.contains("<error"))
    #expect(text.contains("name=\"p50\" time=\"0.000\"><skipped message=\"disturbed in each of 20 pairs\""))
  }

  @Test func `a comparison with a result for some times is incomplete, with the unusable pairs`() {
    let headline = report(outcome([Made.figure("p50", .unchanged), fewPairs])).headline
    #expect(headline.hasPrefix("INCOMPLETE: none of 2 figures changed by its margin or more"))
    #expect(headline.hasSuffix("72 of 80 pairs were unusable: \(busy)"))
  }

  @Test func `runs that failed and figures that are missing are causes, too`() {
    let failed = outcome([], failures: ["commits, head: exit code 3: no space"])
    #expect(
      report(failed).headline
        == "NO RESULT: a run failed: commits, head: exit code 3: no space; 72 of 80 pairs were unusable: \(busy)"
    )
    let missing = FigureNotCompared(
      name: FigureName(workload: "commits", metric: "every figure"),
      role: .primary,
      reason: "no figure for a verdict"
    )
    let headline = report(Made.outcome([], notCompared: [missing], exitCode: .incomparable)).headline
    #expect(headline == "NO RESULT: no figure for a verdict · 1 not compared")
  }

  @Test func `wrong data and crashes outrank the missing result`() {
    #expect(report(outcome([fewPairs], exitCode: .invariantViolated)).word == "WRONG DATA")
    #expect(report(outcome([fewPairs], exitCode: .internalError)).word == "ERROR")
  }
}
