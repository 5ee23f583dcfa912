internal import ThreadingPrimitives

#if Jemalloc
  internal import CJemalloc
#endif

/// Counts what one thread allocates.
///
/// jemalloc counts by arena, and by thread only bytes: so the thread gets an arena of its own while it is counted. What
/// the thread keeps in its cache is counted when the cache is emptied, which is done at both ends.
struct AllocationCount: ~Copyable {
  #if Jemalloc
    private let arena: UInt32
    private let previousArena: UInt32
    private let countBefore: UInt64

    /// Arenas that no thread uses; jemalloc never gives one back, so they serve again.
    private static let unused = Guarded<[UInt32]>([])
  #endif

  /// Begins to count what the calling thread allocates.
  /// - Returns: nil without jemalloc, and where it has no arena left.
  static func begin() -> AllocationCount? {
    #if Jemalloc
      guard let arena = unused.withLock({ $0.popLast() }) ?? newArena() else { return nil }
      var previous: UInt32 = 0
      guard cjemalloc_use_arena(arena, &previous) == 0 else { return nil }
      return AllocationCount(arena: arena, previousArena: previous, countBefore: cjemalloc_allocations(arena))
    #else
      return nil
    #endif
  }

  /// Ends counting, on the same thread.
  /// - Returns: how often the thread has allocated since the beginning, whatever became of it.
  consuming func end() -> Int {
    #if Jemalloc
      let count = cjemalloc_allocations(arena)
      var own: UInt32 = 0
      _ = cjemalloc_use_arena(previousArena, &own)
      let arena = arena
      Self.unused.withLock { $0.append(arena) }
      return Int(count - min(countBefore, count))
    #else
      return 0
    #endif
  }

  #if Jemalloc
    private static func newArena() -> UInt32? {
      var arena: UInt32 = 0
      return cjemalloc_create_arena(&arena) == 0 ? arena : nil
    }
  #endif
}
