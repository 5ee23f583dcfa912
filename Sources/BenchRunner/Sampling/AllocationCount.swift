internal import ThreadingPrimitives

#if Jemalloc
  internal import CJemalloc
#endif

/// Counts the allocations of one thread.
///
/// jemalloc counts allocations by arena, and only bytes by thread, so the thread gets an arena of its own while it is
/// counted. The thread's cache is flushed when counting begins and ends, because a flush counts its allocations.
///
/// Reading refreshes the statistics of all arenas, which takes longer the more there are. So the counts of all threads
/// that have ended are read together.
struct AllocationCount: ~Copyable {
  /// The count of a thread that has stopped counting. The arena is reused after `total` has read its count.
  struct Finished: Sendable {
    #if Jemalloc
      fileprivate let arena: UInt32
      fileprivate let countBefore: UInt64
    #endif
  }

  #if Jemalloc
    /// An arena that no thread uses, with the number of allocations so far.
    private typealias UnusedArena = (arena: UInt32, count: UInt64)

    private let arena: UInt32
    private let previousArena: UInt32
    private let countBefore: UInt64

    /// Arenas for reuse, because jemalloc never frees one.
    private static let unused = Guarded<[UnusedArena]>([])
  #endif

  /// Begins to count the allocations of the calling thread.
  /// - Returns: nil without jemalloc, and if no arena can be created or used.
  static func begin() -> AllocationCount? {
    #if Jemalloc
      guard let unused = unused.withLock({ $0.popLast() }) ?? newArena() else { return nil }
      // Allocations that the thread's cache has served so far belong to its previous arena.
      cjemalloc_flush_thread()
      var previous: UInt32 = 0
      guard cjemalloc_use_arena(unused.arena, &previous) == 0 else { return nil }
      return AllocationCount(arena: unused.arena, previousArena: previous, countBefore: unused.count)
    #else
      return nil
    #endif
  }

  /// Stops counting. Must be called on the same thread.
  consuming func end() -> Finished {
    #if Jemalloc
      cjemalloc_flush_thread()
      var own: UInt32 = 0
      _ = cjemalloc_use_arena(previousArena, &own)
      return Finished(arena: arena, countBefore: countBefore)
    #else
      return Finished()
    #endif
  }

  /// Returns the number of allocations that the threads made while they were counted, freed or not; 0 without jemalloc.
  /// Must be called at most once for each count, on any thread.
  static func total(_ finished: [Finished]) -> Int {
    #if Jemalloc
      guard !finished.isEmpty else { return 0 }
      _ = cjemalloc_refresh()
      return finished.reduce(0) { sum, finished in
        let count = cjemalloc_allocations(finished.arena)
        unused.withLock { $0.append((finished.arena, count)) }
        return sum + Int(count - min(finished.countBefore, count))
      }
    #else
      return 0
    #endif
  }

  #if Jemalloc
    private static func newArena() -> UnusedArena? {
      var arena: UInt32 = 0
      return cjemalloc_create_arena(&arena) == 0 ? (arena, 0) : nil
    }
  #endif
}
