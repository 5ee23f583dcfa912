internal import HarnessPrimitives
internal import ThreadingPrimitives

/// A schedule of real threads, of which the one that holds the token runs. At each step the holder passes the token to
/// the thread that `ThreadChoice` chooses, which may be the holder.
///
/// Its time stands still, except that it advances by 1 µs whenever a thread reads it, and jumps to the earliest
/// deadline of a sleeping thread if no other thread can run, or at random steps.
final class TokenSchedule: ThreadSchedule {
  /// The outcome of a schedule.
  struct Outcome: Sendable, Equatable {
    /// A digest of all steps: the thread, the place, and the time.
    var digest: UInt64 = 0
    var steps = 0
    /// The number of steps at which several threads could run.
    var choices = 0
    /// The number of steps at which a thread that could have continued had to wait for another.
    var preemptions = 0
    /// The number of jumps of the time at random steps.
    var timeJumps = 0
    /// The reason for which the schedule could not be continued, with the state of every thread; nil if all threads
    /// have ended.
    var failure: String?
  }

  private enum Condition {
    case runnable
    case parked(Parker, deadline: UInt64?)
    case joining(Int)
    case ended
  }

  private struct Thread {
    let name: String
    let gate = Parker()
    var condition = Condition.runnable
    /// The place that the thread has reached last.
    var place = "start"
  }

  private struct State {
    var threads: [Thread] = []
    var choice: ThreadChoice
    var time = TokenSchedule.start
    var random: RandomStream
    var outcome = Outcome()
    /// The last steps, as the thread's number and its place.
    var trace: [(thread: Int, place: String)] = []
    var hasBegun = false
  }

  /// The time at which schedules begin, in nanoseconds.
  private static let start: UInt64 = 1_000_000_000
  private static let longestTrace = 4_000

  private let state: Guarded<State>
  private let mostSteps: Int
  /// The time jumps at one of this many steps; nil for never.
  private let timeJumpRarity: Int?
  private let over = Parker()

  /// - Parameters:
  ///   - mostSteps: The number of steps after which the schedule fails.
  ///   - timeJumpRarity: The time jumps at one of this many steps; nil if it jumps only while no thread can run.
  ///   - random: Decides about jumps of the time.
  init(_ choice: ThreadChoice, mostSteps: Int, timeJumpRarity: Int?, random: RandomStream) {
    self.mostSteps = mostSteps
    self.timeJumpRarity = timeJumpRarity
    state = Guarded(State(choice: choice, random: random))
  }

  /// Runs `body` on the first thread of the schedule, and waits until all its threads have ended.
  ///
  /// If the schedule fails, its threads stay blocked until the process ends.
  func run(_ body: @escaping @Sendable () -> Void) throws -> Outcome {
    let thread = try WorkerThread(name: "main", in: self, body)
    over.parkUnscheduled()
    let outcome = state.withLock { $0.outcome }
    if outcome.failure == nil { thread.join() } else { thread.detach() }
    return outcome
  }

  /// The last steps, one in a line.
  var trace: String {
    state.withLock { state in
      state.trace.map { "\(state.threads[$0.thread].name): \($0.place)\n" }.joined()
    }
  }

  // MARK: ThreadSchedule

  var now: UInt64 {
    state.withLock { state in
      state.time += 1_000
      return state.time
    }
  }

  func add(_ name: String) -> Int {
    state.withLock { state in
      state.choice.addThread()
      state.threads.append(Thread(name: name))
      return state.threads.count - 1
    }
  }

  func remove(_ thread: Int) {
    state.withLock { $0.threads[thread].condition = .ended }
  }

  func begin(_ thread: Int) {
    let (gate, isFirst) = state.withLock { state in
      defer { state.hasBegun = true }
      return (state.threads[thread].gate, !state.hasBegun)
    }
    if !isFirst { gate.parkUnscheduled() }
  }

  func end(_ thread: Int) { step(thread, at: "end", .ended) }

  func reach(_ thread: Int, _ place: String) { step(thread, at: place, .runnable) }

  func park(_ thread: Int, on parker: Parker, deadline: UInt64?) -> Bool {
    if parker.takeWake() { return true }
    step(thread, at: nil, .parked(parker, deadline: deadline))
    return parker.takeWake()
  }

  func join(_ thread: Int, to other: Int) { step(thread, at: nil, .joining(other)) }

  // MARK: Steps

  /// Passes the token on, and returns when the thread gets it again; immediately, if the thread has ended.
  /// - Parameter place: The place that the thread has reached; nil if it waits.
  private func step(_ thread: Int, at place: String?, _ condition: Condition) {
    let (own, other): (Parker, Parker?) = state.withLock { state in
      state.threads[thread].condition = condition
      if let place { state.threads[thread].place = place }
      let own = state.threads[thread].gate
      guard let next = next(after: thread, &state) else {
        over.wake()
        return (own, nil)
      }
      record(thread, at: place ?? "wait", next: next, in: &state)
      return (own, state.threads[next].gate)
    }
    if other === own { return }
    other?.wake()
    if case .ended = condition { return }
    own.parkUnscheduled()
  }

  private func record(_ thread: Int, at place: String, next: Int, in state: inout State) {
    if next != thread, case .runnable = state.threads[thread].condition { state.outcome.preemptions += 1 }
    state.threads[next].condition = .runnable
    var digest = RandomStream.mix(state.outcome.digest ^ state.time)
    for byte in place.utf8 { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    state.outcome.digest = RandomStream.mix(digest ^ UInt64(thread << 16 | next))
    if state.trace.count == Self.longestTrace { state.trace.removeFirst(Self.longestTrace / 2) }
    state.trace.append((thread, place))
  }

  /// Returns the thread that runs next; nil if all have ended, or if the schedule has failed.
  private func next(after thread: Int, _ state: inout State) -> Int? {
    state.outcome.steps += 1
    if state.outcome.steps > mostSteps {
      state.outcome.failure = "the threads have not ended after \(mostSteps) steps: \(states(state))"
      return nil
    }
    if let timeJumpRarity, state.random.below(timeJumpRarity) == 0, jump(&state) { state.outcome.timeJumps += 1 }
    var runnable = runnable(state)
    if runnable.isEmpty, jump(&state) { runnable = self.runnable(state) }
    if runnable.isEmpty {
      let isOver = state.threads.allSatisfy { if case .ended = $0.condition { true } else { false } }
      if !isOver { state.outcome.failure = "deadlock: no thread can run: \(states(state))" }
      return nil
    }
    if runnable.count == 1 { return runnable[0] }
    state.outcome.choices += 1
    return state.choice.next(after: thread, of: runnable, at: state.outcome.choices)
  }

  private func runnable(_ state: State) -> [Int] {
    state.threads.indices.filter { index in
      switch state.threads[index].condition {
      case .runnable: true
      case .parked(let parker, _): parker.isWoken
      case .joining(let other): if case .ended = state.threads[other].condition { true } else { false }
      case .ended: false
      }
    }
  }

  /// Advances the time to the earliest deadline of a sleeping thread, and ends the thread's wait.
  /// - Returns: false if no thread sleeps.
  private func jump(_ state: inout State) -> Bool {
    var earliest: (thread: Int, deadline: UInt64)?
    for (index, thread) in state.threads.enumerated() {
      guard case .parked(let parker, let deadline?) = thread.condition, deadline < .max, !parker.isWoken else {
        continue
      }
      if deadline < earliest?.deadline ?? .max { earliest = (index, deadline) }
    }
    guard let earliest else { return false }
    state.time = max(state.time, earliest.deadline)
    state.threads[earliest.thread].condition = .runnable
    return true
  }

  private func states(_ state: State) -> String {
    state.threads.compactMap { thread in
      switch thread.condition {
      case .runnable: "\"\(thread.name)\" can run after \(thread.place)"
      case .parked(_, nil): "\"\(thread.name)\" waits after \(thread.place)"
      case .parked(_, let deadline?): "\"\(thread.name)\" waits until \(deadline) ns after \(thread.place)"
      case .joining(let other): "\"\(thread.name)\" waits for the end of \"\(state.threads[other].name)\""
      case .ended: nil
      }
    }.joined(separator: ", ")
  }
}
