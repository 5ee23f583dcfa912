internal import Synchronization

/// What each row of a collection must hold, by what the harness has written: the number of the commit that changed it
/// last, for object and metadata each, and whether the row is there.
///
/// A writer marks a row as in flux before it commits, and settles the mark afterwards. So a reader that sees a settled
/// mark not younger than its snapshot knows exactly what it must find; of a mark in flux it only knows that nothing
/// younger may be found. One word a row and half; no lock.
final class AnswerOracle: Sendable {
  /// What is known of one half of a row.
  struct Mark: Equatable {
    var commit: UInt64
    var isAbsent: Bool
    var isInFlux: Bool

    init(commit: UInt64, isAbsent: Bool, isInFlux: Bool) {
      self.commit = commit
      self.isAbsent = isAbsent
      self.isInFlux = isInFlux
    }

    fileprivate init(packed: UInt64) {
      self.init(commit: packed >> 2, isAbsent: packed & 2 != 0, isInFlux: packed & 1 != 0)
    }

    fileprivate var packed: UInt64 { commit << 2 | (isAbsent ? 2 : 0) | (isInFlux ? 1 : 0) }
  }

  enum Half: Int {
    case object = 0
    case metadata = 1
  }

  let rows: Int
  // Set once; what it points at is atomic.
  private nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<UInt64>>

  /// Every row is absent at first.
  init(rows: Int) {
    self.rows = rows
    words = .allocate(capacity: rows * 2)
    let absent = Mark(commit: 0, isAbsent: true, isInFlux: false).packed
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
    words[row * 2 + half.rawValue].store(mark.packed, ordering: .releasing)
  }

  /// Puts `mark` in the place of `expected`, unless a later transaction has set its own.
  func settle(_ expected: Mark, to mark: Mark, _ row: Int, _ half: Half) {
    _ = words[row * 2 + half.rawValue].compareExchange(
      expected: expected.packed, desired: mark.packed, ordering: .acquiringAndReleasing)
  }

  /// Rows that are there. To be asked when nobody writes.
  var presentRows: Int {
    (0..<rows).count { !mark($0, .object).isAbsent }
  }

  /// Whether `found` may be what a snapshot shows of a row. To be asked after the reading.
  /// - Parameters:
  ///   - found: the commit number that the value carries; nil for no value.
  ///   - snapshot: the number of the commit that the reader sees.
  /// - Returns: nil if it may; otherwise what is wrong.
  func objection(to found: UInt64?, at snapshot: UInt64, _ row: Int, _ half: Half) -> String? {
    let mark = mark(row, half)
    if let found, found > snapshot { return "carries commit \(found), which is younger than snapshot \(snapshot)" }
    if mark.isInFlux || mark.commit > snapshot {
      // An older state is right, and which one is not known any more.
      if let found, found > mark.commit { return "carries commit \(found), and the last to change it was \(mark.commit)" }
      return nil
    }
    switch (found, mark.isAbsent) {
    case (nil, true): return nil
    case (nil, false): return "is missing, and commit \(mark.commit) has written it"
    case (let found?, true): return "carries commit \(found), and commit \(mark.commit) has removed it"
    case (let found?, false):
      return found == mark.commit ? nil : "carries commit \(found) instead of \(mark.commit)"
    }
  }
}
