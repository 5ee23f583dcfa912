internal import CPlatform
public import Synchronization

/// A value protected by a lock that is held only briefly.
///
/// Replaces `Synchronization.Mutex` for one reason: the contended path of that type is inside the standard library,
/// where the thread sanitizer does not see the lock being acquired, so it reports accesses under the lock as races.
/// Here each step is in this project's code.
///
/// Without contention, acquiring takes one compare-and-swap. Not fair, not recursive.
// The value is accessed only with the lock held; the pointers never change.
public struct Guarded<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  @usableFromInline
  enum Word {
    @usableFromInline static var free: UInt32 { 0 }
    @usableFromInline static var held: UInt32 { 1 }
    /// Held, and a thread may be asleep.
    @usableFromInline static var contended: UInt32 { 2 }
  }

  /// Allocated separately, because the kernel gets its address.
  @usableFromInline let word: UnsafeMutablePointer<Atomic<UInt32>>
  @usableFromInline let value: UnsafeMutablePointer<Value>

  @inlinable
  public init(_ value: consuming sending Value) {
    word = .allocate(capacity: 1)
    word.initialize(to: Atomic(Word.free))
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    word.deinitialize(count: 1)
    word.deallocate()
  }

  /// Runs `body` with the lock held. `body` must not block, and must not call `withLock` of the same value.
  ///
  /// To use a guarded array after the call, return a copy of it with `map { $0 }`. If the array itself were returned,
  /// both would share one buffer, and the next change under the lock would copy it.
  @inlinable
  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    let (isMine, _) = word.pointee.compareExchange(expected: Word.free, desired: Word.held, ordering: .acquiring)
    if !isMine { Self.wait(for: word) }
    defer { if word.pointee.exchange(Word.free, ordering: .releasing) == Word.contended { Self.wake(word) } }
    return try body(&value.pointee)
  }

  /// Spins for the duration of a short section, then sleeps. A thread that acquires the lock after the spinning leaves
  /// the word contended, because others may still sleep: Drepper, "Futexes are tricky", section 6.
  @usableFromInline
  @inline(never)
  static func wait(for word: UnsafeMutablePointer<Atomic<UInt32>>) {
    for _ in 0..<100 where word.pointee.load(ordering: .relaxed) == Word.free {
      if word.pointee.compareExchange(expected: Word.free, desired: Word.held, ordering: .acquiring).exchanged {
        return
      }
    }
    while word.pointee.exchange(Word.contended, ordering: .acquiring) != Word.free {
      _ = cplatform_futex_wait(word, Word.contended, .max)
    }
  }

  /// Wakes a sleeping thread. If the word has been freed since, this wakes none, or one that checks its own word.
  @usableFromInline
  @inline(never)
  static func wake(_ word: UnsafeMutablePointer<Atomic<UInt32>>) {
    cplatform_futex_wake_one(word)
  }
}
