internal import Synchronization

/// How often the handles of one database have waited for a lock that somebody outside of the engine held.
final class LockWaits: Sendable {
  private let waits = Atomic<Int>(0)

  var count: Int { waits.load(ordering: .relaxed) }

  func note() { waits.add(1, ordering: .relaxed) }
}
