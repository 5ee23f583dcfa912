package import BenchResults
internal import ThreadingPrimitives

/// The progress of a run. All of it arrives on one thread, in order. A slow receiver gets only the newest of the
/// entries that replace each other, such as samples.
package enum RunProgress: Sendable {
  /// One of several runs begins; a single one is not announced.
  case runBegan(PlannedRun)
  /// The number of a collection's rows that are stored; at most ten times a second, and when all are stored.
  case loading(collection: String, rows: Int, of: Int)
  /// The dataset is stored, and the run waits until the WAL is copied into the database file.
  case settling(walBacklogBytes: Int)
  /// - Parameters:
  ///   - number: from 1.
  ///   - plannedNanoseconds: the longest that the phase may take; nil if it has no limit.
  case phaseBegan(name: String, number: Int, of: Int, plannedNanoseconds: UInt64?)
  /// At every sample.
  case sampled(RunMoment)
  /// The phase is over and its workers were asked to stop, but `actors` have not finished for `nanoseconds`. The
  /// phase's events count as an actor `events`.
  case waiting(phase: String, actors: [String], nanoseconds: UInt64)
  /// - Parameter endedBy: see `PhaseResult`.
  case phaseEnded(
    name: String,
    end: PhaseResult.End,
    nanoseconds: UInt64,
    endedBy: String? = nil,
    rates: [EndRate] = []
  )
  /// Disturbed runs are repeated when other processes leave the processors and the disk free.
  /// - Parameter nanoseconds: the wait until now.
  case waitingForQuiet(others: OthersUse, nanoseconds: UInt64, of: UInt64)
  /// All phases are over; `what` is the remaining work, such as "measuring the harness itself".
  case finishing(what: String)
}

/// One moment of a run, for a live display.
package struct RunMoment: Sendable {
  package var phase: String
  /// Since the phase began.
  package var elapsedNanoseconds: UInt64
  /// nil if the phase has no limit.
  package var plannedNanoseconds: UInt64?
  /// Transactions per second of all actors, since the previous sample.
  package var transactionsPerSecond: Double
  package var actors: [Actor] = []
  /// The phase's expectations that its measurements break, as the scenario writes them; judged once a second.
  package var brokenExpectations: [String] = []
  /// nil for a driver without a WAL.
  package var walBytes: Int?
  /// The part of `walBytes` that is not in the database file yet.
  package var walBacklogBytes: Int?
  /// The connection that has pinned the oldest snapshot, if the pin keeps frames from being copied.
  package var pinnedBy: String?
  package var pinnedNanoseconds: UInt64?
  /// Bytes of the WAL that only `pinnedBy` keeps.
  package var pinnedBytes: Int?

  /// One actor of the phase.
  package struct Actor: Sendable {
    package var name: String
    /// Since the previous sample.
    package var transactionsPerSecond: Double
    /// The 99th percentile in the last complete second: of response times, or of service times for a closed load. nil
    /// until a second is complete.
    package var p99Nanoseconds: UInt64?
    /// Arrivals that were due and have neither ended nor been dropped; nil for a closed load.
    package var pendingArrivals: Int?
    /// Arrivals that were dropped since the phase began; nil for an actor without a deadline.
    package var droppedArrivals: Int?
  }

  /// The actor with the highest 99th percentile; nil if none has one.
  package var slowest: Actor? {
    actors.filter { $0.p99Nanoseconds != nil }.max { $0.p99Nanoseconds ?? 0 < $1.p99Nanoseconds ?? 0 }
  }
}

/// Hands a run's progress over to a thread of its own, so that a slow receiver, such as a stopped terminal, does not
/// delay the run.
struct ProgressRelay: Sendable {
  /// The longest that the end of the run waits until the last progress is handled.
  private static let longestFinishNanoseconds: UInt64 = 2_000_000_000

  private let relay: Relay<RunProgress>

  /// - Parameter handler: called on the relay's thread, in order.
  init(to handler: @escaping @Sendable (RunProgress) -> Void) throws {
    relay = try Relay(name: "progress") { $0.forEach(handler) }
  }

  /// Queues progress for the handler. The progress replaces the last waiting entry if it `replaces` that entry.
  func report(_ progress: RunProgress) { relay.append([progress], replacing: progress.replaces) }

  /// Waits until everything was handled, but at most `longestFinishNanoseconds`.
  func finish() { relay.finish(deadline: MonotonicClock.now + Self.longestFinishNanoseconds) }
}

extension RunProgress {
  /// Whether an older entry can be dropped when this one is queued.
  fileprivate func replaces(_ older: RunProgress) -> Bool {
    switch (older, self) {
    case (.loading(let one, _, _), .loading(let other, _, _)): one == other
    case (.settling, .settling), (.sampled, .sampled), (.waiting, .waiting), (.waitingForQuiet, .waitingForQuiet):
      true
    default: false
    }
  }
}
