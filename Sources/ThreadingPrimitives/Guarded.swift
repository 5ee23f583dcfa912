internal import CPlatform
public import Synchronization

/// A value behind a lock, held for a moment at a time.
///
/// Like `Synchronization.Mutex`, and for one reason not it: the contended path of that one lies inside the standard
/// library, where the thread sanitizer does not see that the lock was taken, and reports as a race whatever was done
/// under it. Here each step is in code of ours.
///
/// One compare-and-swap when nobody else is in there. Not fair, not recursive.
// The value is reached with the lock held only; the pointers never change.
public struct Guarded<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  @usableFromInline
  enum Word {
    @usableFromInline static var free: UInt32 { 0 }
    @usableFromInline static var held: UInt32 { 1 }
    /// Held, and somebody may be asleep.
    @usableFromInline static var contended: UInt32 { 2 }
  }

  /// In memory of its own, because the kernel is told its address.
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

  /// Runs `body` alone. Nothing that waits belongs in there, nor a further `withLock` of the same value.
  @inlinable
  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    let (isMine, _) = word.pointee.compareExchange(expected: Word.free, desired: Word.held, ordering: .acquiring)
    if !isMine { Self.wait(for: word) }
    defer { if word.pointee.exchange(Word.free, ordering: .releasing) == Word.contended { Self.wake(word) } }
    return try body(&value.pointee)
  }

  /// Spins for the length of a short section, then sleeps. Whoever has slept leaves the word contended, because others
  /// may sleep still: Drepper, "Futexes are tricky", section 6.
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

  /// The word may be gone by now, with the value's owner: the kernel then finds nobody there, and that is all.
  @usableFromInline
  @inline(never)
  static func wake(_ word: UnsafeMutablePointer<Atomic<UInt32>>) {
    cplatform_futex_wake_one(word)
  }
}
