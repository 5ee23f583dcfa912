internal import BenchResults
internal import BenchRunner
internal import BenchScenario

/// The estimated time until all runs of all scenarios of a command have ended. It is computed from the planned
/// durations and from the times that finished runs took. Times are nanoseconds of one clock.
struct RunForecast: Sendable {
  /// A scenario of the command.
  private struct Part: Sendable {
    /// The planned duration of each variant; nil if it has a phase without a time limit.
    let planned: [Double?]
    /// The number of planned runs of each variant.
    let runs: [Int]
    /// Whether the scenario has a single run, which is not announced.
    let isSingle: Bool
  }

  private struct Finished: Sendable {
    let part: Int
    let variant: Int
    let nanoseconds: Double
  }

  private let parts: [Part]
  private var part = 0
  /// The runs that the current scenario has begun, of each variant.
  private var begun: [Int] = []
  /// The runs of the current scenario that have not begun, if retries of invalid runs have begun.
  private var retriesLeft: Int?
  private var current: (variant: Int, since: UInt64)?
  private var finished: [Finished] = []

  init(_ scenarios: [LoadedScenario]) {
    parts = scenarios.map { loaded in
      let planned = loaded.variants.map { variant -> Double? in
        let scenario = variant.scenario
        let hasLimit = scenario.phases.allSatisfy { $0.end.plannedNanoseconds != nil }
        return hasLimit ? Double(scenario.plannedDurationNanoseconds) : nil
      }
      var runs = planned.map { _ in 0 }
      for run in ScenarioRun.planned(loaded) { runs[run.variant] += 1 }
      return Part(planned: planned, runs: runs, isSingle: loaded.runCount == 1)
    }
  }

  /// - Parameter index: The scenario's index in the command.
  mutating func beginScenario(_ index: Int, at now: UInt64) {
    endRun(at: now)
    part = index
    begun = Array(repeating: 0, count: parts[index].planned.count)
    retriesLeft = nil
    if parts[index].isSingle { beginRun(variant: 0, at: now) }
  }

  mutating func begin(_ run: PlannedRun, at now: UInt64) {
    beginRun(variant: run.variant, at: now)
    if run.number > parts[part].runs.reduce(0, +) { retriesLeft = run.runCount - run.number }
  }

  mutating func endScenario(at now: UInt64) { endRun(at: now) }

  private mutating func beginRun(variant: Int, at now: UInt64) {
    endRun(at: now)
    current = (variant, now)
    begun[variant] += 1
  }

  private mutating func endRun(at now: UInt64) {
    guard let run = current else { return }
    finished.append(Finished(part: part, variant: run.variant, nanoseconds: Double(now - min(run.since, now))))
    current = nil
  }

  /// The seconds until the last run ends; nil while the duration of a run is unknown, and between scenarios.
  func secondsLeft(at now: UInt64) -> Double? {
    guard let current, let expected = expected(part, current.variant) else { return nil }
    var sum = max(expected - Double(now - min(current.since, now)), 0)
    if let retriesLeft { sum += Double(retriesLeft) * expected }
    for index in parts.indices.dropFirst(retriesLeft == nil ? part : part + 1) {
      for (variant, planned) in parts[index].runs.enumerated() {
        let left = planned - (index == part ? begun[variant] : 0)
        guard left > 0 else { continue }
        guard let expected = self.expected(index, variant) else { return nil }
        sum += Double(left) * expected
      }
    }
    return sum / 1e9
  }

  /// The expected time of a run: the mean of the same variant's finished runs, or else its planned time with the
  /// overhead of the scenario's finished runs, or of other scenarios' runs. For a run without a planned time, the mean
  /// of its scenario's finished runs.
  private func expected(_ part: Int, _ variant: Int) -> Double? {
    let siblings = finished.filter { $0.part == part }
    if let mean = siblings.filter({ $0.variant == variant }).map(\.nanoseconds).value(of: .mean) { return mean }
    guard let planned = parts[part].planned[variant] else { return siblings.map(\.nanoseconds).value(of: .mean) }
    if let overhead = overheads(siblings).value(of: .mean) { return max(planned + overhead, 0) }
    // Phases of other scenarios that ended before their limits say nothing about this one.
    return planned + max(overheads(finished).value(of: .mean) ?? 0, 0)
  }

  /// The times by which finished runs exceeded their planned times, such as for loading the dataset.
  private func overheads(_ runs: [Finished]) -> [Double] {
    runs.compactMap { run in parts[run.part].planned[run.variant].map { run.nanoseconds - $0 } }
  }
}
