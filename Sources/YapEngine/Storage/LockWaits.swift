internal import Synchronization

/// Counts how often a database's handles waited for a lock held outside the engine.
final class LockWaits: Sendable {
  private let waits = Atomic<Int>(0)

  var count: Int { waits.load(ordering: .relaxed) }

  func note() { waits.add(1, ordering: .relaxed) }
}
