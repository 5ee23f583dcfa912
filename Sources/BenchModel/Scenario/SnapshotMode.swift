/// Which snapshot an actor reads.
public enum SnapshotMode: Sendable, Equatable {
  /// The newest at the start of each transaction.
  case latest
  /// One that stays until the actor moves it.
  case longLived(SnapshotMove)

  public var isLongLived: Bool { self != .latest }

  /// Whether the actor moves by itself while a phase runs, which is timed as the operation `advance`.
  public var movesByItself: Bool {
    switch self {
    case .latest, .longLived(.never): false
    case .longLived(.onNotification), .longLived(.every): true
    }
  }
}

/// When a long-lived snapshot moves to the newest commit.
public enum SnapshotMove: Sendable, Equatable {
  /// As soon as the worker sees that another connection has committed.
  case onNotification
  case every(nanoseconds: UInt64)
  case never
}
