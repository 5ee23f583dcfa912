internal import BenchModel
internal import LatencyMetrics

/// Whether the figures of a run can be believed, by what the harness knows of its own faults and of the host's.
enum Distrust {
  /// A schedule of which less was begun was not kept: the figures are those of another load.
  static let leastBegunShare = 0.95
  /// A free worker that begins later than this falsifies what it measures.
  static let greatestLatenessNanoseconds: UInt64 = 10_000_000
  static let greatestStealShare = 0.10
  static let greatestClockStepNanoseconds: Int64 = 100_000_000

  /// Every reason not to believe the figures, in sentences.
  static func reasons(_ phases: [PhaseRecord], stealShare: Double, clockStepNanoseconds: Int64) -> [String] {
    var reasons: [String] = []
    for phase in phases where phase.result.isRecorded {
      for actor in phase.actors { reasons += self.reasons(actor, in: phase.name) }
    }
    if stealShare > greatestStealShare {
      reasons.append(
        "the host gave \(percent(stealShare)) of the processors' time to others, and more than "
          + "\(percent(greatestStealShare)) is too much: use a quieter machine"
      )
    }
    if clockStepNanoseconds.magnitude > greatestClockStepNanoseconds.magnitude {
      reasons.append(
        "the wall clock stepped by \(clockStepNanoseconds / 1_000_000) ms against the monotonic clock during the run"
      )
    }
    return reasons
  }

  private static func reasons(_ actor: PhaseRecord.Actor, in phase: String) -> [String] {
    var reasons: [String] = []
    let place = "phase \"\(phase)\", actor \"\(actor.name)\""
    if let due = actor.dueArrivals, due > 0 {
      let share = Double(actor.begunTransactions) / Double(due)
      // Each worker may have been on its way to one when the phase ended, which in a short phase is a great share.
      if share < leastBegunShare, due - actor.begunTransactions > actor.settings.threads {
        reasons.append(
          "\(place): the generator was saturated, it began \(actor.begunTransactions) of \(due) arrivals "
            + "(\(percent(share))): lower the rate, or give the actor more threads"
        )
      }
    }
    // Of fewer arrivals the percentile is the worst one, which says nothing of the others.
    if actor.lateness.count >= 100 {
      let late = actor.lateness.value(atPercentile: 99)
      if late > greatestLatenessNanoseconds {
        reasons.append(
          "\(place): one arrival in a hundred began \(late / 1_000_000) ms late or more though a worker was free: the "
            + "machine is too busy"
        )
      }
    }
    return reasons
  }

  private static func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10) %" }
}
