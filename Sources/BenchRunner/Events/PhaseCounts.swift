internal import BenchDrivers
internal import BenchResults
internal import BenchScenario
internal import Synchronization
internal import ThreadingPrimitives

/// Counts the commits and checkpoints of a phase, for events that begin at a count. One thread uses it.
struct PhaseCounts {
  private let context: RunContext
  /// The number of the newest commit before the phase.
  private let firstCommit: UInt64
  private var lastCheckpoint = 0
  private var checkpoints = 0

  /// Begins to count. Must be called before the phase begins.
  /// - Returns: nil if no event begins at a count.
  init?(for times: [EventTime], _ context: RunContext) {
    guard times.contains(where: { $0.nanoseconds == nil }) else { return nil }
    self.context = context
    firstCommit = max(context.acknowledged, context.database.commit)
    lastCheckpoint = context.database.checkpoints(after: 0).last?.number ?? 0
  }

  /// Returns the counts, and makes the context wake the thread once the next awaited commit is acknowledged.
  mutating func update(for schedule: EventSchedule) -> EventSchedule.Counts {
    if let awaited = schedule.awaitedCommits { context.commitAlarm.set(firstCommit + UInt64(awaited)) }
    if schedule.awaitsCheckpoints {
      let new = context.database.checkpoints(after: lastCheckpoint)
      checkpoints += new.count
      lastCheckpoint = new.last?.number ?? lastCheckpoint
    }
    // Read once: a commit may be acknowledged between two reads.
    let acknowledged = context.acknowledged
    let commits = acknowledged - min(firstCommit, acknowledged)
    return EventSchedule.Counts(commits: Int(clamping: commits), checkpoints: checkpoints)
  }
}

/// Wakes the thread of a phase's events once a commit is acknowledged. The thread also looks without being woken, so a
/// commit that is acknowledged while the alarm is set only delays it.
final class CommitAlarm: Sendable {
  /// The thread parks here.
  let woken = Parker()
  private let awaited = Atomic<UInt64>(.max)

  /// Makes the first acknowledgement of this commit or a later one wake the thread.
  func set(_ commit: UInt64) { awaited.store(commit, ordering: .releasing) }

  @inline(__always)
  func ring(_ commit: UInt64) {
    guard commit >= awaited.load(ordering: .relaxed) else { return }
    awaited.store(.max, ordering: .relaxed)
    woken.unpark()
  }
}
