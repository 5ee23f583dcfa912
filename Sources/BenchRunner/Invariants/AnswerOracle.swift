internal import Synchronization

/// What each row of a collection must hold, by what the harness has written: the number of the commit that changed it
/// last, for object and metadata each, and whether the row is there.
///
/// A writer marks a row inside its transaction, before the commit. So a reader whose snapshot is not older than a mark
/// knows exactly what it must find; where the mark is younger, it only knows that nothing younger than its snapshot may
/// be found. No lock: one word for each half of a row, 16 bytes a row. Numbers of commits are never used twice, because
/// a transaction that fails ends the run; but for those that are rolled back because one inside of them was refused, or
/// lost with the engine's process, which are undone.
final class AnswerOracle: Sendable {
  /// What is known of one half of a row.
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
  /// nil where no commit can be lost.
  private let undone: UndoneMarks?
  // Set once; what it points at is atomic.
  private nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<UInt64>>

  /// Every row is absent at first.
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

  /// Sets a mark, inside the transaction that changes the row. Writers take turns, so there is no other meanwhile.
  func set(_ mark: Mark, _ row: Int, _ half: Half) {
    undone?.note(self.mark(row, half), self, row, half, at: mark.commit)
    restore(mark, row, half)
  }

  /// Sets a mark that is not of a new commit.
  func restore(_ mark: Mark, _ row: Int, _ half: Half) {
    words[row * 2 + half.rawValue].store(mark.packed, ordering: .releasing)
  }

  /// Whether the row is there, as the last writer left it.
  func isPresent(_ row: Int) -> Bool { !mark(row, .object).isAbsent }

  /// Rows that are there. To be asked when nobody writes.
  var presentRows: Int { (0..<rows).count { isPresent($0) } }

  /// Whether `found` may be what a snapshot shows of a row. To be asked after the reading.
  /// - Parameters:
  ///   - found: the commit number that the value carries; nil for no value.
  ///   - snapshot: the number of the commit that the reader sees; inside a read-write transaction, of the one to come.
  ///   - mark: what was known when it was read, if that was noted; else what is known now.
  /// - Returns: nil if it may; otherwise what is wrong.
  func objection(
    to found: UInt64?,
    at snapshot: UInt64,
    _ row: Int,
    _ half: Half,
    known mark: Mark? = nil
  ) -> String? {
    let mark = mark ?? self.mark(row, half)
    if let found, found > snapshot { return "carries commit \(found), which is younger than snapshot \(snapshot)" }
    // Where the row has changed since, an older state is right, and which one is not known any more.
    if mark.commit > snapshot { return nil }
    switch (found, mark.isAbsent) {
    case (nil, true): return nil
    case (nil, false): return "is missing, and commit \(mark.commit) has written it"
    case (let found?, true): return "carries commit \(found), and commit \(mark.commit) has removed it"
    case (let found?, false):
      return found == mark.commit ? nil : "carries commit \(found) instead of \(mark.commit)"
    }
  }

  /// The same for a reader who only learnt whether the row is there.
  func objection(
    toPresence isPresent: Bool,
    at snapshot: UInt64,
    _ row: Int,
    known mark: Mark? = nil
  ) -> String? {
    let mark = mark ?? self.mark(row, .object)
    if mark.commit > snapshot || mark.isAbsent != isPresent { return nil }
    return isPresent
      ? "is there, and commit \(mark.commit) has removed it" : "is missing, and commit \(mark.commit) has written it"
  }
}
