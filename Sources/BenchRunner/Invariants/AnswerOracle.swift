internal import ThreadingPrimitives

/// The expected contents of each row of a collection, as the harness has written them: for object and metadata each,
/// the number of the commit that changed it last, and whether it is absent.
///
/// A writer marks a row inside its transaction, before the commit. So a reader whose snapshot is not older than the
/// mark knows exactly what it must find. If the mark is newer, the reader only knows that it must not find anything
/// newer than its snapshot. There is no lock: each part of a row is one word, so a row takes 16 bytes once it was
/// written. Each number of a commit is used once, because a failed transaction ends the run, except in two cases, whose
/// marks are undone: a transaction that is rolled back because a nested one was refused, and a commit that is lost with
/// the engine's process.
final class AnswerOracle: Sendable {
  /// The known state of one part of a row.
  struct Mark: Equatable {
    var commit: UInt64
    var isAbsent: Bool

    /// 0 for a row that was never written.
    fileprivate var packed: UInt64 { commit << 1 | (isAbsent ? 0 : 1) }
  }

  /// All versions of the rows; nil without a ledger.
  let versions: RowVersions?
  /// nil if no commit can be lost and no transaction is rolled back.
  private let undone: UndoneMarks?
  private let words: ZeroedWords

  /// Creates an oracle in which every row is absent.
  /// - Parameter rows: the most rows.
  init(rows: Int, undone: UndoneMarks? = nil, versions: RowVersions? = nil) {
    self.undone = undone
    self.versions = versions
    words = ZeroedWords(count: rows * 2)
  }

  func mark(of part: RowPart, row: Int) -> Mark {
    let packed = words[row * 2 + part.index]
    return Mark(commit: packed >> 1, isAbsent: packed & 1 == 0)
  }

  /// Sets a mark, inside the transaction that changes the row. Writers take turns, so no other thread sets it at the
  /// same time.
  /// - Parameter digest: the digest of the value, if there are versions; 0 for an absent one.
  func set(_ mark: Mark, of part: RowPart, row: Int, digest: UInt64 = 0) {
    if undone != nil || versions != nil { add(mark, of: part, row: row, digest: digest) }
    words[row * 2 + part.index] = mark.packed
  }

  /// Adds a mark that is about to be set to the versions, and keeps the earlier one in case it is undone.
  private func add(_ mark: Mark, of part: RowPart, row: Int, digest: UInt64) {
    let before = self.mark(of: part, row: row)
    undone?.add(before, of: part, row: row, in: self, at: mark.commit)
    guard let versions else { return }
    versions.add(RowVersions.Version(commit: mark.commit, digest: digest), of: part, row: row)
    if part == .object, before.isAbsent != mark.isAbsent {
      versions.addRows(mark.isAbsent ? -1 : 1, at: mark.commit)
    }
  }

  /// Sets the mark that the row had before a commit that is undone.
  func restore(_ mark: Mark, of part: RowPart, row: Int) {
    words[row * 2 + part.index] = mark.packed
    versions?.drop(after: mark.commit, of: part, row: row)
  }

  /// Returns the mark that a reader of a snapshot sees; nil if the row has changed since, and there are no versions.
  private func mark(of part: RowPart, row: Int, at snapshot: UInt64) -> Mark? {
    let newest = mark(of: part, row: row)
    if newest.commit <= snapshot { return newest }
    guard let versions else { return nil }
    guard let version = versions.version(of: part, row: row, at: snapshot) else {
      return Mark(commit: 0, isAbsent: true)
    }
    return Mark(commit: version.commit, isAbsent: version.digest == 0)
  }

  /// Whether the row is there, as the last writer left it.
  func isPresent(_ row: Int) -> Bool { !mark(of: .object, row: row).isAbsent }

  /// Returns the number of rows below `count` that are present. Only valid while there are no writers.
  func presentRows(below count: Int) -> Int { (0..<count).count { isPresent($0) } }

  /// Returns the error if a snapshot cannot show `found` for a row; nil if it can. Must be called after the read.
  /// - Parameters:
  ///   - found: the commit number that the value carries; nil for no value.
  ///   - snapshot: the number of the commit that the reader sees; inside a read-write transaction, the number of its
  ///     own commit.
  ///   - mark: the row's mark at the time of the read; nil uses the current mark.
  func objection(to found: UInt64?, of part: RowPart, row: Int, at snapshot: UInt64, mark: Mark? = nil) -> String? {
    if let found, found > snapshot { return "carries commit \(found), which is later than snapshot \(snapshot)" }
    // If the row has changed after the snapshot, an older value is correct, but only versions show which one.
    guard let mark = mark ?? self.mark(of: part, row: row, at: snapshot), mark.commit <= snapshot else { return nil }
    switch (found, mark.isAbsent) {
    case (nil, true): return nil
    case (nil, false): return "is missing, but commit \(mark.commit) wrote it"
    case (let found?, true): return "carries commit \(found), but commit \(mark.commit) removed it"
    case (let found?, false):
      return found == mark.commit ? nil : "carries commit \(found) instead of \(mark.commit)"
    }
  }

  /// Returns the error if a snapshot cannot show the row as present, or as missing; nil if it can. Must be called after
  /// the read.
  func objection(toPresence isPresent: Bool, ofRow row: Int, at snapshot: UInt64, mark: Mark? = nil) -> String? {
    guard let mark = mark ?? self.mark(of: .object, row: row, at: snapshot), mark.commit <= snapshot,
      mark.isAbsent == isPresent
    else { return nil }
    return isPresent
      ? "is present, but commit \(mark.commit) removed it" : "is missing, but commit \(mark.commit) wrote it"
  }
}

/// The earlier marks of rows, for commits that may be lost because they are not acknowledged yet.
///
/// When the engine's process is killed, its last commits may be in the file or not, and the numbers of lost ones are
/// used again. A transaction that is rolled back has marked rows too, and its number is also used again.
final class UndoneMarks: Sendable {
  private struct Entry {
    var commit: UInt64
    var oracle: AnswerOracle
    var part: RowPart
    var row: Int
    var before: AnswerOracle.Mark
  }

  /// In the order of the commits.
  private let entries = Guarded<[Entry]>([])

  func add(_ before: AnswerOracle.Mark, of part: RowPart, row: Int, in oracle: AnswerOracle, at commit: UInt64) {
    entries.withLock { $0.append(Entry(commit: commit, oracle: oracle, part: part, row: row, before: before)) }
  }

  /// Drops the entries up to `commit`, because these commits can no longer be lost.
  func forget(through commit: UInt64) {
    entries.withLock { entries in entries.removeFirst(entries.partitioningIndex { $0.commit > commit }) }
  }

  /// Undoes the marks of all commits after `commit`, which are lost or rolled back, and drops all entries.
  func restore(after commit: UInt64) {
    entries.withLock { entries in
      for entry in entries.reversed() where entry.commit > commit {
        entry.oracle.restore(entry.before, of: entry.part, row: entry.row)
        entry.oracle.versions?.dropCounts(after: commit)
      }
      entries.removeAll()
    }
  }
}
