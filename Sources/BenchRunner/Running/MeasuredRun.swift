internal import BenchModel

/// What a run has measured, before it is judged.
struct MeasuredRun {
  let pageSizeBytes: Int
  /// What the first phase found in the WAL.
  var backlogFramesAtStart = 0
  var phases: [PhaseRecord] = []
  var samples: [EngineSample] = []
  /// Between two of them; nil where no phase ran.
  var samplingNanoseconds: UInt64?
  var checkpoints: [CheckpointResult] = []
  var invariants: [InvariantResult] = []
  var rowsAtEnd: [String: Int] = [:]
  var failure: String?
  var abortedBy: String?
  /// Somebody still hangs in the engine.
  var hasGivenUp = false
  /// By the check at the end.
  var areAllRowsChecked = false
  /// Of a message to the engine's process and back; nil where the engine is a part of this one.
  var roundTripNanoseconds: UInt64?
  var stealShare = 0.0
  var lookingNanoseconds: UInt64 = 0
  var clockStepNanoseconds: Int64 = 0

  init(pageSizeBytes: Int) {
    self.pageSizeBytes = pageSizeBytes
  }

  mutating func take(_ conductor: PhaseConductor) {
    phases = conductor.records
    samples = conductor.sampler.samples
    samplingNanoseconds = conductor.sampler.intervalNanoseconds
    checkpoints = conductor.sampler.checkpoints
    abortedBy = conductor.abortedBy?.source
    hasGivenUp = conductor.hasGivenUp
    lookingNanoseconds = conductor.lookingNanoseconds
  }

  /// The processor time of looking, as a share of the phases' time; nil where no phase ran.
  var lookingShare: Double? {
    let total = phases.reduce(0) { $0 + $1.result.durationNanoseconds }
    return total > 0 ? Double(lookingNanoseconds) / Double(total) : nil
  }

  mutating func take(_ context: RunContext) {
    let checks = context.checks
    invariants = context.scenario.invariants.map { invariant in
      InvariantResult(
        name: invariant.rawValue,
        checks: context.invariants.contains(invariant) ? checks[invariant] : 0,
        violations: context.violations.violations(of: invariant)
      )
    }
    rowsAtEnd = context.collections.compactMapValues { $0.oracle?.presentRows }
    failure = context.failures.failure
  }

  var isCutShort: Bool { phases.contains { $0.result.end == .cutShort } }

  /// - Parameter overhead: nanoseconds of the harness itself in each operation.
  func judge(_ expectation: Expectation, overhead: Double) -> ExpectationResult {
    let phase = phases.first { $0.name == expectation.scope.phase }
    let value = expectation.metric == .harnessOverhead ? overhead : phase.flatMap { $0.value(of: expectation) }
    return ExpectationResult(
      source: expectation.source,
      measured: MeasuredText.make(value, expectation.unit),
      measuredValue: value,
      holds: value.map { expectation.comparison.holds($0, expectation.value) } ?? false
    )
  }
}
