internal import Synchronization

/// Raised once, seen by every thread that asks.
public final class StopFlag: Sendable {
  private let raised = Atomic<Bool>(false)

  public init() {}

  public var isRaised: Bool { raised.load(ordering: .acquiring) }

  public func raise() { raised.store(true, ordering: .releasing) }
}
