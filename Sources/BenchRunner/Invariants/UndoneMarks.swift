internal import ThreadingPrimitives

/// What rows were before commits that may be lost: those that nobody has acknowledged yet.
///
/// When the engine's process is killed, its last commits may be there or not, and their numbers are used again. A
/// transaction that is rolled back has marked rows, and its number is used again too.
final class UndoneMarks: Sendable {
  private struct Entry {
    var commit: UInt64
    var oracle: AnswerOracle
    var row: Int
    var half: AnswerOracle.Half
    var before: AnswerOracle.Mark
  }

  /// In the order of the commits.
  private let entries = Guarded<[Entry]>([])

  func note(
    _ before: AnswerOracle.Mark,
    _ oracle: AnswerOracle,
    _ row: Int,
    _ half: AnswerOracle.Half,
    at commit: UInt64
  ) {
    entries.withLock { entries in
      entries.append(Entry(commit: commit, oracle: oracle, row: row, half: half, before: before))
    }
  }

  /// This commit is there for good, and so are all before it.
  func forget(through commit: UInt64) {
    entries.withLock { entries in
      let kept = entries.firstIndex { $0.commit > commit } ?? entries.count
      entries.removeFirst(kept)
    }
  }

  /// Puts back what the commits after this one have marked: they are lost.
  func restore(after commit: UInt64) {
    entries.withLock { entries in
      for entry in entries.reversed() where entry.commit > commit {
        entry.oracle.restore(entry.before, entry.row, entry.half)
      }
      entries.removeAll()
    }
  }
}
