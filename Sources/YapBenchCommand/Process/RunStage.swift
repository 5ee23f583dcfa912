internal import Synchronization

/// The stage of `run`; shared with the thread that handles signals.
final class RunStage: Sendable {
  private let reporting = Atomic<Bool>(false)

  /// Whether a scenario has been measured and its report is being written.
  var isReporting: Bool {
    get { reporting.load(ordering: .acquiring) }
    set { reporting.store(newValue, ordering: .releasing) }
  }
}
