internal import BenchResults
internal import BenchScenario

/// The measurements of a run, before they are judged.
struct MeasuredRun {
  let pageSizeBytes: Int
  let configuration: EngineConfiguration
  /// nil if they were not measured.
  var machineCosts: MachineCosts?
  /// The time of loading the dataset, until its WAL was copied or 10 s had passed; nil if nothing was loaded.
  var loadNanoseconds: UInt64?
  /// The figures of the inserts of loading; nil if nothing was loaded.
  var load: LoadResult?
  /// The WAL's backlog when the first phase began.
  var backlogFramesAtStart = 0
  var phases: [PhaseRecord] = []
  var samples: [EngineSample] = []
  /// The time between two samples; nil until the conductor's measurements are taken.
  var samplingNanoseconds: UInt64?
  var checkpoints: [CheckpointResult] = []
  var invariants: [InvariantResult] = []
  var rowsAtEnd: [String: Int] = [:]
  /// The error that ended the run.
  var failure: String?
  /// The text of the expectation with `abort` that ended the run.
  var abortedBy: String?
  /// Whether workers that were blocked in the engine were abandoned.
  var hasGivenUp = false
  /// Whether the check at the end has covered every collection.
  var areAllRowsChecked = false
  /// The median round trip of a message to the engine's process; nil if the engine runs in this process.
  var roundTripNanoseconds: UInt64?
  /// The share of the processors' time that the host gave to other machines, 0 to 1.
  var stealShare = 0.0
  var samplerCPUNanoseconds: UInt64 = 0
  /// The greatest change of the wall clock against the monotonic clock.
  var clockStepNanoseconds: Int64 = 0

  mutating func take(_ conductor: PhaseConductor) {
    phases = conductor.records
    samples = conductor.sampler.samples
    samplingNanoseconds = conductor.sampler.intervalNanoseconds
    checkpoints = conductor.sampler.checkpoints
    abortedBy = conductor.abortedBy?.source
    hasGivenUp = conductor.hasGivenUp
    samplerCPUNanoseconds = conductor.samplerCPUNanoseconds
  }

  /// The processor time of sampling, as a share of the phases' time; nil if no phase took any time.
  var samplerCPUShare: Double? {
    let total = phases.reduce(0) { $0 + $1.result.durationNanoseconds }
    return total > 0 ? Double(samplerCPUNanoseconds) / Double(total) : nil
  }

  mutating func take(_ context: RunContext) {
    let checks = context.checks
    invariants = context.statedInvariants.map { invariant in
      InvariantResult(
        name: invariant.rawValue,
        checks: context.invariants.contains(invariant) ? checks[invariant] : 0,
        violations: context.violations.violations(of: invariant)
      )
    }
    rowsAtEnd = context.collections.compactMapValues(\.presentRows)
    failure = context.failures.failure
  }

  var isCutShort: Bool { phases.contains { $0.result.end == .cutShort } }
}
