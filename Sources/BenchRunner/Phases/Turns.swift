internal import ThreadingPrimitives

/// Lets the workers of a phase work one at a time, in an order that is the same in every run, so that a tool can count
/// their instructions.
///
/// The turns have their own time. It stands still while a worker works. When all wait, it advances to the earliest time
/// for which one waits. So no clock decides what is due: arrivals, moves of bookmarks, or the end of the phase.
final class Turns: Sendable {
  private let order: Guarded<TurnOrder>
  private let parkers: [Parker]

  init(workers: Int) {
    order = Guarded(TurnOrder(workers: workers))
    parkers = (0..<workers).map { _ in Parker() }
  }

  /// Ends the turn of a worker, and waits for its next one.
  /// - Parameter time: the time for which the worker waits.
  /// - Returns: the time of the turn, at least `time`.
  func next(of worker: Int, at time: UInt64) -> UInt64 {
    handOver(to: order.withLock { $0.wait(worker, until: time) })
    while true {
      let (isMine, now) = order.withLock { ($0.turn == worker, $0.now) }
      if isMine { return now }
      parkers[worker].park()
    }
  }

  /// Ends the last turn of a worker, or leaves it out from the beginning.
  func leave(_ worker: Int) { handOver(to: order.withLock { $0.leave(worker) }) }

  /// Whether a checkpoint is due. The worker whose turn it is then makes one.
  func takeCheckpoint() -> Bool { order.withLock { $0.takeCheckpoint() } }

  private func handOver(to worker: Int?) {
    if let worker { parkers[worker].unpark() }
  }
}

/// The order of the turns: a state machine without clock and threads. Of the workers that wait for the earliest time,
/// the one with the lowest number comes first.
struct TurnOrder: Equatable {
  private enum Worker: Equatable {
    case working
    case waiting(until: UInt64)
    case left
  }

  /// The time between two checkpoints.
  private static let checkpointNanoseconds: UInt64 = 100_000_000

  private var workers: [Worker]
  private var nextCheckpoint: UInt64?
  /// The time of the current turn.
  private(set) var now: UInt64 = 0
  /// The worker whose turn it is; nil until all workers wait for their first turns, and after the last turn.
  private(set) var turn: Int?

  /// - Parameter count: the number of workers, all of which are working, each for itself, until they first wait.
  init(workers count: Int) { workers = Array(repeating: .working, count: count) }

  /// Makes a worker wait for a turn.
  /// - Returns: the worker whose turn begins; nil if another one still works.
  mutating func wait(_ worker: Int, until time: UInt64) -> Int? { end(worker, as: .waiting(until: time)) }

  /// Takes a worker out of the order.
  /// - Returns: the worker whose turn begins; nil if another one still works, or none is left.
  mutating func leave(_ worker: Int) -> Int? { end(worker, as: .left) }

  /// Returns whether a checkpoint is due in the current turn. The first is due one interval after the first turn.
  mutating func takeCheckpoint() -> Bool {
    guard let due = nextCheckpoint, now >= due else { return false }
    nextCheckpoint = now + Self.checkpointNanoseconds
    return true
  }

  private mutating func end(_ worker: Int, as state: Worker) -> Int? {
    workers[worker] = state
    if turn == worker { turn = nil }
    var first: (worker: Int, time: UInt64)?
    for (worker, state) in workers.enumerated() {
      switch state {
      case .working: return nil
      case .waiting(let time) where time < first?.time ?? .max: first = (worker, time)
      case .waiting, .left: break
      }
    }
    guard let first else { return nil }
    workers[first.worker] = .working
    (turn, now) = (first.worker, max(now, first.time))
    nextCheckpoint = nextCheckpoint ?? now + Self.checkpointNanoseconds
    return first.worker
  }
}
