internal import HarnessPrimitives

/// The rule by which a schedule chooses the thread that runs next.
package enum ScheduleRule: String, Sendable, CaseIterable {
  /// Random priorities, which change at a few random steps (Burckhardt and others, "A Randomized Scheduler with
  /// Probabilistic Guarantees of Finding Bugs", 2010).
  case pct
  /// A random runnable thread at each step.
  case uniform
}

/// Chooses the thread that runs next. A pure state machine, determined by its random numbers.
///
/// By the rule `pct`, the runnable thread with the highest priority runs. Before each of `depth` - 1 random choices,
/// the running thread gets a lower priority than all others. A bug that needs `depth` steps of threads in a certain
/// order is found with a probability of at least 1 / (threads × choices^(depth - 1)).
struct ThreadChoice: Sendable {
  private let rule: ScheduleRule
  private var random: RandomStream
  /// By the number of the thread.
  private var priorities: [UInt64] = []
  /// The choices before which the priority of the running thread changes, and the new priorities.
  private(set) var changes: [Int: UInt64] = [:]

  /// - Parameters:
  ///   - depth: The number of steps that must be ordered, at least 1.
  ///   - steps: The expected number of choices. No priority changes after them.
  init(_ rule: ScheduleRule, depth: Int, steps: Int, random: RandomStream) {
    self.rule = rule
    self.random = random
    while changes.count < min(depth - 1, steps) {
      let step = 1 + self.random.below(steps)
      // A step that is drawn again keeps its priority, so that all priorities differ.
      if changes[step] == nil { changes[step] = UInt64(changes.count) }
    }
  }

  /// Adds the thread with the next number.
  mutating func addThread() {
    // Above the priorities that threads get at changes.
    priorities.append(random.next() | 1 << 63)
  }

  /// - Parameters:
  ///   - running: The thread that has made the step.
  ///   - runnable: The threads that can run, in ascending order; not empty.
  ///   - step: The number of the choice, from 1 on.
  mutating func next(after running: Int, of runnable: [Int], at step: Int) -> Int {
    switch rule {
    case .uniform: return runnable[random.below(runnable.count)]
    case .pct:
      if let changed = changes[step] { priorities[running] = changed }
      return runnable.max { priorities[$0] < priorities[$1] } ?? running
    }
  }
}
