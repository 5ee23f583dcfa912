/// Folding: the oldest commits that a follower has yet to pass become one, so that memory stays bounded.
///
/// The list of commits is shared and never changes. A follower that folds gets a list of its own instead: a copy of the
/// commit where it stands, then one commit that stands for the folded ones, then the shared list.
///
///     shared   10 → 11 → 12 → 13 → 14 → 15
///     folded   10′ → 11…13 ───────↗
///
/// Questions about changes have the same answers for the folded commit as for the list of those that it stands for.
extension Commit {
  /// A folded list is made when so many more commits than the limit wait, for each key that is copied: the copy then
  /// costs each commit 16 keys at most.
  private static var keysCopiedForACommit: Int { 16 }

  /// The commit from which to go on in place of this one, with the oldest commits after it folded into one.
  ///
  /// Above the limit they are folded until three quarters of it are left.
  /// - Parameters:
  ///   - newest: the last commit of the list.
  ///   - limit: how many commits may wait one by one.
  /// - Returns: nil where no more commits wait than the limit allows.
  func folded(upTo newest: Commit, limit: Int, _ hooks: TestHooks) -> Commit? {
    guard let next, next.snapshot < newest.snapshot else { return nil }
    let isFolded = next.changes.foldedFrom != nil
    let copied = isFolded ? next.changes.changedKeyCount / Self.keysCopiedForACommit : 0
    let waiting = Int(newest.snapshot - (isFolded ? next.snapshot : snapshot))
    let kept = limit - limit / 4
    guard waiting > limit + copied, isFolded || waiting - kept > 1 else { return nil }
    return folded(through: newest.snapshot - UInt64(kept), hooks)
  }

  private func folded(through last: UInt64, _ hooks: TestHooks) -> Commit {
    var changes = ChangeSet()
    var folded = self
    while folded.snapshot < last {
      guard let next = folded.next else {
        preconditionFailure("commit \(last) is not after commit \(folded.snapshot) in the list")
      }
      switch next.changes {
      case .set(let set) where set.foldedFrom != nil: changes = set.changes
      case .set(let set): changes.fold(set.changes, hooks)
      case .row(let row): changes.fold(row)
      }
      folded = next
    }
    guard let rest = folded.next else { preconditionFailure("the newest commit \(last) was to be folded") }
    let set = SharedChangeSet(changes, foldedFrom: snapshot + 1)
    let one = Commit(folded, standingFor: set, committedAt: next?.committedAt ?? folded.committedAt)
    let start = Commit(self, beforeFolded: folded, changeBytes: Self.bytes + set.allocatedBytes)
    one.link(to: rest)
    start.link(to: one)
    return start
  }
}

/// The lists that one sweep has folded: connections whose clients saw the same snapshot last share one.
struct FoldedLists {
  private struct Key: Hashable {
    let seen: ObjectIdentifier
    let limit: Int
  }

  private let newest: Commit
  /// With the commits that stand for the keys, so that no other gets the address of one.
  private var lists: [Key: (seen: Commit, copy: Commit)] = [:]

  init(upTo newest: Commit) {
    self.newest = newest
  }

  /// - Returns: what `Commit.folded(upTo:limit:_:)` returns.
  mutating func list(after seen: Commit, limit: Int, _ hooks: TestHooks) -> Commit? {
    let key = Key(seen: ObjectIdentifier(seen), limit: limit)
    if let known = lists[key] { return known.copy }
    guard let copy = seen.folded(upTo: newest, limit: limit, hooks) else { return nil }
    lists[key] = (seen, copy)
    return copy
  }
}

extension ChangeSet {
  /// Adds a later commit: afterwards each question has the answer that it has for the two together.
  ///
  /// Keys that were changed before a clearing stay, because they are enumerated beside it. That is safe for caches,
  /// which drop all that a clearing concerns.
  mutating func fold(_ later: ChangeSet, _ hooks: TestHooks) {
    for index in later.collections.entries.indices {
      let name = later.collections.entries[index].key
      let changes = later.collections[place: index]
      collections[name, default: CollectionChanges(number: changes.number)].fold(changes, hooks)
    }
    if later.isEverythingRemoved { isEverythingRemoved = true }
    if later.changesExtensions { changesExtensions = true }
    if let object = later.customObject { customObject = object }
    for (name, changes) in later.views { views[name, default: ViewChanges()].fold(changes) }
  }

  mutating func fold(_ row: ChangedRow) {
    let number = row.collection.number
    collections[row.collection.name, default: CollectionChanges(number: number)].fold(row.change, row.key)
  }
}

extension CollectionChanges {
  fileprivate mutating func fold(_ later: CollectionChanges, _ hooks: TestHooks) {
    if later.isCleared { isCleared = true }
    // The planted mistake leaves out the last key of a commit of several.
    let last = hooks.has(.losesAKeyWhenFolding) && later.keys.count > 1 ? later.keys.count - 1 : later.keys.count
    for index in 0..<last {
      let entry = later.keys.entries[index]
      fold(entry.value, entry.key)
    }
  }
}
