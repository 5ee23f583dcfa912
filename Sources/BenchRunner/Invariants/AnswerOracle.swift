internal import Synchronization

/// The expected contents of each row of a collection, as the harness has written them: for object and metadata each,
/// the number of the commit that changed it last, and whether it is absent.
///
/// A writer marks a row inside its transaction, before the commit. So a reader whose snapshot is not older than the
/// mark knows exactly what it must find. If the mark is newer, the reader only knows that it must not find anything
/// newer than its snapshot. There is no lock: each part of a row is one word, so a row takes 16 bytes. The numbers of
/// commits are not used twice, because a failed transaction ends the run. Two cases are exceptions, and their marks are
/// undone: transactions that are rolled back because a nested one was refused, and commits that are lost with the
/// engine's process.
final class AnswerOracle: Sendable {
  /// The known state of one part of a row.
  struct Mark: Equatable {
    var commit: UInt64
    var isAbsent: Bool

    init(commit: UInt64, isAbsent: Bool) {
      self.commit = commit
      self.isAbsent = isAbsent
    }

    fileprivate init(packed: UInt64) {
      self.init(commit: packed >> 1, isAbsent: packed & 1 != 0)
    }

    fileprivate var packed: UInt64 { commit << 1 | (isAbsent ? 1 : 0) }
  }

  enum Half: Int {
    case object = 0
    case metadata = 1
  }

  let rows: Int
  /// nil if no commit can be lost and no transaction is rolled back.
  private let undone: UndoneMarks?
  // Set once; the words that it points at are atomic.
  private nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<UInt64>>

  /// Creates an oracle of which every row is absent.
  init(rows: Int, undone: UndoneMarks? = nil) {
    self.rows = rows
    self.undone = undone
    words = .allocate(capacity: rows * 2)
    let absent = Mark(commit: 0, isAbsent: true).packed
    for index in 0..<rows * 2 { (words + index).initialize(to: Atomic(absent)) }
  }

  deinit {
    words.deinitialize(count: rows * 2)
    words.deallocate()
  }

  func mark(_ row: Int, _ half: Half) -> Mark {
    Mark(packed: words[row * 2 + half.rawValue].load(ordering: .acquiring))
  }

  /// Sets a mark, inside the transaction that changes the row. Writers take turns, so no other thread sets it
  /// meanwhile.
  func set(_ mark: Mark, _ row: Int, _ half: Half) {
    undone?.note(self.mark(row, half), self, row, half, at: mark.commit)
    restore(mark, row, half)
  }

  /// Sets a mark without noting the earlier one.
  func restore(_ mark: Mark, _ row: Int, _ half: Half) {
    words[row * 2 + half.rawValue].store(mark.packed, ordering: .releasing)
  }

  /// Whether the row is there, as the last writer left it.
  func isPresent(_ row: Int) -> Bool { !mark(row, .object).isAbsent }

  /// The number of rows that are present. Only valid while there are no writers.
  var presentRows: Int { (0..<rows).count { isPresent($0) } }

  /// Returns the error if a snapshot cannot show `found` for a row. Must be called after the read.
  /// - Parameters:
  ///   - found: the commit number that the value carries; nil for no value.
  ///   - snapshot: the number of the commit that the reader sees; inside a read-write transaction, the number of its
  ///     own commit.
  ///   - mark: the row's mark at the time of the read; nil uses the current mark.
  /// - Returns: nil if `found` is possible; otherwise a description of the error.
  func objection(
    to found: UInt64?,
    at snapshot: UInt64,
    _ row: Int,
    _ half: Half,
    known mark: Mark? = nil
  ) -> String? {
    let mark = mark ?? self.mark(row, half)
    if let found, found > snapshot { return "carries commit \(found), which is later than snapshot \(snapshot)" }
    // The row has changed since. An older state is correct, but it is no longer known which one.
    if mark.commit > snapshot { return nil }
    switch (found, mark.isAbsent) {
    case (nil, true): return nil
    case (nil, false): return "is missing, but commit \(mark.commit) wrote it"
    case (let found?, true): return "carries commit \(found), but commit \(mark.commit) removed it"
    case (let found?, false):
      return found == mark.commit ? nil : "carries commit \(found) instead of \(mark.commit)"
    }
  }

  /// The same check for a reader that only asked whether the row is present.
  func objection(
    toPresence isPresent: Bool,
    at snapshot: UInt64,
    _ row: Int,
    known mark: Mark? = nil
  ) -> String? {
    let mark = mark ?? self.mark(row, .object)
    if mark.commit > snapshot || mark.isAbsent != isPresent { return nil }
    return isPresent
      ? "is present, but commit \(mark.commit) removed it" : "is missing, but commit \(mark.commit) wrote it"
  }
}
