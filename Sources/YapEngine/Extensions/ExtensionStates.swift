internal import ThreadingPrimitives

/// The extensions that are registered at one snapshot, and the contents of each at that snapshot. An immutable value.
///
/// Commits carry the states, so a connection that stands on a commit sees the extensions of that snapshot and no
/// others. No connection has to follow changes of extensions, and a rollback has nothing to undo. Versions share their
/// equal parts.
struct ExtensionStates: Sendable {
  struct Registered: Sendable {
    let name: ByteString
    let view: YapDatabaseView
    /// The number under which the view's pages are stored; nil for a view that is kept in memory only.
    let number: Int64?
    var state: ViewState
  }

  /// The extensions in the order of their registration, so an extension comes after those that it depends on.
  var registered: [Registered] = []

  func find(_ name: ByteString) -> Registered? { registered.first { $0.name == name } }

  /// Returns the extensions that a view names as its dependencies, in the order of their registration.
  func dependencies(of view: YapDatabaseView) -> [Registered] {
    let names = Set(view.options.dependencies.map { ByteString($0) })
    return registered.filter { names.contains($0.name) }
  }

  /// Returns the names of an extension and of all extensions that depend on it directly or indirectly.
  func dependants(of name: ByteString) -> Set<ByteString> {
    registered.reduce(into: [name]) { names, registered in
      let needed = registered.view.options.dependencies.map { ByteString($0) }
      if !names.isDisjoint(with: needed) { names.insert(registered.name) }
    }
  }
}

/// The extensions as of one commit, and as of the commits after it that leave them unchanged.
///
/// The states are dropped once `RecentExtensions.limit` later commits have changed the extensions: a bookmark that does
/// not move keeps all later commits in memory, and must not keep a version of every view for each of them. A connection
/// that stands on a commit holds the states itself (`AdoptedExtensions`).
final class ExtensionSnapshot: Sendable {
  private let held: Guarded<ExtensionStates?>

  init(_ states: ExtensionStates) {
    held = Guarded(states)
  }

  /// The states; nil after `release()`.
  var states: ExtensionStates? { held.withLock { $0 } }

  func release() {
    // Clients' closures and many nodes may be released for the last time here, which must not happen under the lock.
    let states = held.withLock { $0.take() }
    withExtendedLifetime(states) {}
  }
}

/// The newest versions of the extensions. They are kept because a reader may still need them: it takes SQLite's
/// snapshot before it looks up the commit in the registry.
struct RecentExtensions {
  /// The number of versions that are kept. A reader whose version is older has to take a newer snapshot.
  static let limit = 16

  private var snapshots: [ExtensionSnapshot] = []

  /// Adds the extensions of the newest commit, unless the previous commit has the same. Drops the states of the oldest
  /// version above the limit.
  mutating func add(_ snapshot: ExtensionSnapshot) {
    if snapshots.last === snapshot { return }
    snapshots.append(snapshot)
    if snapshots.count > Self.limit { snapshots.removeFirst().release() }
  }
}

extension CommitFollower {
  /// The extensions of the snapshot that the connection stands on, taken from its commit.
  struct AdoptedExtensions {
    let snapshot: ExtensionSnapshot
    let states: ExtensionStates
  }

  /// Adopts the extensions of a commit on which the connection is about to stand. Must be called with the lane held.
  /// - Returns: false if the commit's states were dropped because many later commits have changed the extensions.
  func adopt(_ commit: Commit) -> Bool {
    guard let snapshot = commit.extensions else { return true }
    if adopted?.snapshot === snapshot { return true }
    guard let states = snapshot.states else { return false }
    adopted = AdoptedExtensions(snapshot: snapshot, states: states)
    return true
  }

  /// Returns the newest commit, with its extensions adopted.
  ///
  /// Retries if the states are dropped before they are adopted, because many commits follow. This cannot happen while
  /// the calling thread holds the write lane.
  ///
  /// A connection that only reads learns of the commits of other processes by its next snapshot, and not before.
  func adoptNewest() -> Commit {
    if database.options.isReadOnly { return commit }
    while true {
      let newest = database.registry.withLock { $0.newest }
      if adopt(newest) { return newest }
    }
  }
}
