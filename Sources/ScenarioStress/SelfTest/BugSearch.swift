internal import BenchResults
internal import EngineStress

/// The search for the sign of a planted bug in the outcomes of cases. A pure state machine.
struct BugSearch {
  let bug: SelfTestBug
  private(set) var cases = 0
  /// The text that shows the bug; nil if no case has shown it.
  private(set) var finding: String?
  /// A failure that does not show the bug.
  private var other: String?
  private var counts: [String: Int] = [:]

  init(_ bug: SelfTestBug) { self.bug = bug }

  /// Whether no further case is needed.
  var hasEnded: Bool { finding != nil || other != nil }

  /// Adds the outcome of a case with the bug.
  mutating func add(_ outcome: CaseOutcome) {
    cases += 1
    counts.merge(outcome.counts, uniquingKeysWith: +)
    guard case .failure(let texts) = bug.finding else {
      other = outcome.failures.first
      return
    }
    finding = outcome.failures.first { failure in texts.contains { failure.contains($0) } }
    if finding == nil { other = outcome.failures.first }
  }

  /// Compares the counts of all cases with the campaign's requirements.
  mutating func end(_ requirements: [StressRequirement]) {
    guard other == nil, case .shortcoming(let name) = bug.finding,
      let requirement = requirements.first(where: { $0.count == name }), counts[name] ?? 0 < requirement.minimum
    else { return }
    finding = "not enough was tested: \(requirement.explanation)"
  }

  /// Returns the description of a bug that was not caught; nil if it was.
  /// - Parameter seed: The seed of the cases.
  func failure(seed: UInt64) -> String? {
    if finding != nil { return nil }
    let text = "the bug \(bug.name) was not caught by \(bug.campaignName) (cases: \(cases))"
    if let other { return "\(text): case \(bug.firstCase + cases - 1) fails otherwise: \(other)" }
    guard seed != SelfTestCampaign.defaultSeed else { return text }
    return "\(text) with seed \(seed); the budgets of cases hold for the default seed, \(SelfTestCampaign.defaultSeed)"
  }
}
