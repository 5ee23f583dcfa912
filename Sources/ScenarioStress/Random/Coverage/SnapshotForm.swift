internal import BenchScenario

/// The snapshot that an actor reads, without durations and counts.
enum SnapshotForm: String, CaseIterable, Sendable {
  /// The newest at the start of each transaction.
  case latest
  /// A bookmark that does not move by itself.
  case never
  /// A bookmark that moves at each commit of another connection.
  case onNotification
  /// The same; the actor then reads the changed rows.
  case onNotificationReacting
  case every, everyReacting
  case behind, after

  init(_ actor: ActorSettings) {
    let reacts = actor.reactingRows != nil
    self =
      switch actor.snapshot {
      case .latest: .latest
      case .longLived(.never): .never
      case .longLived(.onNotification): reacts ? .onNotificationReacting : .onNotification
      case .longLived(.every): reacts ? .everyReacting : .every
      case .longLived(.behind): .behind
      case .longLived(.after): .after
      }
  }

  var isLongLived: Bool { self != .latest }

  var reacts: Bool {
    switch self {
    case .onNotificationReacting, .everyReacting: true
    case .latest, .never, .onNotification, .every, .behind, .after: false
    }
  }
}
