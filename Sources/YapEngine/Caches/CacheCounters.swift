internal import Synchronization

/// The counters of a connection's caches. They are written under the connection's lane and read from any thread.
final class CacheCounters: Sendable {
  let objects = ValueCounters()
  let metadata = ValueCounters()
}

/// The counters of one cache.
final class ValueCounters: Sendable {
  let hits = LaneCounter()
  let misses = LaneCounter()
  let decoded = LaneCounter()
  let copied = LaneCounter()
  let updatedByPolicy = LaneCounter()
  let dropped = LaneCounter()
  let readAgain = LaneCounter()
}

/// A counter with one writer at a time: `add` is a load and a store, without a locked instruction.
final class LaneCounter: Sendable {
  private let count = Atomic<Int>(0)

  var value: Int { count.load(ordering: .relaxed) }

  @inline(__always)
  func add(_ amount: Int) {
    count.store(count.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
  }
}
