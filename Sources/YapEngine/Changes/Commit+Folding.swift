/// Folding replaces the oldest commits that a connection's client has yet to be shown by a single commit, which bounds
/// memory.
///
/// The list of commits is shared, and its links never change. Folding makes another list instead: a copy of the last
/// commit that the client was shown, then the folded commit, then the rest of the shared list.
///
///     shared   10 → 11 → 12 → 13 → 14 → 15
///     folded   10′ → 11…13 ───────↗
///
/// For questions about changes, a folded commit gives the same answers as the commits that it replaces.
extension Commit {
  /// The largest number of keys that folding copies per commit. Folding a folded commit again copies its keys, so for
  /// every 16 of them one more commit may wait above the limit.
  private static var keysCopiedForACommit: Int { 16 }

  /// Returns a copy of this commit, from which a follower continues, with the oldest commits after it folded into one.
  ///
  /// Folds only if more commits wait than `limit`, and then until three quarters of the limit remain.
  /// - Parameters:
  ///   - newest: The last commit of the list.
  ///   - limit: The maximum number of commits that wait individually.
  /// - Returns: nil if nothing has to be folded.
  func folded(upTo newest: Commit, limit: Int) -> Commit? {
    guard let next, next.snapshot < newest.snapshot else { return nil }
    let isFolded = next.changes.foldedFrom != nil
    let copied = isFolded ? next.changes.changedKeyCount / Self.keysCopiedForACommit : 0
    let waiting = Int(newest.snapshot - (isFolded ? next.snapshot : snapshot))
    let kept = limit - limit / 4
    guard waiting > limit + copied, isFolded || waiting - kept > 1 else { return nil }
    return folded(through: newest.snapshot - UInt64(kept))
  }

  private func folded(through last: UInt64) -> Commit {
    var changes = ChangeSet()
    var folded = self
    while folded.snapshot < last {
      guard let next = folded.next else {
        preconditionFailure("commit \(last) is not after commit \(folded.snapshot) in the list")
      }
      switch next.changes {
      case .set(let set) where set.foldedFrom != nil: changes = set.changes
      case .set(let set): changes.fold(set.changes)
      case .rows(let rows): changes.fold(rows)
      }
      folded = next
    }
    guard let rest = folded.next else { preconditionFailure("the newest commit \(last) cannot be folded") }
    let set = SharedChangeSet(changes, foldedFrom: snapshot + 1)
    let one = Commit(folded, standingFor: set, committedAt: next?.committedAt ?? folded.committedAt)
    let start = Commit(self, beforeFolded: folded, changeBytes: Self.bytes + set.allocatedBytes)
    one.link(to: rest)
    start.link(to: one)
    return start
  }
}

/// The lists folded by one sweep, or after one read. Connections with the same limit, whose clients saw the same commit
/// last, share a list.
struct FoldedLists {
  private struct Key: Hashable {
    let seen: ObjectIdentifier
    let limit: Int
  }

  private let newest: Commit
  /// Retains the commits that the keys identify, so that no other commit is allocated at the same address.
  private var lists: [Key: (seen: Commit, copy: Commit)] = [:]

  init(upTo newest: Commit) {
    self.newest = newest
  }

  /// - Returns: The result of `Commit.folded(upTo:limit:)`.
  mutating func list(after seen: Commit, limit: Int) -> Commit? {
    let key = Key(seen: ObjectIdentifier(seen), limit: limit)
    if let known = lists[key] { return known.copy }
    guard let copy = seen.folded(upTo: newest, limit: limit) else { return nil }
    lists[key] = (seen, copy)
    return copy
  }
}

extension ChangeSet {
  /// Adds the changes of a later commit. Questions are then answered for both commits together.
  ///
  /// Keys that were changed before a clearing stay, because enumerations of changed keys return them. This is safe for
  /// caches, which drop everything that a clearing concerns.
  mutating func fold(_ later: ChangeSet) {
    for index in later.collections.entries.indices {
      let name = later.collections.entries[index].key
      let changes = later.collections[at: index]
      collections[name, default: CollectionChanges(number: changes.number)].fold(changes)
    }
    if later.isEverythingRemoved { isEverythingRemoved = true }
    if later.changesExtensions { changesExtensions = true }
    if let object = later.customObject { customObject = object }
    for (name, changes) in later.views { views[name, default: ViewChanges()].fold(changes) }
  }

  mutating func fold(_ changed: ChangedRows) {
    let number = changed.collection.number
    changed.withRows { rows in
      for row in rows {
        collections[changed.collection.name, default: CollectionChanges(number: number)].fold(row.value, of: row.key)
      }
    }
  }
}

extension CollectionChanges {
  fileprivate mutating func fold(_ later: CollectionChanges) {
    if later.isCleared { isCleared = true }
    for entry in later.keys.entries { fold(entry.value, of: entry.key) }
  }
}
