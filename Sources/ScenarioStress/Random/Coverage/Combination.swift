internal import BenchScenario

/// An operation that an actor performs on a kind of snapshot, through a cache with a policy, in a phase with an event.
struct Combination: Sendable, Hashable {
  var operation: OperationVerb
  var snapshot: SnapshotForm
  var policy: CachePolicySetting
  var event: EventForm

  /// Whether a scenario can have the combination.
  var isPossible: Bool {
    // A write would end a long-lived read, and only a long-lived read can be moved.
    if operation.isWrite, snapshot.isLongLived { return false }
    if operation == .begin, !snapshot.isLongLived { return false }
    // The engine detects nested transactions only in the process of the threads.
    return !(operation.nests && event.endsProcess)
  }

  /// All combinations that a scenario can have.
  static let possible: [Combination] = EventForm.allCases.flatMap { event in
    OperationVerb.allCases.flatMap { operation in
      SnapshotForm.allCases.flatMap { snapshot in
        CachePolicySetting.allCases.map {
          Combination(operation: operation, snapshot: snapshot, policy: $0, event: event)
        }
      }
    }
  }.filter(\.isPossible)
}

extension Combination: CustomStringConvertible, LosslessStringConvertible {
  var description: String { "\(operation) \(snapshot) \(policy) \(event)" }

  init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 4, let operation = OperationVerb(rawValue: words[0]),
      let snapshot = SnapshotForm(rawValue: words[1]), let policy = CachePolicySetting(rawValue: words[2]),
      let event = EventForm(rawValue: words[3])
    else { return nil }
    self.init(operation: operation, snapshot: snapshot, policy: policy, event: event)
  }
}
