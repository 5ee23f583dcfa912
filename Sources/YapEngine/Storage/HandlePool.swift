internal import ThreadingPrimitives

/// Handles of connections that are gone, kept for a while for those that come: they are open, configured, and have
/// their statements compiled.
///
/// Handed over are handles at rest only: with no transaction and no statement under way.
final class HandlePool: Sendable {
  private struct Entry {
    let handle: EngineHandle
    /// Nanoseconds of `MonotonicClock`.
    let expiresAt: UInt64
  }

  // Handles are used by one owner at a time; in here by nobody.
  private struct State: @unchecked Sendable {
    /// The one that was given last comes last: it is taken first, and the others may grow old.
    var entries: [Entry] = []
    var isClosed = false
  }

  private let limit: Int
  private let lifetimeNanoseconds: UInt64
  private let state = Guarded(State())

  init(limit: Int, lifetimeNanoseconds: UInt64) {
    self.limit = limit
    self.lifetimeNanoseconds = lifetimeNanoseconds
  }

  var count: Int { state.withLock { $0.entries.count } }

  func take() -> EngineHandle? {
    state.withLock { Unchecked($0.entries.popLast()?.handle) }.value
  }

  /// Keeps a handle that its connection needs no more, or closes it.
  func give(_ handle: EngineHandle) {
    guard handle.isAtRest, limit > 0 else { return handle.discard() }
    let (expiresAt, isNever) = MonotonicClock.now.addingReportingOverflow(lifetimeNanoseconds)
    let entry = Unchecked(Entry(handle: handle, expiresAt: isNever ? .max : expiresAt))
    let tooMany = state.withLock { state in
      if state.isClosed { return Unchecked<EngineHandle?>(entry.value.handle) }
      state.entries.append(entry.value)
      return Unchecked(state.entries.count > limit ? state.entries.removeFirst().handle : nil)
    }
    // Closing is a matter of files: it happens outside of the lock.
    tooMany.value?.discard()
  }

  /// Closes those that have been here too long.
  func dropExpired(at now: UInt64) {
    let expired = state.withLock { state in
      let count = state.entries.prefix { $0.expiresAt <= now }.count
      defer { state.entries.removeFirst(count) }
      // A list of its own: one that shared its memory with `entries` would be read while that is changed in place.
      return Unchecked(state.entries[..<count].map { $0 })
    }
    for entry in expired.value { entry.handle.discard() }
  }

  /// Closes all, and keeps none from now on.
  func close() {
    let left = state.withLock { state in
      state.isClosed = true
      defer { state.entries = [] }
      return Unchecked(state.entries)
    }
    for entry in left.value { entry.handle.discard() }
  }
}

/// Carries a value that one thread at a time has across a lock.
// Handles move from one owner to the next, and are never shared.
private struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
