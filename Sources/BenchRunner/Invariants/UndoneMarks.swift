internal import ThreadingPrimitives

/// The earlier marks of rows, for commits that may be lost because they are not acknowledged yet.
///
/// When the engine's process is killed, its last commits may be in the file or not, and the numbers of lost ones are
/// used again. A transaction that is rolled back has marked rows too, and its number is also used again.
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

  /// Drops the entries up to `commit`, because these commits can no longer be lost.
  func forget(through commit: UInt64) {
    entries.withLock { entries in
      let kept = entries.firstIndex { $0.commit > commit } ?? entries.count
      entries.removeFirst(kept)
    }
  }

  /// Restores the marks from before the commits after `commit`, because these are lost.
  func restore(after commit: UInt64) {
    entries.withLock { entries in
      for entry in entries.reversed() where entry.commit > commit {
        entry.oracle.restore(entry.before, entry.row, entry.half)
      }
      entries.removeAll()
    }
  }
}
