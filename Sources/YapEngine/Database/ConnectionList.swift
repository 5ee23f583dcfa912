internal import ThreadingPrimitives

/// The connections of a database that may have an open handle: they are being opened, in use, or being released.
final class ConnectionList: Sendable {
  private struct State {
    /// A reference is nil while its connection is being opened or released.
    var references: [ConnectionID: WeakConnection] = [:]
    /// The threads that wait for the next change of a reference.
    var waiting: [Parker] = []
  }

  private let state = Guarded(State())

  /// Lists a connection before its handle is opened.
  func begin(_ id: ConnectionID) { change { $0[id] = WeakConnection(nil) } }

  func add(_ connection: YapDatabaseConnection) { change { $0[connection.id] = WeakConnection(connection) } }

  /// Removes a connection whose handle is closed or in the pool.
  func end(_ id: ConnectionID) { change { $0[id] = nil } }

  private func change(_ body: (inout [ConnectionID: WeakConnection]) -> Void) {
    let waiting = state.withLock { state in
      body(&state.references)
      defer { state.waiting = [] }
      return state.waiting
    }
    for parker in waiting { parker.unpark() }
  }

  /// The connections in use, by number.
  var live: [YapDatabaseConnection] { live(state.withLock { Array($0.references.values) }) }

  // Strong references are taken outside the lock, because the release of the last one runs the connection's deinit,
  // which acquires it.
  private func live(_ references: [WeakConnection]) -> [YapDatabaseConnection] {
    references.compactMap(\.connection).sorted { $0.id < $1.id }
  }

  /// Calls `body` with the connections in use, once more after each change, until none is being opened or released.
  /// - Parameter deadline: Nanoseconds of `MonotonicClock`.
  /// - Returns: false if the deadline passed first.
  func settle(by deadline: UInt64, _ body: ([YapDatabaseConnection]) throws -> Void) rethrows -> Bool {
    while true {
      let change = Parker()
      let references = state.withLock { state in
        state.waiting.append(change)
        return Array(state.references.values)
      }
      let live = live(references)
      try body(live)
      if live.count == references.count { return true }
      if !change.park(deadline: deadline) { return false }
    }
  }
}

struct WeakConnection: Sendable {
  weak let connection: YapDatabaseConnection?

  init(_ connection: YapDatabaseConnection?) {
    self.connection = connection
  }
}
