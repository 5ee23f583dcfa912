internal import BenchModel

/// The verdict on a run.
struct Verdict {
  var isSmoke: Bool
  var wasInterrupted: Bool
  /// The first failure of the run, such as an error of the engine; nil if there was none.
  var failure: String?
  var abortedBy: String?
  /// The phases that were run; the last one may be cut short.
  var phases: [PhaseResult]
  var plannedPhases: Int
  var expectations: [ExpectationResult]
  var invariants: [InvariantResult]
  /// The command's arguments that repeat the run.
  var repetition: String
  var distrust: [String]

  /// The most severe status that applies, and all reasons in the order of severity.
  var result: VerdictResult {
    let reasons: [ExitStatus: [String]] = [
      .invariantViolated: violations,
      .interrupted: wasInterrupted
        ? ["the run was interrupted \(interruptedText): what is shown was measured until then"] : [],
      .internalError: failure.map { ["the engine failed: \($0)"] } ?? [],
      // A smoke run measures nothing that could be expected or distrusted.
      .measurementInvalid: isSmoke ? [] : distrust,
      .expectationFailed: isSmoke ? [] : broken,
    ]
    let grave = ExitStatus.gravestFirst.filter { !(reasons[$0] ?? []).isEmpty }
    let status = grave.first ?? .allHeld
    return VerdictResult(
      exitCode: status,
      headline: headline(status),
      reasons: grave.flatMap { reasons[$0] ?? [] }
    )
  }

  private var interruptedText: String {
    guard let last = phases.last else { return "before the first phase" }
    if last.end == .cutShort { return "in phase \(last.name)" }
    return phases.count < plannedPhases ? "after phase \(last.name)" : "after the last phase"
  }

  private var violations: [String] {
    let violated = invariants.filter { !$0.violations.isEmpty }
    guard !violated.isEmpty else { return [] }
    return violated.map { "invariant \($0.name): \($0.violations[0])" } + ["repeat it with: \(repetition)"]
  }

  private var broken: [String] {
    let waits = phases.filter { $0.end == .notReached }.map { phase in
      "phase \"\(phase.name)\" ended without \(phase.condition ?? "its condition")"
    }
    // An expectation without a value has not failed if the run was cut short.
    let isCutShort = phases.count < plannedPhases || phases.contains { $0.end == .cutShort }
    let failed = expectations.filter { !$0.holds && !(isCutShort && $0.measuredValue == nil) }.map {
      "expected \($0.source), measured \($0.measured)"
    }
    return waits + (abortedBy.map { ["the run was aborted by: \($0)"] } ?? []) + failed
  }

  private func headline(_ status: ExitStatus) -> String {
    let violated = invariants.filter { !$0.violations.isEmpty }.map(\.name).joined(separator: ", ")
    switch status {
    case .invariantViolated: return "\(violated) violated"
    case .interrupted: return interruptedText
    case .internalError: return "the engine failed"
    case .measurementInvalid: return "the measurement cannot be trusted"
    case .expectationFailed:
      let count = broken.count
      return count == 1 ? broken[0] : "\(count) things that were expected did not come"
    default: return allHeld
    }
  }

  private var allHeld: String {
    if isSmoke { return "a smoke run, in which every phase ran" + (checks.map { " and \($0)" } ?? "") }
    let expected: String? =
      switch expectations.count {
      case 0: nil
      case 1: "the expectation holds"
      default: "all \(expectations.count) expectations hold"
      }
    let parts = [expected, checks].compactMap { $0 }
    return parts.isEmpty ? "every phase ran, and nothing was expected" : parts.joined(separator: ", ")
  }

  private var checks: String? {
    let checked = invariants.filter { $0.checks > 0 }.count
    if checked == 0 { return nil }
    return checked == invariants.count
      ? "no invariant was violated" : "\(checked) of \(invariants.count) invariants were checked and none was violated"
  }
}
