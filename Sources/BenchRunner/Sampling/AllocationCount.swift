internal import ThreadingPrimitives

#if Jemalloc
  internal import CJemalloc
#endif

/// Counts what one thread allocates.
///
/// jemalloc counts by arena, and by thread only bytes: so the thread gets an arena of its own while it is counted. What
/// the thread keeps in its cache is counted when the cache is emptied, which is done at both ends.
///
/// Reading makes the statistics of all arenas current, which takes longer the more there are. So the counts of all
/// threads that have ended are read at once.
struct AllocationCount: ~Copyable {
  /// The count of a thread that has ended counting. Its arena serves again once `total` has read it.
  struct Finished: Sendable {
    #if Jemalloc
      fileprivate let arena: UInt32
      fileprivate let countBefore: UInt64
    #endif
  }

  #if Jemalloc
    /// An arena that no thread uses, and how often its threads have allocated.
    private struct UnusedArena {
      let arena: UInt32
      let count: UInt64
    }

    private let arena: UInt32
    private let previousArena: UInt32
    private let countBefore: UInt64

    /// jemalloc never gives an arena back, so they serve again.
    private static let unused = Guarded<[UnusedArena]>([])
  #endif

  /// Begins to count what the calling thread allocates.
  /// - Returns: nil without jemalloc, and where it has no arena left.
  static func begin() -> AllocationCount? {
    #if Jemalloc
      guard let unused = unused.withLock({ $0.popLast() }) ?? newArena() else { return nil }
      // Allocations that the thread's cache has served before belong to its own arena.
      cjemalloc_flush_thread()
      var previous: UInt32 = 0
      guard cjemalloc_use_arena(unused.arena, &previous) == 0 else { return nil }
      return AllocationCount(arena: unused.arena, previousArena: previous, countBefore: unused.count)
    #else
      return nil
    #endif
  }

  /// Ends counting, on the same thread.
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

  /// The number of allocations that the threads made while they were counted, freed or not. To be called once for each
  /// count, which need not be on its thread.
  static func total(_ finished: [Finished]) -> Int {
    #if Jemalloc
      guard !finished.isEmpty else { return 0 }
      _ = cjemalloc_refresh()
      return finished.reduce(0) { sum, finished in
        let count = cjemalloc_allocations(finished.arena)
        unused.withLock { $0.append(UnusedArena(arena: finished.arena, count: count)) }
        return sum + Int(count - min(finished.countBefore, count))
      }
    #else
      return 0
    #endif
  }

  #if Jemalloc
    private static func newArena() -> UnusedArena? {
      var arena: UInt32 = 0
      return cjemalloc_create_arena(&arena) == 0 ? UnusedArena(arena: arena, count: 0) : nil
    }
  #endif
}
