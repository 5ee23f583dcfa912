/// Proves which commit a reader's snapshot contains, so that the reader need not read the snapshot's number.
///
/// The revision of the file is SQLite's count of the transactions written to it. Every write increments the revision,
/// also one of another program. The steps of a reader:
///
///     1  the proof begins            the newest commit is in the file, with a known revision
///     2  SQLite takes the snapshot   the snapshot contains this commit, and perhaps later writes
///     3  the revision is read        if it is still the commit's, the file has no later write
///
/// The order of the steps matters. If the proof fails, the reader reads the number, which its snapshot contains.
struct SnapshotProof {
  /// The newest commit when the proof began.
  let commit: Commit
  /// The revision of the file with that commit; nil if it is not known.
  let revision: UInt32?

  /// Whether the snapshot is the state after `commit`.
  /// - Parameter revision: The file's revision, read after SQLite had taken the snapshot; nil if it is not known.
  func holds(at revision: UInt32?) -> Bool {
    guard let revision else { return false }
    return revision == self.revision
  }
}
