internal import ThreadingPrimitives

/// The extensions that are registered at one snapshot, and what each holds there: a value that nobody changes.
///
/// Commits carry it, so whoever stands on a commit sees the extensions of that snapshot and no others: nothing has to
/// be followed, and nothing to be undone. Versions share what they have in common.
struct ExtensionStates: Sendable {
  struct Registered: Sendable {
    let name: ByteString
    let view: YapDatabaseView
    /// Under which its pages are stored; nil for one that is in memory only.
    let number: Int64?
    var state: ViewState
  }

  /// In the order in which they were registered: whoever depends on another comes after it.
  var registered: [Registered] = []

  func find(_ name: ByteString) -> Registered? { registered.first { $0.name == name } }
}

/// The extensions of one commit and of those after it, up to the next one that changes them.
///
/// It is emptied once some commits have changed them since: a bookmark that stays holds all later commits in memory,
/// and must not hold a version of every view for each. Who stands on a commit has taken its states before.
final class ExtensionSnapshot: Sendable {
  private let held: Guarded<ExtensionStates?>

  init(_ states: ExtensionStates) {
    held = Guarded(states)
  }

  /// nil once they were let go.
  var states: ExtensionStates? { held.withLock { $0 } }

  func letGo() {
    // The last release of the client's closures, and of many nodes, happens out here, without the lock.
    let states = held.withLock { held in
      defer { held = nil }
      return held
    }
    withExtendedLifetime(states) {}
  }
}

/// The newest snapshots, which a reader may be about to pin: SQLite's snapshot is taken before the registry is asked.
struct RecentExtensions {
  /// A reader that comes later than after so many changes has to take a newer snapshot.
  static let limit = 16

  private var snapshots: [ExtensionSnapshot] = []

  /// Adds the snapshot of the newest commit, unless it is that of the commit before.
  mutating func add(_ snapshot: ExtensionSnapshot) {
    if snapshots.last === snapshot { return }
    snapshots.append(snapshot)
    if snapshots.count > Self.limit { snapshots.removeFirst().letGo() }
  }
}
