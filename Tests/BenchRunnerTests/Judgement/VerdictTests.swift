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
      distrust: has(.distrust) ? [Distrust.Reason(text: "the host was busy")] : [],
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
    #expect(verdict([.distrust]).headline == "the measurement cannot be trusted")
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
        distrust: [Distrust.Reason(phase: phase, text: "the host was busy")],
        expectedPhases: expectedPhases
      ).result.exitCode
    }
    #expect(exitCode(faultIn: "drain", expectedPhases: ["run"]) == .passed)
    #expect(exitCode(faultIn: "run", expectedPhases: ["run"]) == .measurementInvalid)
    #expect(exitCode(faultIn: nil, expectedPhases: ["run"]) == .measurementInvalid)
    #expect(exitCode(faultIn: "drain", expectedPhases: []) == .measurementInvalid)
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
