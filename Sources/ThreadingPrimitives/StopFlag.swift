internal import Synchronization

/// A flag that is raised once and that every thread can read.
public final class StopFlag: Sendable {
  private let raised = Atomic<Bool>(false)

  public init() {}

  public var isRaised: Bool { raised.load(ordering: .acquiring) }

  public func raise() { raised.store(true, ordering: .releasing) }
}
