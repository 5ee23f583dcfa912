internal import Synchronization

extension YapDatabaseStatistics {
  /// The activity of a connection's caches since the connection was created.
  public struct Caches: Sendable {
    /// The activity of one cache: objects or metadata.
    public struct Values: Sendable {
      /// Lookups that the cache answered.
      public let hits: Int
      /// Other lookups, including those in a disabled cache.
      public let misses: Int
      /// Attempts to decode stored bytes, including failed ones.
      public let decoded: Int
      /// Copies made under the policy copy, of values that this connection stored or that it received from another one.
      public let copied: Int
      /// Cached values that were replaced, under share or copy, by values that another connection stored.
      public let updatedByPolicy: Int
      /// Cached values that were dropped because another connection had changed or removed the row.
      public let dropped: Int
      /// Misses of rows whose values were dropped because another connection had changed them, so the rows are read
      /// again. The cache remembers only the rows that were dropped last, as many as its limit.
      public let readAgain: Int

      init(_ counters: ValueCounters) {
        hits = counters.hits.value
        misses = counters.misses.value
        decoded = counters.decoded.value
        copied = counters.copied.value
        updatedByPolicy = counters.updatedByPolicy.value
        dropped = counters.dropped.value
        readAgain = counters.readAgain.value
      }
    }

    /// Lookups that the two caches of a connection did not answer, objects and metadata together.
    public struct Misses: Sendable, Equatable {
      /// The sum of `Values.misses`.
      public let count: Int
      /// The sum of `Values.readAgain`, which is a part of `count`.
      public let readAgain: Int
    }

    public let objects: Values
    public let metadata: Values

    init(_ counters: CacheCounters) {
      objects = Values(counters.objects)
      metadata = Values(counters.metadata)
    }
  }
}

extension YapDatabaseReadTransaction {
  /// The misses of the connection's caches so far, over all its transactions. The difference across a call is the
  /// outcome of that call: without a difference, the caches answered it. Costs four loads.
  public final var cacheMisses: YapDatabaseStatistics.Caches.Misses {
    let (objects, metadata) = (connection.counters.objects, connection.counters.metadata)
    return YapDatabaseStatistics.Caches.Misses(
      count: objects.misses.value + metadata.misses.value,
      readAgain: objects.readAgain.value + metadata.readAgain.value
    )
  }
}

/// The counters of a connection's caches. They are written under the connection's lane and read from any thread.
final class CacheCounters: Sendable {
  let objects = ValueCounters()
  let metadata = ValueCounters()
}

/// The counters of one cache. They have the names of `YapDatabaseStatistics.Caches.Values`.
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
struct LaneCounter: ~Copyable, Sendable {
  private let count = Atomic<Int>(0)

  var value: Int { count.load(ordering: .relaxed) }

  @inline(__always)
  func add(_ amount: Int) {
    count.store(count.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
  }
}
