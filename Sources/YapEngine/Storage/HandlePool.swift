internal import ThreadingPrimitives

/// Handles of ended connections, kept for a while for new connections. They are open and configured, and their
/// statements are compiled.
///
/// A handle is pooled only if it has no open transaction and no running statement.
final class HandlePool: Sendable {
  private struct Entry {
    let handle: EngineHandle
    /// Nanoseconds of `MonotonicClock`.
    let expiresAt: UInt64
  }

  // A handle has one owner at a time, and none while it is in the pool.
  private struct State: @unchecked Sendable {
    /// The handles in the order of their return. The last is taken first, so that unneeded handles expire.
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

  /// Keeps a handle of an ended connection if it is at rest, and closes the oldest handle above the limit.
  func give(_ handle: EngineHandle) {
    guard handle.isAtRest, limit > 0 else { return handle.discard() }
    let (expiresAt, isNever) = MonotonicClock.now.addingReportingOverflow(lifetimeNanoseconds)
    let entry = Unchecked(Entry(handle: handle, expiresAt: isNever ? .max : expiresAt))
    let tooMany = state.withLock { state in
      if state.isClosed { return Unchecked<EngineHandle?>(entry.value.handle) }
      state.entries.append(entry.value)
      return Unchecked(state.entries.count > limit ? state.entries.removeFirst().handle : nil)
    }
    // Closing accesses files, so it happens outside the lock.
    tooMany.value?.discard()
  }

  /// Closes the handles whose lifetime has ended.
  func dropExpired(at now: UInt64) {
    let expired = state.withLock { state in
      let count = state.entries.prefix { $0.expiresAt <= now }.count
      defer { state.entries.removeFirst(count) }
      // Copy to a new array: a slice would share memory with `entries`, which is changed in place.
      return Unchecked(state.entries[..<count].map { $0 })
    }
    for entry in expired.value { entry.handle.discard() }
  }

  /// Closes all handles, and every handle given from now on.
  func close() {
    let left = state.withLock { state in
      state.isClosed = true
      defer { state.entries = [] }
      return Unchecked(state.entries)
    }
    for entry in left.value { entry.handle.discard() }
  }
}

/// Carries a value out of a lock. Only one thread at a time has the value.
// Handles pass from owner to owner and are never shared.
private struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
