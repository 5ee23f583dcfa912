internal import Synchronization

/// The progress of closing a database. It only advances; any thread may read it.
struct ClosingState: ~Copyable, Sendable {
  private enum Step {
    static let open: UInt8 = 0
    static let draining: UInt8 = 1
    static let discarding: UInt8 = 2
  }

  private let step = Atomic<UInt8>(Step.open)

  /// Whether new calls are refused.
  var refusesNewCalls: Bool { step.load(ordering: .acquiring) != Step.open }

  /// Whether calls that were accepted earlier but have not started are refused as well.
  var discardsQueuedCalls: Bool { step.load(ordering: .acquiring) == Step.discarding }

  /// Refuses new calls from now on.
  func begin(discardingQueued: Bool) {
    step.max(discardingQueued ? Step.discarding : Step.draining, ordering: .acquiringAndReleasing)
  }
}
