internal import Synchronization

/// What a connection's caches did. Written under the connection's lane, read by anybody.
final class CacheCounters: Sendable {
  let objects = ValueCounters()
  let metadata = ValueCounters()
}

/// What one of them did.
final class ValueCounters: Sendable {
  let hits = LaneCounter()
  let misses = LaneCounter()
  let decoded = LaneCounter()
  let copied = LaneCounter()
  let updatedByPolicy = LaneCounter()
  let dropped = LaneCounter()
  let readAgain = LaneCounter()
}

/// A counter with one writer at a time: a load and a store, no locked instruction.
final class LaneCounter: Sendable {
  private let count = Atomic<Int>(0)

  var value: Int { count.load(ordering: .relaxed) }

  @inline(__always)
  func add(_ amount: Int) {
    count.store(count.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
  }
}
