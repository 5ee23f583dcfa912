import BenchResults
import BenchScenario
import Testing

@testable import BenchRunner

@Suite("The verdict") struct VerdictTests {
  /// Everything that can be wrong with a run.
  private enum Fault: CaseIterable {
    case invariant, interruption, failure, distrust, abort, wait, expectation

    var code: Int32 {
      switch self {
      case .invariant: 111
      case .interruption: 130
      case .failure: 1
      case .distrust: 113
      case .abort, .wait, .expectation: 99
      }
    }

    var reasons: [String] {
      switch self {
      case .invariant: ["invariant knownAnswers: row 5 is missing", "repeat it with: yapbench run"]
      case .interruption: ["the run was interrupted after the last phase; the report covers the time until then"]
      case .failure: ["the engine failed: disk full"]
      case .distrust: ["the host was busy"]
      case .wait: ["phase \"drain\" timed out: wal.frames == 0 was not reached"]
      case .abort: ["the run was aborted by: abort run wal.bytes.max < 1MiB"]
      case .expectation: ["expected run throughput.mean > 5/s, measured 3/s"]
      }
    }

    /// Whether a smoke run looks at it.
    var countsInSmoke: Bool { [.invariant, .interruption, .failure].contains(self) }

    /// In the order of the reasons, the most severe fault first.
    static let inOrder: [Fault] = [.invariant, .interruption, .failure, .distrust, .wait, .abort, .expectation]
  }

  private func verdict(_ faults: [Fault], isSmoke: Bool = false) -> VerdictResult {
    let has = { (fault: Fault) in faults.contains(fault) }
    return Verdict(
      isSmoke: isSmoke,
      wasInterrupted: has(.interruption),
      failure: has(.failure) ? "disk full" : nil,
      abortedBy: has(.abort) ? "abort run wal.bytes.max < 1MiB" : nil,
      phases: [
        Fixture.phaseResult("run", to: 1),
        Fixture.phaseResult("drain", to: 2, has(.wait) ? .notReached : .reached, condition: "wal.frames == 0"),
      ],
      plannedPhases: 2,
      expectations: [
        ExpectationResult(
          source: "run throughput.mean > 5/s",
          phase: "run",
          actor: nil,
          comparison: .greater,
          measured: has(.expectation) ? MeasuredValue(3, text: "3/s") : MeasuredValue(9, text: "9/s"),
          limit: MeasuredValue(5, text: "5/s")
        )
      ],
      invariants: [
        InvariantResult(name: "snapshotStability", checks: 10, violations: []),
        InvariantResult(
          name: "knownAnswers",
          checks: 10,
          violations: has(.invariant) ? ["row 5 is missing", "row 6 is missing"] : []
        ),
      ],
      repetition: "yapbench run",
      distrust: has(.distrust) ? [Distrust.Reason(text: "the host was busy", headline: "clock stepped")] : [],
      expectedPhases: ["run"]
    ).result
  }

  @Test(arguments: [false, true])
  func `of every set of faults the most severe decides, and all are reported in order`(isSmoke: Bool) {
    for bits in 0..<1 << Fault.allCases.count {
      let faults = Fault.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)
      let told = Fault.inOrder.filter { faults.contains($0) && (!isSmoke || $0.countsInSmoke) }
      let verdict = verdict(faults, isSmoke: isSmoke)
      #expect(verdict.exitCode.rawValue == told.first?.code ?? 0, "\(faults)")
      #expect(verdict.reasons == told.flatMap(\.reasons), "\(faults)")
    }
  }

  @Test func `the headline is a short form of the most severe fault`() {
    #expect(verdict([.invariant, .expectation]).headline == "knownAnswers violated")
    #expect(verdict([.interruption]).headline == "after the last phase")
    #expect(verdict([.failure]).headline == "the engine failed")
    #expect(verdict([.distrust]).headline == "clock stepped")
    #expect(verdict([.expectation]).headline == "expected run throughput.mean > 5/s, measured 3/s")
    #expect(verdict([.wait]).headline == "phase \"drain\" timed out: wal.frames == 0 was not reached")
    #expect(verdict([.expectation, .wait]).headline == "1 of 1 expectation failed, 1 phase timed out")
    #expect(
      verdict([.expectation, .abort]).headline
        == "1 of 1 expectation failed, the run was aborted by: abort run wal.bytes.max < 1MiB"
    )
  }

  @Test func `the headline of a run that passed counts its expectations and invariants`() {
    #expect(verdict([]).headline == "1 of 1 expectation, no invariant violated")
    #expect(
      verdict([.expectation], isSmoke: true).headline == "smoke run, every phase ran, no invariant violated"
    )
  }

  @Test func `a fault in a phase without expectations does not affect the others`() {
    func exitCode(faultIn phase: String?, expectedPhases: Set<String>) -> BenchResults.ExitStatus {
      Verdict(
        isSmoke: false,
        wasInterrupted: false,
        phases: [],
        plannedPhases: 0,
        expectations: [],
        invariants: [],
        repetition: "",
        distrust: [Distrust.Reason(phase: phase, text: "the host was busy", headline: "busy")],
        expectedPhases: expectedPhases
      ).result.exitCode
    }
    #expect(exitCode(faultIn: "drain", expectedPhases: ["run"]) == .passed)
    #expect(exitCode(faultIn: "run", expectedPhases: ["run"]) == .measurementInvalid)
    #expect(exitCode(faultIn: nil, expectedPhases: ["run"]) == .measurementInvalid)
    #expect(exitCode(faultIn: "drain", expectedPhases: []) == .measurementInvalid)
  }

  /// - Parameters:
  ///   - doubts: The expectations that waits may have decided; the others hold.
  ///   - failures: The expectations that failed in spite of them.
  private func busyVerdict(
    doubts: Int = 0,
    failures: Int = 0,
    of count: Int = 3,
    effect: Distrust.Effect = .waits,
    disturbed: [FigureID] = []
  ) -> VerdictResult {
    Verdict(
      isSmoke: false,
      wasInterrupted: false,
      phases: [],
      plannedPhases: 0,
      expectations: (0..<count).map { index in
        var result = ExpectationResult(
          source: "run response.p99 < 5ms",
          phase: "run",
          actor: nil,
          comparison: .less,
          measured: index < doubts + failures ? MeasuredValue(9e6, text: "9ms") : MeasuredValue(2e6, text: "2ms"),
          limit: MeasuredValue(5e6, text: "5ms")
        )
        if index < doubts { result.doubt = "1ms to 9ms" }
        return result
      },
      invariants: [],
      repetition: "",
      distrust: [Distrust.Reason(phase: "run", text: "others ran", headline: "machine busy in run", effect: effect)],
      expectedPhases: ["run"],
      disturbedFigures: disturbed
    ).result
  }

  @Test func `a busy machine makes a run invalid only if it may have decided about an expectation`() {
    #expect(busyVerdict().headline == "3 of 3 expectations")
    let doubtful = busyVerdict(doubts: 2)
    #expect(doubtful.exitCode == .measurementInvalid)
    #expect(doubtful.headline == "machine busy in run; 2 of 3 expectations cannot be judged")
    #expect(
      doubtful.reasons == ["others ran"]
        + Array(
          repeating: "cannot tell about run response.p99 < 5ms: measured 9ms, 1ms to 9ms without waits that "
            + "others may have caused",
          count: 2
        )
    )
    #expect(busyVerdict(effect: .times).exitCode == .passed)
    #expect(busyVerdict(effect: .load).headline == "machine busy in run")
  }

  @Test func `an expectation that failed in spite of a busy machine decides`() {
    let failed = busyVerdict(doubts: 1, failures: 1)
    #expect(failed.exitCode == .expectationFailed)
    #expect(failed.reasons == ["expected run response.p99 < 5ms, measured 9ms"])
  }

  @Test func `figures that variants compare must not be disturbed`() {
    let figure = FigureID(.response, .p99, of: FigureScope("run", actor: "read"))
    let verdict = busyVerdict(disturbed: [figure])
    #expect(verdict.exitCode == .measurementInvalid && verdict.headline == "machine busy in run")
    #expect(verdict.reasons.last == "waits may have changed run/read response.p99")
  }

  private func headline(interruptedAfter phases: [PhaseResult]) -> String {
    Verdict(
      isSmoke: false,
      wasInterrupted: true,
      failure: nil,
      abortedBy: nil,
      phases: phases,
      plannedPhases: 2,
      expectations: [],
      invariants: [],
      repetition: "",
      distrust: [],
      expectedPhases: []
    ).result.headline
  }

  @Test func `the headline of an interrupted run is the phase that it reached`() {
    #expect(headline(interruptedAfter: []) == "before the first phase")
    let first = Fixture.phaseResult("warmup", to: 1)
    #expect(headline(interruptedAfter: [first]) == "after phase warmup")
    let cut = Fixture.phaseResult("stall", from: 1, to: 2, .cutShort)
    #expect(headline(interruptedAfter: [first, cut]) == "in phase stall")
    let whole = Fixture.phaseResult("stall", from: 1, to: 2)
    #expect(headline(interruptedAfter: [first, whole]) == "after the last phase")
  }

  private func headline(expectations: Int, invariants: [Int]) -> String {
    Verdict(
      isSmoke: false,
      wasInterrupted: false,
      failure: nil,
      abortedBy: nil,
      phases: [],
      plannedPhases: 0,
      expectations: (0..<expectations).map { _ in
        let one = MeasuredValue(1, text: "1")
        return ExpectationResult(source: "", phase: "", actor: nil, comparison: .equal, measured: one, limit: one)
      },
      invariants: invariants.map { InvariantResult(name: "", checks: $0, violations: []) },
      repetition: "",
      distrust: [],
      expectedPhases: []
    ).result.headline
  }

  @Test func `an invariant that was never checked does not count as passed`() {
    #expect(headline(expectations: 0, invariants: []) == "every phase ran, no expectations")
    #expect(headline(expectations: 0, invariants: [0]) == "every phase ran, no expectations")
    #expect(
      headline(expectations: 3, invariants: [5, 0]) == "3 of 3 expectations, 1 of 2 invariants checked, none violated"
    )
    #expect(headline(expectations: 0, invariants: [5, 1]) == "no invariant violated")
  }
}
