internal import BenchDrivers
internal import BenchResults
internal import BenchScenario
internal import HarnessPrimitives
internal import LatencyMetrics
internal import ThreadingPrimitives

/// The cost of the harness's own work.
enum HarnessCost {
  private static let runs = 5
  private static let runNanoseconds: UInt64 = 30_000_000
  /// The time for the overheads of one actor and of all actors.
  private static let overheadNanoseconds: (actor: UInt64, all: UInt64) = (10_000_000, 60_000_000)
  /// The attempts of a phase, each twice as long as the one before: on a busy machine, a thread may get no turn in a
  /// short phase.
  private static let attempts = 8
  private static let mostRows = 1_000

  /// Nanoseconds of one operation of one thread with a closed load, on a driver that does nothing: drawing the key, two
  /// readings of the clock, the call, the histogram. The median of several short runs.
  static func nullOperationNanoseconds() throws -> Double {
    let phase = "{for: \(runNanoseconds)ns, actors: [loop], name: "
    let scenario = try ScenarioLoader.load(
      text: """
        {format: 1, name: loop, summary: The cost of the harness, engine: {driver: null},
        dataset: {rows: {rows: 1000, value: {size: 64B}}}, connections: {only: {}},
        actors: {loop: {connection: only, operations: {get: 1}, collection: rows}},
        phases: [\((0..<runs).map { phase + "run-\($0)}" }.joined(separator: ", "))]}
        """
    ).scenario
    return try records(of: scenario).map { record in
      Double(record.result.durationNanoseconds) / Double(max(record.actors[0].tally.begunTransactions, 1))
    }.median
  }

  /// The harness's part of the measured times of the operations in recorded phases: the reading of the clock, the call,
  /// and the work inside the transaction, such as labelling a value. Measured by a closed load on one thread, with a
  /// driver that does nothing and at most 1,000 rows.
  static func overheads(of scenario: Scenario) throws -> [HarnessOverhead] {
    var idle = scenario
    idle.engine = EngineSettings(of: .null)
    for index in idle.dataset.indices {
      idle.dataset[index].rows = min(idle.dataset[index].rows, mostRows)
      idle.dataset[index].inserts = min(idle.dataset[index].inserts, mostRows)
    }
    var actors: [ActorSettings] = []
    for actor in scenario.phases.filter(\.records).flatMap(\.actors)
    where !actors.contains(where: { $0.name == actor.name }) {
      var settings = actor.settings
      settings.threads = 1
      settings.load = .closed(thinkNanoseconds: 0)
      settings.snapshot = .latest
      settings.deadlineNanoseconds = nil
      settings.operationCount = nil
      actors.append(settings)
    }
    let length = min(overheadNanoseconds.actor, overheadNanoseconds.all / UInt64(max(actors.count, 1)))
    guard let model = scenario.phases.first else { return [] }
    idle.phases = actors.map { actor in
      var phase = model
      (phase.name, phase.end, phase.events) = (actor.name, .duration(nanoseconds: length), [])
      phase.actors = [PhaseActor(actor)]
      return phase
    }
    return try records(of: idle).flatMap(\.tree.actors).flatMap { actor in
      actor.operations.compactMap { operation in
        guard let times = operation.times[.service], !times.isEmpty else { return nil }
        return HarnessOverhead(
          actor: actor.name,
          operation: operation.name,
          nanoseconds: times.value(atPercentile: 50)
        )
      }
    }
  }

  /// Runs the phases of a scenario without checks, and returns the record of each.
  private static func records(of scenario: Scenario) throws -> [PhaseRecord] {
    let database = try Drivers.open(scenario.engine, path: "")
    let context = try RunContext(scenario, seed: 1, database: database, checking: [])
    var conductor = PhaseConductor(context, interruption: StopFlag(), onProgress: { _ in })
    return try scenario.phases.enumerated().compactMap { index, phase in
      for attempt in 0..<attempts {
        var phase = phase
        phase.end = .duration(nanoseconds: (phase.end.plannedNanoseconds ?? runNanoseconds) << attempt)
        try conductor.run(phase, number: index + 1, of: scenario.phases.count)
        if conductor.records.last?.actors.contains(where: { $0.tally.begunTransactions > 0 }) == true { break }
      }
      return conductor.records.last
    }
  }

  /// Nanoseconds to record one read of an open load (its lateness, wait, service, response and lane wait), without the
  /// readings of the clock: the median over pairs of loops, with and without recording, one directly after the other.
  static func recordingNanoseconds(digits: Int) -> Double {
    let (batch, transactions) = (500, 20_000)
    // The time of a loop is limited, because a build without optimisation would take seconds.
    let longest: UInt64 = 3_000_000
    let slots = 5
    let recorder = LatencyRecorder(slotCount: slots, digits: digits)
    func loop(records: Bool) -> Double {
      // Durations of 0 to 1 ms, so that the histogram's buckets are used as in a run.
      var random = RandomStream(seed: 1, "recording")
      let start = MonotonicClock.now
      var (count, elapsed) = (0, UInt64(0))
      while count < transactions, elapsed < longest {
        for _ in 0..<batch {
          let duration = random.next() >> 44
          let now = MonotonicClock.now &+ duration
          if records { for slot in 0..<slots { recorder.record(duration &+ (now & 1), in: slot) } }
        }
        count += batch
        elapsed = MonotonicClock.now - start
      }
      return Double(elapsed) / Double(count)
    }
    let costs = (0..<2 * runs + 1).map { number in
      // The loops alternate in being first, and the first pair is only a warm-up.
      let (first, second) = (loop(records: number % 2 == 0), loop(records: number % 2 == 1))
      return number % 2 == 0 ? first - second : second - first
    }
    return max(costs.dropFirst().median, 0)  // under other load the difference may vanish in the noise
  }
}
