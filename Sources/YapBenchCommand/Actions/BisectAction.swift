internal import BenchComparison
internal import BenchModel
internal import BenchReports
internal import Foundation
internal import NumericConversion
internal import ThreadingPrimitives

/// Finds the commit that made a figure of a scenario worse.
struct BisectAction {
  private static let defaultPairs = 20

  var good: String
  var bad: String
  var scenario: String
  var metric: String?
  var pairs: Int?
  var seed: UInt64 = 1
  var folder: String?

  func perform(in context: CommandContext) -> Int32 {
    do { return try bisect(in: context) } catch {
      // A program that the interruption has ended did not fail.
      if context.interruption.isRaised { return interrupted(in: context) }
      let failure = Failure(error)
      context.errors.error(failure.text)
      return failure.status.rawValue
    }
  }

  private func bisect(in context: CommandContext) throws -> Int32 {
    let files = ScenarioFiles([scenario])
    guard files.status == .allHeld, let entry = files.entries.first else {
      files.report(to: context.errors)
      return files.status.rawValue
    }
    let pairs = pairs ?? Self.defaultPairs
    guard CompareAction.pairRange.contains(pairs) else {
      throw ComparisonError(
        .usage,
        "--pairs is \(pairs); expected \(CompareAction.pairRange.lowerBound) to \(CompareAction.pairRange.upperBound)"
      )
    }
    // Before the first child process: its threads would take the signals.
    let display = ProgressDisplay(output: context.errors, terminal: context.terminal)
    try context.interruptRunsOnSignals(display)
    let builds = RevisionBuild(checkout: ".")
    let commits = try builds.commits(from: good, to: bad)
    let settings = Bisection.Settings(
      scenario: entry.loaded.scenario.name,
      scenarioPath: entry.path,
      isRepeated: entry.loaded.repetitions > 1,
      metric: metric,
      pairs: pairs,
      seed: seed
    )
    let folder = folder ?? "Reports/bisect-\(commits[0].prefix(7))-\(commits[commits.count - 1].prefix(7))"
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw ComparisonError(.output, "\(folder): the folder cannot be created (\(error.localizedDescription))")
    }
    let journal = try BisectionJournal(in: folder, try BisectionJournal.Header(commits: commits, settings))
    display.say("\(commits.count - 1) commits after the good one; comparisons are kept in \(folder)")
    let outcome = try Bisection(
      settings,
      commits: commits,
      builds: builds,
      journal: journal,
      isInterrupted: { context.interruption.isRaised },
      onProgress: display.say
    ).perform()
    return try report(outcome, builds, folder, in: context)
  }

  private func report(
    _ outcome: Bisection.Outcome,
    _ builds: RevisionBuild,
    _ folder: String,
    in context: CommandContext
  ) throws -> Int32 {
    switch outcome {
    case .interrupted: return interrupted(in: context)
    case .noChange(let detectable):
      let limit = detectable.map { "; a change of \(Quantity.number($0)) % was detectable" } ?? ""
      context.output.line("NO CHANGE: \(bad) is not worse than \(good)\(limit)")
      return ExitStatus.incomparable.rawValue
    case .inconclusive(let detectable):
      let limit = detectable.map { "; a change of \(Quantity.number($0)) % was detectable" } ?? ""
      context.output.line("INCONCLUSIVE: \(bad) may be worse than \(good)\(limit); use more --pairs")
      return ExitStatus.incomparable.rawValue
    case .found(let found):
      let subjects = try found.candidates.map { try builds.subject(of: $0) }
      for line in Self.lines(of: found, subjects) { context.output.line(InertText.line(line)) }
      return (found.isCertain ? ExitStatus.allHeld : .incomparable).rawValue
    }
  }

  private func interrupted(in context: CommandContext) -> Int32 {
    context.errors.line("interrupted; the same command continues the search")
    return ExitStatus.interrupted.rawValue
  }

  private static func lines(of found: Bisection.Found, _ subjects: [String]) -> [String] {
    let percent = Int(saturating: (found.probability * 100).rounded(.down))
    let commits = zip(found.candidates, subjects).map { "\($0.prefix(12)) \($1)" }
    var lines: [String]
    let word = found.isCertain ? "FIRST BAD COMMIT" : "NOT CERTAIN, MOST PROBABLE"
    if commits.count == 1 {
      lines = ["\(word): \(commits[0])"]
    } else {
      lines = ["\(word): one of these, of which some were skipped:"] + commits.map { "  " + $0 }
    }
    lines.append("  probability \(percent) %")
    let change = Self.change(found.changePercent, found.interval95Percent)
    lines.append("  \(found.figure.text) \(change) from the good end to the bad one")
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
