public import BenchScenario

/// An operation that an actor performs on a kind of snapshot, through a cache with a policy, in a phase with an event.
public struct Combination: Sendable, Hashable {
  public var operation: OperationVerb
  public var snapshot: SnapshotForm
  public var policy: CachePolicySetting
  public var event: EventForm

  public init(
    _ operation: OperationVerb,
    on snapshot: SnapshotForm,
    under policy: CachePolicySetting,
    with event: EventForm
  ) {
    self.operation = operation
    self.snapshot = snapshot
    self.policy = policy
    self.event = event
  }

  /// Whether a scenario can have the combination.
  var isPossible: Bool {
    // A write would end a long-lived read, and only a long-lived read can be moved.
    if operation.isWrite, snapshot.isLongLived { return false }
    if operation == .begin, !snapshot.isLongLived { return false }
    // The engine detects nested transactions only in the process of the threads.
    return !(operation.nests && event.endsProcess)
  }

  /// All combinations that a scenario can have.
  public static let possible: [Combination] = EventForm.allCases.flatMap { event in
    OperationVerb.allCases.flatMap { operation in
      SnapshotForm.allCases.flatMap { snapshot in
        CachePolicySetting.allCases.map { Combination(operation, on: snapshot, under: $0, with: event) }
      }
    }
  }.filter(\.isPossible)
}

extension Combination: CustomStringConvertible, LosslessStringConvertible {
  public var description: String { "\(operation) \(snapshot) \(policy) \(event)" }

  public init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 4, let operation = OperationVerb(rawValue: words[0]),
      let snapshot = SnapshotForm(rawValue: words[1]), let policy = CachePolicySetting(rawValue: words[2]),
      let event = EventForm(rawValue: words[3])
    else { return nil }
    self.init(operation, on: snapshot, under: policy, with: event)
  }
}
