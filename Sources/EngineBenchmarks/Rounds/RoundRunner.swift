internal import SeededRandom
internal import ThreadingPrimitives

/// Measures trials in rounds. In each round every contestant has one turn, in a new random order.
struct RoundRunner {
  let rounds: Int
  /// The approximate duration of a contestant's turn.
  let batchNanoseconds: UInt64
  let seed: UInt64
  let interruption: StopFlag
  let probe: SyncProbe

  /// - Throws: Errors of contestants; `BenchmarkInterrupted` between two turns.
  func run(_ trial: Trial) throws -> TrialRecord {
    var record = TrialRecord(
      trial: trial.name,
      unit: trial.unit,
      figures: [:],
      operations: [:],
      queuedShares: [],
      probeNanoseconds: []
    )
    for contestant in trial.contestants {
      try checkGoesOn()
      record.operations[contestant.name] = try contestant.calibrated(to: batchNanoseconds)
    }
    for order in Self.orders(of: trial.contestants.count, rounds: rounds, seed: seed, trial.name) {
      let begun = MonotonicClock.now
      let queuedBefore = RunQueue.nanosecondsOfThisThread()
      for place in order {
        try checkGoesOn()
        let contestant = trial.contestants[place]
        let figure = try contestant.measure(record.operations[contestant.name] ?? 1)
        record.figures[contestant.name, default: []].append(figure)
      }
      let queued = RunQueue.nanosecondsOfThisThread() - queuedBefore
      record.queuedShares.append(Double(queued) / Double(max(MonotonicClock.now - begun, 1)))
      if trial.waitsForDisk { record.probeNanoseconds += try probe.measure() }
    }
    return record
  }

  private func checkGoesOn() throws {
    if interruption.isRaised { throw BenchmarkInterrupted() }
  }

  /// The order of the turns in each round. It depends on the seed and the trial's name, not on other trials.
  static func orders(of count: Int, rounds: Int, seed: UInt64, _ trial: String) -> [[Int]] {
    var generator = RandomStream(seed: seed, trial)
    return (0..<rounds).map { _ in (0..<count).shuffled(using: &generator) }
  }
}

/// The session was asked to stop.
struct BenchmarkInterrupted: Error {}
