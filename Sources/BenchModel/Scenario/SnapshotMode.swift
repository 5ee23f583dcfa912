/// Which snapshot an actor reads.
public enum SnapshotMode: Sendable, Equatable {
  /// The newest at the start of each transaction.
  case latest
  /// One that stays until the actor moves it.
  case longLived(SnapshotMove)

  public var isLongLived: Bool { self != .latest }

  /// Whether it goes round a pool of connections, which therefore is its own.
  var isBehind: Bool {
    if case .longLived(.behind) = self { true } else { false }
  }

  /// Whether the actor moves by itself while a phase runs, which is timed as the operation `advance`.
  public var movesByItself: Bool {
    switch self {
    case .latest, .longLived(.never): false
    case .longLived(.onNotification), .longLived(.every), .longLived(.behind), .longLived(.after): true
    }
  }
}

/// When a long-lived snapshot moves to the newest commit.
public enum SnapshotMove: Sendable, Equatable {
  /// As soon as the worker sees that another connection has committed.
  case onNotification
  case every(nanoseconds: UInt64)
  /// Always that many commits late: of a pool of one connection more, each moves at a commit in its turn, and the one
  /// that moved first is read.
  case behind(commits: Int)
  /// Once, that long after the phase has begun.
  case after(nanoseconds: UInt64)
  case never
}
