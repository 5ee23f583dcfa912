internal import ArgumentParser
internal import BenchComparison
internal import BenchRegression
internal import BenchReports
internal import BenchResults
internal import BenchScenario
internal import Foundation
internal import HarnessPrimitives
internal import ThreadingPrimitives

struct BisectCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "bisect",
    abstract: "Finds the commit that caused a regression.",
    discussion: """
      It first compares the two ends, then single commits with the good end, by \
      pairs of runs as `compare` does. Commits whose comparison is unclear are \
      compared again; commits that do not build are skipped. The result is the \
      commit, the change with its interval, and the probability that the commit is \
      right. Run it in a checkout of yapbench. Each commit is built once, which \
      takes some minutes, and kept in ~/.cache/yapbench. A search that was killed \
      continues when it is started again with the same arguments.

      Exit code 0: a commit was found. 3: the ends do not differ, have too few \
      valid pairs, or the result is not certain.

      Examples:
        yapbench bisect v1.2 main --scenario Scenarios/compare/one-row-commit.yaml
        yapbench bisect HEAD~12 HEAD --scenario my.yaml --metric p99 --pairs 40
      """
  )

  @Argument(help: "A commit without the regression.")
  var good: BuildArgument

  @Argument(help: "A later commit with the regression.")
  var bad: BuildArgument

  @Option(help: ArgumentHelp("The scenario with the regression.", valueName: "file"), completion: .scenarios)
  var scenario: PathArgument

  @Option(
    help: ArgumentHelp(
      "The metric, such as p50, p99 or throughput. (default: the one with the clearest change)",
      valueName: "name"
    )
  )
  var metric: String?

  @Option(help: ArgumentHelp("Pairs of runs of each comparison, 6 to 500. (default: 20)", valueName: "n"))
  var pairs: Int?

  @Option(
    help: ArgumentHelp(
      "Does not measure this commit between the ends, such as a broken one. May be repeated.",
      valueName: "revision"
    )
  )
  var skip: [BuildArgument] = []

  @Option(help: ArgumentHelp("The seed for orders and runs.", valueName: "n"))
  var seed: UInt64 = 1

  @Option(name: .customLong("out"), help: ArgumentHelp("The folder for the comparisons.", valueName: "dir"))
  var folder: PathArgument?

  func perform(in context: CommandContext) throws -> Int32 {
    let files = ScenarioFiles([scenario.text])
    files.report(to: context.errors)
    guard files.status == .passed, let entry = files.entries.first else { return files.status.rawValue }
    let pairs = pairs ?? 20
    try PairedRuns.check(pairs: pairs)
    var settings = Bisection.Settings(scenario: entry.compared())
    (settings.metric, settings.pairs, settings.seed) = (metric, pairs, seed)
    let runs = PairedRuns(
      context: context,
      display: ProgressDisplay(output: context.errors, terminal: context.terminal),
      resumption: "run the same command again to continue"
    )
    return try runs.perform { try bisect(settings, display: runs.display, in: context) }
  }

  /// - Returns: The exit code; nil if it was interrupted.
  private func bisect(
    _ settings: Bisection.Settings,
    display: ProgressDisplay,
    in context: CommandContext
  ) throws -> Int32? {
    let builds = RevisionBuild(checkout: ".")
    try builds.prepareCache()
    let commits = try builds.commits(from: good.text, to: bad.text)
    var settings = settings
    settings.skipped = try skipped(of: commits, builds)
    let folder =
      folder?.text ?? "Reports/bisect-\(commits[0].prefix(7))-\(commits[commits.count - 1].prefix(7))"
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw Failure("\(folder): the folder cannot be created (\(error.localizedDescription))", .cannotCreateOutput)
    }
    let journal = try BisectionJournal(in: folder, BisectionJournal.Header(commits: commits, settings))
    display.showMessage("\(commits.count - 1) commits after the good one; comparisons are stored in \(folder)")
    let outcome = try Bisection(
      settings,
      commits: commits,
      builds: builds,
      journal: journal,
      isInterrupted: { context.interruption.isRaised },
      onProgress: display.showMessage
    ).perform()
    return try report(outcome, builds, in: context)
  }

  /// Returns the commits of `--skip`, the oldest first.
  private func skipped(of commits: [String], _ builds: RevisionBuild) throws -> [String] {
    let named = try skip.map { name in
      let commit = try builds.commit(of: name.text)
      guard commits.dropFirst().dropLast().contains(commit) else {
        throw Failure(
          "--skip \(name.text): expected a commit between \(good.text) and \(bad.text)",
          .usage
        )
      }
      return commit
    }
    return commits.filter(named.contains)
  }

  private func report(
    _ outcome: Bisection.Outcome,
    _ builds: RevisionBuild,
    in context: CommandContext
  ) throws -> Int32? {
    let lines: [String]
    var status = ExitStatus.incomparable
    switch outcome {
    case .interrupted: return nil
    case .noChange(let percent):
      lines = ["NO CHANGE: \(bad.text) is not worse than \(good.text)\(Self.limit(percent))"]
    case .inconclusive(let percent):
      lines = ["INCONCLUSIVE: \(bad.text) may be worse than \(good.text)\(Self.limit(percent)); use more --pairs"]
    case .tooFewPairs(let validity): lines = [Self.text(of: validity)]
    case .found(let found):
      lines = Self.lines(of: found, try found.candidates.map { try builds.subject(of: $0) })
      if found.isCertain { status = .passed }
    }
    for line in lines { context.output.line(InertText.line(line)) }
    return status.rawValue
  }

  private static func text(of validity: PairValidity) -> String {
    let reason = validity.reason.map { ". The first reason: \($0)" } ?? ""
    return "NO RESULT: of \(validity.valid + validity.invalid) pairs of the ends, \(validity.valid) have valid runs; "
      + "expected at least \(EffectEstimate.fewestPairs)\(reason). Run the same command again, "
      + "when nothing else runs, to repeat the invalid pairs"
  }

  private static func limit(_ detectablePercent: Double?) -> String {
    detectablePercent.map { "; a change of \(Quantity.number($0)) % was detectable" } ?? ""
  }

  private static func lines(of found: Bisection.Found, _ subjects: [String]) -> [String] {
    let percent = Int(saturating: (found.probability * 100).rounded(.down))
    let commits = zip(found.candidates, subjects).map { "\($0.prefix(12)) \($1)" }
    var lines: [String]
    let word = found.isCertain ? "FIRST BAD COMMIT" : "NOT CERTAIN, MOST PROBABLE"
    if commits.count == 1 {
      lines = ["\(word): \(commits[0])"]
    } else {
      lines = ["\(word): one of these commits, some of which were skipped:"] + commits.map { "  " + $0 }
    }
    lines.append("  probability \(percent) %")
    let change = Self.change(found.changePercent, found.interval95Percent)
    lines.append("  \(found.figure.text) \(change) from the good end to the bad end")
    lines.append("  compared with the good end:")
    for step in found.steps {
      let change = Self.change(step.changePercent, step.interval95Percent)
      lines.append("    \(step.commit.prefix(12))  \(change)  \(step.pairs) pairs")
    }
    lines += found.skipped.map { "    \($0.prefix(12))  skipped" }
    return lines
  }

  private static func change(_ percent: Double, _ interval: PercentInterval?) -> String {
    let change = (percent > 0 ? "+" : "") + Quantity.number(percent) + " %"
    return interval.map { "\(change) [\(Quantity.number($0.low)), \(Quantity.number($0.high))]" } ?? change
  }
}
