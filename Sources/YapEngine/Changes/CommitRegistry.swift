/// Which commits there are, and which snapshots are pinned: the one small state that everybody shares.
///
/// A pure state machine; the database keeps it behind a lock. In there: no SQLite call, no user code, no waiting, and
/// no last release of a user's object: that is why commits are handed out and dropped outside.
///
/// The race that it settles: a reader may see a commit on disk before its writer has come back from COMMIT to say so.
/// Therefore a writer announces its commit before it writes it, and a reader whose snapshot bears the announced number
/// has the proof that it is committed.
struct CommitRegistry {
  /// One open read transaction.
  struct Pin {
    let commit: Commit
    /// Nanoseconds of `MonotonicClock`.
    let since: UInt64
    let isLongLived: Bool
    /// Whether SQLite reads the snapshot from the WAL, which cannot begin anew meanwhile, even if all of it is copied.
    let readsWAL: Bool
  }

  /// The last commit that is known to be committed.
  private(set) var newest: Commit
  /// The first and the last of those that are about to be written; one, or several that SQLite commits together.
  private var announced: (first: Commit, last: Commit)?
  private(set) var pins: [ConnectionID: Pin] = [:]

  init(opening: Commit) {
    newest = opening
  }

  // MARK: Writers, one at a time

  /// To be called before COMMIT.
  /// - Parameters:
  ///   - first: follows the newest.
  ///   - last: the same, or the end of the list that begins there.
  mutating func announce(_ first: Commit, through last: Commit) {
    precondition(announced == nil, "commit \(first.snapshot) was announced beside another")
    precondition(first.snapshot == newest.snapshot + 1, "commit \(first.snapshot) does not follow \(newest.snapshot)")
    announced = (first, last)
  }

  /// To be called after COMMIT. A reader may have found out before.
  mutating func confirm(through last: Commit) {
    if let announced, announced.last === last { promote(announced) }
    precondition(newest === last, "commit \(last.snapshot) was confirmed and never announced")
  }

  /// To be called when COMMIT failed.
  mutating func withdraw(_ first: Commit) {
    precondition(announced?.first === first, "commit \(first.snapshot) was withdrawn, and a reader has seen it")
    announced = nil
  }

  // MARK: Readers

  /// A reader's snapshot is pinned in SQLite and bears the number `snapshot`.
  /// - Parameters:
  ///   - place: the commit that the reader has reached so far.
  ///   - copied: the snapshot of which everything was in the database file when the reader began; nil for none.
  /// - Returns: the commit of that number; nil if there is none, which no correct engine comes to see.
  mutating func pin(
    _ snapshot: UInt64,
    by reader: ConnectionID,
    from place: Commit,
    at now: UInt64,
    isLongLived: Bool,
    copied: UInt64? = nil
  ) -> Commit? {
    if let announced, announced.last.snapshot == snapshot { promote(announced) }
    var commit: Commit? = newest
    if newest.snapshot != snapshot {
      // Later commits became known since the reader took its snapshot; its own lies on the way to them.
      commit = place
      while let passed = commit, passed.snapshot < snapshot { commit = passed.next }
    }
    guard let commit, commit.snapshot == snapshot else { return nil }
    // A bookmark that is pinned anew has been pinned all the time, for all that anybody can see.
    let last = isLongLived ? pins[reader] : nil
    let since = last?.commit === commit ? last?.since ?? now : now
    pins[reader] = Pin(commit: commit, since: since, isLongLived: isLongLived, readsWAL: copied != snapshot)
    return commit
  }

  /// The next commits are folded in the list of the reader that has pinned a snapshot: the pin must not hold them one
  /// by one.
  /// - Parameter copy: stands for the pinned commit.
  mutating func replacePin(of reader: ConnectionID, with copy: Commit) {
    guard let pin = pins[reader], pin.commit.snapshot == copy.snapshot else { return }
    pins[reader] = Pin(commit: copy, since: pin.since, isLongLived: pin.isLongLived, readsWAL: pin.readsWAL)
  }

  /// A reader let its snapshot go.
  /// - Returns: whether the oldest pinned snapshot is now a later one.
  mutating func unpin(_ reader: ConnectionID) -> Bool {
    guard let pin = pins.removeValue(forKey: reader) else { return false }
    return !pins.values.contains { $0.commit.snapshot <= pin.commit.snapshot }
  }

  private mutating func promote(_ commits: (first: Commit, last: Commit)) {
    newest.link(to: commits.first)
    newest = commits.last
    announced = nil
  }
}
