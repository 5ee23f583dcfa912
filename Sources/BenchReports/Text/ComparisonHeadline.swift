internal import BenchResults

/// The verdict of a comparison in one line. A comparison without a result for times says so, with the cause.
struct ComparisonHeadline {
  let result: ComparisonOutcome

  /// The verdict with its reason, and the number of deciding figures with each verdict.
  var text: String { counts.isEmpty ? title : "\(title) · \(counts)" }

  /// The verdict with its reason or the first changes.
  var title: String {
    guard lacksTimes else { return "\(word): \(changes)" }
    if exact.isEmpty { return "\(word): \(obstacle)" }
    let changed = deciding.contains(where: \.verdict.isChange) ? ": \(changes)" : ""
    return "\(word) by \(basis)\(changed); no result for times: \(obstacle)"
  }

  /// The verdict in capitals.
  var word: String {
    if lacksTimes, exact.isEmpty { return "NO RESULT" }
    let isIncomplete = result.exitCode == .incomparable && !lacksTimes
    guard !isIncomplete, [.incomparable, .passed, .inconclusive].contains(result.exitCode) else {
      return result.exitCode.word
    }
    let verdicts = Set((lacksTimes ? exact : deciding).map(\.verdict))
    if verdicts.contains(.improved) { return "IMPROVED" }
    if !verdicts.isDisjoint(with: [.inconclusive, .suspect]) { return "NO CHANGE FOUND" }
    return verdicts.contains(.changedSmall) ? "SMALL CHANGES" : "UNCHANGED"
  }

  /// The number of deciding figures with each verdict, and of unusable pairs if the title does not state them.
  var counts: String {
    let summary = result.summary
    let parts: [(Int, String)] = [
      (summary.regressed, "regressed"), (summary.improved, "improved"), (summary.suspect, "suspect, not confirmed"),
      (summary.changedSmall, "changed less than the margin"), (summary.unchanged, "unchanged within the margin"),
      (summary.inconclusive, "inconclusive"), (summary.notCompared, notCompared),
    ]
    let unusable = lacksTimes ? nil : unusable
    let texts = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" } + [unusable].compactMap { $0 }
    return texts.joined(separator: " · ")
  }

  /// A comparison passes without some figures only if instructions decide about their scenarios.
  private var notCompared: String {
    result.exitCode == .passed ? "not compared, where instructions decide" : "not compared"
  }

  private var changes: String {
    let deciding = deciding
    let changed = deciding.filter(\.verdict.isChange)
    guard !changed.isEmpty else {
      return "none of \(Quantity.count(deciding.count, of: "figure")) changed by its margin or more"
    }
    let shown = changed.prefix(3).map { "\($0.name.text) \($0.changeText)" }
    let more = changed.count > 3 ? ", …" : ""
    return "\(changed.count) of \(deciding.count) figures changed (\(shown.joined(separator: ", "))\(more))"
  }

  private var deciding: [FigureResult] { result.figures.filter(\.decides) }

  // MARK: Comparisons without a result for times

  /// Whether no time has the pairs that a verdict needs, in a comparison of which no run was wrong or interrupted.
  var lacksTimes: Bool {
    [.incomparable, .passed, .inconclusive, .regressed].contains(result.exitCode)
      && !deciding.contains { !$0.isExact && $0.interval95Percent != nil }
  }

  /// Whether further pairs may give times a result: they have none, because pairs were unusable.
  var needsPairs: Bool { lacksTimes && unusable != nil }

  /// The counts and instructions that have a verdict.
  private var exact: [FigureResult] { deciding.filter(\.isExact) }

  /// The figures of which the verdict consists, such as "instructions and counts".
  private var basis: String {
    let names: [(FigureRole, String)] = [(.instructions, "instructions"), (.count, "counts")]
    return names.filter { role, _ in exact.contains { $0.role == role } }.map(\.1).joined(separator: " and ")
  }

  /// The cause for which times have no result.
  private var obstacle: String {
    let causes = [result.failures.first.map { "a run failed: \($0)" }, unusable].compactMap { $0 }
    guard causes.isEmpty else { return causes.joined(separator: "; ") }
    return result.notCompared.first { $0.role == .primary }?.reason
      ?? "no time has the \(EffectEstimate.fewestPairs) pairs that a verdict needs"
  }

  /// The number of unusable pairs with their most frequent cause; nil if there are none.
  private var unusable: String? {
    guard let excluded = result.excluded, excluded.unusablePairs > 0, let cause = excluded.causes.first else {
      return nil
    }
    let count = excluded.unusablePairs
    let others = excluded.causes.count - 1
    return "\(count) of \(Quantity.count(excluded.pairs, of: "pair")) \(count == 1 ? "was" : "were") unusable: "
      + cause.text + (others > 0 ? " (and \(Quantity.count(others, of: "other cause")))" : "")
  }
}
