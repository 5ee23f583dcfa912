internal import Synchronization

/// What a connection's caches did. Written under the connection's lane, read by anybody.
final class CacheCounters: Sendable {
  let objectHits = LaneCounter()
  let objectMisses = LaneCounter()
  let decodedObjects = LaneCounter()
  let droppedObjects = LaneCounter()
  let metadataHits = LaneCounter()
  let metadataMisses = LaneCounter()
  let decodedMetadata = LaneCounter()
  let droppedMetadata = LaneCounter()
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
