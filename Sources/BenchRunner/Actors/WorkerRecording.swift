internal import BenchResults
internal import LatencyMetrics

/// The counts and sums of a worker. When the worker ends, they are added to the sums of the actor's other workers.
struct WorkerTally: Sendable {
  /// Transactions that have begun.
  var begunTransactions = 0
  /// The time at which the last transaction ended, in nanoseconds of the monotonic clock; 0 if none has.
  var lastTransactionEnd: UInt64 = 0
  /// The part of the dropped arrivals that waited for the harness and not for the engine.
  var arrivalsDroppedByHarness = 0
  /// The worker's lag at the end of the phase; zero unless it then had an arrival that was due and did not begin.
  var lagAtEnd = Lag()
  /// The time for which events have stalled the worker.
  var stalledNanoseconds: UInt64 = 0
  /// The time in nanoseconds that the worker has spent on checks after its transactions.
  var checkingNanoseconds: UInt64 = 0
  /// The parts of its commits' time.
  var commitTimes = CommitTimesSum()
  /// Whether a worker's waits for a processor are not known.
  var missesWaits = false
  var waits = DisturbanceWatch.Waits()
  var checks = CheckCounts()
  /// The digests of the draws, one for each worker.
  var digests: [WorkerDigest] = []
  /// The counters of the worker's allocations; empty if they are not counted.
  var allocations: [AllocationCount.Finished] = []

  static func += (left: inout Self, right: Self) {
    left.begunTransactions += right.begunTransactions
    left.lastTransactionEnd = max(left.lastTransactionEnd, right.lastTransactionEnd)
    left.arrivalsDroppedByHarness += right.arrivalsDroppedByHarness
    left.lagAtEnd += right.lagAtEnd
    left.stalledNanoseconds += right.stalledNanoseconds
    left.checkingNanoseconds += right.checkingNanoseconds
    left.commitTimes += right.commitTimes
    left.missesWaits = left.missesWaits || right.missesWaits
    left.waits += right.waits
    left.checks += right.checks
    left.digests += right.digests
    left.allocations += right.allocations
  }
}

/// The engine's reported times of the current transaction, until its worker records them.
struct ReportedTimes {
  /// nil if the engine does not report it.
  var laneWait: UInt64?
  /// nil also for a read transaction.
  var writeLaneWait: UInt64?
  /// nil also for a transaction that has not committed anything.
  var commit: CommitTimes?
  /// The slot of the last read's outcome in the cache; nil without one, and after the read was recorded by outcome.
  var outcomeSlot: Int?
}

/// The measurements of one worker in one phase: its pace, its tally, and its times, which it hands over once a second.
struct WorkerRecording {
  let slots: TimingSlots
  var pace = WorkerPace(freeSince: 0)
  var tally = WorkerTally()
  var reported = ReportedTimes()
  private let timings: ActorTimings
  private let thread: Int
  private var watch: DisturbanceWatch
  private var recorder: LatencyRecorder
  private var phaseStart: UInt64 = 0
  private var interval = 0
  private var intervalEnd: UInt64 = 0

  init(_ timings: ActorTimings, thread: Int, _ waits: ProcessDelay) {
    self.timings = timings
    self.thread = thread
    watch = DisturbanceWatch(waits)
    slots = timings.slots
    recorder = timings.newRecorder()
  }

  /// Records the start of the phase. Called on the worker's thread.
  mutating func begin(at start: UInt64) {
    watch.begin()
    tally.missesWaits = watch.isBlind
    phaseStart = start
    pace = WorkerPace(freeSince: start)
    intervalEnd = start + ActorTimings.intervalNanoseconds
  }

  @inline(__always)
  func record(_ nanoseconds: UInt64, in slot: Int) { recorder.record(nanoseconds, in: slot) }

  /// Records the service time of a read by its outcome in the cache, if the engine has reported one.
  @inline(__always)
  mutating func recordOutcome(service: UInt64) {
    guard let slot = reported.outcomeSlot else { return }
    recorder.record(service, in: slot)
    reported.outcomeSlot = nil
  }

  /// Records the outcome, the waits and the commit times that the engine has reported for a transaction.
  @inline(__always)
  mutating func recordReportedTimes(service: UInt64) {
    recordOutcome(service: service)
    guard let laneWait = reported.laneWait else { return }
    recorder.record(laneWait, in: slots.laneWait)
    if let waited = reported.writeLaneWait { recorder.record(waited, in: slots.writeLaneWait) }
    if let times = reported.commit { tally.commitTimes.add(times, service: service) }
    reported = ReportedTimes()
  }

  /// Leaves out the worker's idle time until now when waits are looked for.
  mutating func endIdleTime() { watch.endIdleTime() }

  /// Records the times of a transaction that waited, as measured and without the waits.
  /// - Parameter due: When the transaction was due; its start in a closed load.
  @inline(__always)
  mutating func recordDisturbance(due: UInt64, start: UInt64, end: UInt64) {
    if watch.mustAdd(end - min(end, due)) { addToWatch(due: min(due, end), start: start, end: end) }
  }

  @inline(never)
  private mutating func addToWatch(due: UInt64, start: UInt64, end: UInt64) {
    let laneWait = (reported.laneWait ?? 0) + (reported.writeLaneWait ?? 0)
    let undisturbed = watch.add(due: due, start: start, end: end, laneWait: laneWait)
    let measured = UndisturbedPace.Times(service: end - start, response: end - due)
    if let times = undisturbed.withoutProcessorWaits { record(measured, times, in: slots.delayedByProcessorWaits) }
    if let times = undisturbed.withoutWaits { record(measured, times, in: slots.delayedByWaits) }
  }

  private func record(
    _ measured: UndisturbedPace.Times,
    _ times: UndisturbedPace.Times,
    in slots: TimingSlots.Delayed
  ) {
    recorder.record(measured.service, in: slots.service.measured)
    recorder.record(times.service, in: slots.service.undisturbed)
    recorder.record(measured.response, in: slots.response.measured)
    recorder.record(times.response, in: slots.response.undisturbed)
  }

  /// Hands over the recorded times when their second is over. A transaction belongs to the second in which it ends.
  mutating func handOverIfDue(at now: UInt64) {
    guard now >= intervalEnd else { return }
    recorder = timings.handOver(recorder, thread: thread, interval: interval)
    interval = Int((now - phaseStart) / ActorTimings.intervalNanoseconds)
    intervalEnd = phaseStart + UInt64(interval + 1) * ActorTimings.intervalNanoseconds
  }

  /// Hands over the times of the last second, and completes the waits. Called on the worker's thread.
  mutating func end() {
    _ = timings.handOver(recorder, thread: thread, interval: interval)
    watch.end()
    tally.waits = watch.waits
  }
}
