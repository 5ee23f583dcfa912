/// The newest commit, the announced commits and the pinned snapshots: the small state that all connections share.
///
/// A pure state machine; the database protects it with a lock. Under that lock nothing calls SQLite, runs user code,
/// blocks, or releases a user's object for the last time. Therefore the last reference to a commit must not be dropped
/// under the lock.
///
/// It resolves a race: a reader can see a commit on disk before COMMIT returns to its writer. Therefore a writer
/// announces a commit before writing it. If a reader's snapshot has the announced number, the commit has succeeded.
struct CommitRegistry {
  /// One open read transaction.
  struct Pin {
    let commit: Commit
    /// Nanoseconds of `MonotonicClock`.
    let since: UInt64
    let isLongLived: Bool
    /// Whether SQLite may read the snapshot from the WAL. If it does, the WAL cannot restart, even if all is copied.
    let readsWAL: Bool
  }

  /// Commits about to be written: a single commit, or a joint commit.
  private struct Announcement {
    let first: Commit
    let last: Commit
    /// The file's revision once they are written; nil if it is not known.
    let revision: UInt32?
  }

  /// The last commit that is known to be committed.
  private(set) var newest: Commit
  private var announced: Announcement?
  /// The file's revision with the newest commit; nil until the first commit since opening.
  private var revision: UInt32?
  private(set) var pins: [ConnectionID: Pin] = [:]

  init(opening: Commit) {
    newest = opening
  }

  // MARK: Writers, one at a time

  /// Announces commits. Must be called before COMMIT.
  /// - Parameters:
  ///   - first: The commit that follows the newest.
  ///   - last: The same commit, or the last of the list that begins with it.
  ///   - revision: The file's revision once the commits are written; nil if it is not known.
  mutating func announce(_ first: Commit, through last: Commit, revision: UInt32?) {
    precondition(announced == nil, "commit \(first.snapshot) was announced while another one was announced")
    precondition(first.snapshot == newest.snapshot + 1, "commit \(first.snapshot) does not follow \(newest.snapshot)")
    announced = Announcement(first: first, last: last, revision: revision)
  }

  /// Confirms announced commits. Must be called after COMMIT. A reader may already have proved them committed.
  mutating func confirm(through last: Commit) {
    if let announced, announced.last === last { promote(announced) }
    precondition(newest === last, "commit \(last.snapshot) was confirmed, but not announced")
  }

  /// Withdraws announced commits. Must be called if COMMIT failed.
  mutating func withdraw(_ first: Commit) {
    precondition(announced?.first === first, "commit \(first.snapshot) was withdrawn after a reader had seen it")
    announced = nil
  }

  // MARK: Readers

  /// The first step of a reader that is about to take a snapshot.
  var proof: SnapshotProof { SnapshotProof(commit: newest, revision: revision) }

  /// Records that a reader has pinned the snapshot with the number `snapshot` in SQLite.
  /// - Parameters:
  ///   - reached: The last commit that the reader has followed.
  ///   - now: A time after SQLite has shown the snapshot to the reader.
  ///   - copied: The snapshot that was known to be completely in the database file when the reader began; nil for none.
  /// - Returns: The commit with that number; nil if there is none, because another program writes to the file.
  mutating func pin(
    _ snapshot: UInt64,
    by reader: ConnectionID,
    from reached: Commit,
    at now: UInt64,
    isLongLived: Bool,
    copied: UInt64? = nil
  ) -> Commit? {
    if let announced, announced.last.snapshot == snapshot {
      noteWritten(announced, by: now)
      promote(announced)
    }
    var commit: Commit? = newest
    if newest.snapshot != snapshot {
      // Newer commits became known after the reader took its snapshot, so walk the list from the reader's commit.
      commit = reached
      while let passed = commit, passed.snapshot < snapshot { commit = passed.next }
    }
    guard let commit, commit.snapshot == snapshot else { return nil }
    // A bookmark that pins the same commit again keeps its start time: for the client, it was pinned all the time.
    let last = isLongLived ? pins[reader] : nil
    let since = last?.commit === commit ? last?.since ?? now : now
    pins[reader] = Pin(commit: commit, since: since, isLongLived: isLongLived, readsWAL: copied != snapshot)
    return commit
  }

  /// Records that a reader of a database that is only read has pinned a snapshot, which another process may have
  /// committed.
  /// - Returns: The former newest commit, which the caller releases outside of the lock.
  mutating func pinForReadingOnly(
    _ commit: Commit,
    by reader: ConnectionID,
    at now: UInt64,
    isLongLived: Bool
  ) -> Commit {
    let last = newest
    // Another connection may have pinned a later snapshot already.
    if commit.snapshot >= last.snapshot { newest = commit }
    pins[reader] = Pin(commit: commit, since: now, isLongLived: isLongLived, readsWAL: true)
    return last
  }

  /// Replaces a pinned commit by a copy from a folded list. The pin would otherwise keep every unfolded commit alive.
  /// - Parameter copy: The copy of the pinned commit.
  mutating func replacePin(of reader: ConnectionID, with copy: Commit) {
    guard let pin = pins[reader], pin.commit.snapshot == copy.snapshot else { return }
    pins[reader] = Pin(commit: copy, since: pin.since, isLongLived: pin.isLongLived, readsWAL: pin.readsWAL)
  }

  /// Records that a reader has released its snapshot.
  /// - Returns: Whether no other reader pins this snapshot or an older one; false if the reader had no pin.
  mutating func unpin(_ reader: ConnectionID) -> Bool {
    guard let pin = pins.removeValue(forKey: reader) else { return false }
    return !pins.values.contains { $0.commit.snapshot <= pin.commit.snapshot }
  }

  /// Records that announced commits were written by `now`. The writer records the time when COMMIT has returned to it,
  /// which may be after the reader has returned the commits to its client.
  private func noteWritten(_ commits: Announcement, by now: UInt64) {
    var written: Commit? = commits.first
    while let commit = written {
      commit.writtenAt = now
      written = commit === commits.last ? nil : commit.next
    }
  }

  private mutating func promote(_ commits: Announcement) {
    newest.link(to: commits.first)
    newest = commits.last
    revision = commits.revision
    announced = nil
  }
}
