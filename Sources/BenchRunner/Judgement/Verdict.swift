internal import BenchResults

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
  var distrust: [Distrust.Reason]
  /// The phases that the expectations name.
  var expectedPhases: Set<String>
  /// The figures that the verdict depends on without an expectation of their own, and that the workers' waits may
  /// have changed.
  var disturbedFigures: [FigureID] = []

  /// The most severe status that applies, and all reasons in the order of severity.
  var result: VerdictResult {
    let reasons: [ExitStatus: [String]] = [
      .invariantViolated: violations,
      .interrupted: wasInterrupted
        ? ["the run was interrupted \(interruptedText); the report covers the time until then"] : [],
      .internalError: failure.map { ["the engine failed: \($0)"] } ?? [],
      // A smoke run measures nothing that could be expected or distrusted.
      .measurementInvalid: isSmoke ? [] : invalidity,
      .expectationFailed: isSmoke ? [] : failures,
    ]
    let applying = ExitStatus.mostSevereFirst.filter { !(reasons[$0] ?? []).isEmpty }
    let status = applying.first ?? .passed
    return VerdictResult(exitCode: status, headline: headline(status), reasons: applying.flatMap { reasons[$0] ?? [] })
  }

  // MARK: Invalid measurements

  /// Another load than the scenario's makes all figures invalid. A disturbance does so only if it may have decided
  /// about an expectation. An expectation that failed in spite of it has failed.
  private var invalidity: [String] {
    let ofLoad = faults.filter { $0.effect == .load }.map(\.text)
    guard ofLoad.isEmpty else { return ofLoad }
    guard failures.isEmpty, !undecided.isEmpty || !disturbedFigures.isEmpty else { return [] }
    return faults.map(\.text) + doubts
  }

  /// A fault in one phase does not affect expectations of the others. Without expectations, all figures count.
  private var faults: [Distrust.Reason] {
    distrust.filter { reason in
      reason.phase.map { expectedPhases.isEmpty || expectedPhases.contains($0) } ?? true
    }
  }

  private var undecided: [ExpectationResult] { expectations.filter { $0.doubt != nil } }

  private var doubts: [String] {
    let figures = disturbedFigures.map(\.description).joined(separator: ", ")
    return undecided.map {
      "cannot tell about \($0.source): measured \($0.measured), \($0.doubt ?? "") without waits that others may have "
        + "caused"
    } + (figures.isEmpty ? [] : ["waits may have changed \(figures)"])
  }

  private var invalidHeadline: String {
    let fault = faults.first { $0.effect == .load } ?? faults.first
    let cause = fault?.headline ?? "machine busy: workers waited"
    let count = undecided.count
    guard count > 0, !faults.contains(where: { $0.effect == .load }) else { return cause }
    return "\(cause); \(count) of \(VerdictResult.expectations(expectations.count)) cannot be judged"
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

  private var failures: [String] { timeouts + abortion + failedExpectations }

  private var timeouts: [String] {
    phases.filter { $0.end == .notReached }.map { phase in
      "phase \"\(phase.name)\" timed out: \(phase.condition ?? "its condition") was not reached"
    }
  }

  private var abortion: [String] { abortedBy.map { ["the run was aborted by: \($0)"] } ?? [] }

  private var failedExpectations: [String] {
    // An expectation without a value has not failed if the run was cut short.
    let isCutShort = phases.count < plannedPhases || phases.contains { $0.end == .cutShort }
    return expectations.filter { $0.hasFailed && !(isCutShort && $0.isOpen) }.map {
      "expected \($0.source), measured \($0.measured)" + ($0.isLimitMeasured ? " with a limit of \($0.limit)" : "")
    }
  }

  private func headline(_ status: ExitStatus) -> String {
    let violated = invariants.filter { !$0.violations.isEmpty }.map(\.name).joined(separator: ", ")
    switch status {
    case .invariantViolated: return "\(violated) violated"
    case .interrupted: return interruptedText
    case .internalError: return "the engine failed"
    case .measurementInvalid: return invalidHeadline
    case .expectationFailed: return failures.count == 1 ? failures[0] : failureCounts
    default: return success
    }
  }

  /// Such as "2 of 8 expectations failed, 1 phase timed out".
  private var failureCounts: String {
    let failed = failedExpectations.count
    let parts = [
      failed > 0 ? "\(failed) of \(VerdictResult.expectations(expectations.count)) failed" : nil,
      timeouts.isEmpty ? nil : timeouts.count == 1 ? "1 phase timed out" : "\(timeouts.count) phases timed out",
      abortion.first,
    ]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }

  private var success: String {
    if isSmoke { return (["smoke run", "every phase ran"] + checks).joined(separator: ", ") }
    let count = expectations.count
    let expected = count > 0 ? ["\(count) of \(VerdictResult.expectations(count))"] : []
    let parts = expected + checks
    return parts.isEmpty ? "every phase ran, no expectations" : parts.joined(separator: ", ")
  }

  private var checks: [String] {
    let checked = invariants.filter { $0.checks > 0 }.count
    if checked == 0 { return [] }
    return checked == invariants.count
      ? ["no invariant violated"] : ["\(checked) of \(invariants.count) invariants checked, none violated"]
  }
}

extension VerdictResult {
  /// Such as "8 expectations".
  static func expectations(_ count: Int) -> String { count == 1 ? "1 expectation" : "\(count) expectations" }
}
