internal import BenchDrivers
internal import BenchResults
internal import BenchScenario
internal import Synchronization
internal import ThreadingPrimitives

/// Finds transactions that wait although nothing else uses the database.
///
/// Each worker states when it is inside of a transaction; the conductor looks once a second.
final class LivenessCheck: Sendable {
  /// One worker's transactions.
  final class Worker: Sendable {
    fileprivate let name: String
    /// The beginning of the transaction; 0 outside of one.
    fileprivate let begun = Atomic<UInt64>(0)
    fileprivate let ended = Atomic<UInt64>(0)

    fileprivate init(name: String) { self.name = name }

    func begin(at now: UInt64) { begun.store(now, ordering: .relaxed) }

    func end() {
      begun.store(0, ordering: .relaxed)
      ended.wrappingAdd(1, ordering: .relaxed)
    }
  }

  private struct State {
    var workers: [Worker] = []
    var watch = StandstillWatch()
    var nextLook: UInt64 = 0
    var looks = 0
  }

  private static let intervalNanoseconds: UInt64 = 1_000_000_000

  private let database: any DriverDatabase
  private let violations: ViolationLog
  private let cpuNanoseconds: @Sendable () -> UInt64
  private let state = Guarded(State())

  /// - Parameter cpuNanoseconds: returns the processor time that the run has used so far.
  init(
    _ database: any DriverDatabase,
    _ violations: ViolationLog,
    cpuNanoseconds: @escaping @Sendable () -> UInt64
  ) {
    self.database = database
    self.violations = violations
    self.cpuNanoseconds = cpuNanoseconds
  }

  /// The number of looks.
  var count: Int { state.withLock { $0.looks } }

  func add(_ name: String) -> Worker {
    let worker = Worker(name: name)
    state.withLock { $0.workers.append(worker) }
    return worker
  }

  func remove(_ worker: Worker) { state.withLock { state in state.workers.removeAll { $0 === worker } } }

  /// Looks at all workers, if a second has passed since the last look.
  /// - Parameter isEventRunning: whether an event, such as a vacuum, is using the database.
  func lookIfDue(at now: UInt64, isEventRunning: Bool) {
    let workers: [Worker]? = state.withLock { state in
      guard now >= state.nextLook else { return nil }
      state.nextLook = now + Self.intervalNanoseconds
      state.looks += 1
      return state.workers
    }
    guard let workers else { return }
    let begun = workers.map { ($0.name, $0.begun.load(ordering: .relaxed)) }.filter { $0.1 > 0 && $0.1 < now }
    var activity = StandstillWatch.Activity()
    activity.ended = workers.reduce(0) { $0 &+ $1.ended.load(ordering: .relaxed) }
    activity.commit = database.commit
    activity.cpuNanoseconds = cpuNanoseconds()
    activity.isEventRunning = isEventRunning
    let isStill = state.withLock { [activity] state in state.watch.look(activity, at: now) }
    let limit = StandstillWatch.limitNanoseconds
    guard isStill, let longest = begun.min(by: { $0.1 < $1.1 }), now - longest.1 >= limit else { return }
    let names = Set(begun.filter { now - $0.1 >= limit }.map { "\"\($0.0)\"" }).sorted().joined(separator: ", ")
    let pinned = database.observe()?.wal?.pinnedBy.map { "; connection \"\($0)\" pins the oldest snapshot" } ?? ""
    violations.report(
      .liveness,
      "a transaction of \(names) has waited for \((now - longest.1) / 1_000_000_000) s while nothing else used the "
        + "database\(pinned)"
    )
  }
}

/// Determines whether nothing has used the database for some time: a state machine without an engine.
struct StandstillWatch {
  /// The sums of everything that shows use. They grow or stay, except that the processor time of an engine's process
  /// begins again with the next process.
  struct Activity: Equatable {
    var ended: UInt64 = 0
    var commit: UInt64 = 0
    var cpuNanoseconds: UInt64 = 0
    var isEventRunning = false
  }

  static let limitNanoseconds: UInt64 = 10_000_000_000
  /// A process that uses more of a core is not still: it computes.
  private static let stillCPUShare = 0.1
  /// The most that the time between two looks counts, because the whole process may have been stopped between them.
  private static let longestStepNanoseconds: UInt64 = 2_000_000_000

  private var last: (activity: Activity, at: UInt64)?
  private var stillNanoseconds: UInt64 = 0

  /// Returns whether nothing has used the database for the limit.
  mutating func look(_ activity: Activity, at now: UInt64) -> Bool {
    defer { last = (activity, now) }
    guard let last, now > last.at else { return false }
    let step = now - last.at
    let cpu = activity.cpuNanoseconds - min(last.activity.cpuNanoseconds, activity.cpuNanoseconds)
    let isStill =
      activity.ended == last.activity.ended && activity.commit == last.activity.commit && !activity.isEventRunning
      && Double(cpu) < Self.stillCPUShare * Double(step)
    stillNanoseconds = isStill ? stillNanoseconds + min(step, Self.longestStepNanoseconds) : 0
    return stillNanoseconds >= Self.limitNanoseconds
  }
}
