internal import Foundation
internal import Synchronization

/// The numbers of a collection's rows: of the loaded rows from 0 on, then of the inserted ones.
///
/// The number of an inserted row is taken inside its transaction. Writers take turns, so the numbers ascend with the
/// commits. Therefore each snapshot contains the rows of the first numbers and no others, except those that were
/// removed. If the commit of a row is acknowledged, all rows before it are committed. A transaction that is rolled back
/// gives back the last numbers, so it leaves no hole.
///
/// The null driver runs transactions at the same time, so two of them may take the same number. It keeps no rows.
final class RowNumbers: Sendable {
  /// The number of loaded rows.
  let loaded: Int
  /// The most rows, loaded and inserted.
  let limit: Int
  private let taken: Atomic<Int>
  private let acknowledgedCount: Atomic<Int>
  /// The commit of each inserted row.
  private let commits: ZeroedWords

  init(loaded: Int, inserts: Int = 0) {
    self.loaded = loaded
    limit = loaded + inserts
    taken = Atomic(loaded)
    acknowledgedCount = Atomic(loaded)
    commits = ZeroedWords(count: inserts)
  }

  /// The number of rows, including the rows of the open transaction.
  var count: Int { taken.load(ordering: .acquiring) }

  /// The number of the first rows whose inserts have all been acknowledged to their writers, as YCSB's
  /// `AcknowledgedCounterGenerator` counts them. It never decreases.
  var acknowledged: Int { acknowledgedCount.load(ordering: .acquiring) }

  /// Takes the number of the next row. Must be called inside the transaction that inserts the row.
  /// - Parameter commit: the number of the transaction's commit.
  /// - Returns: the number; nil if all are taken.
  func take(at commit: UInt64) -> Int? {
    let row = taken.load(ordering: .acquiring)
    guard row < limit else { return nil }
    // Stored before the row counts, because readers look at the commits of all rows that count.
    commits[row - loaded] = commit
    taken.store(row + 1, ordering: .releasing)
    return row
  }

  /// Records that the insert of a row has been acknowledged, and so the inserts of all rows before it.
  func acknowledge(_ row: Int) { _ = acknowledgedCount.max(row + 1, ordering: .acquiringAndReleasing) }

  /// Gives back the numbers of commits after `commit`, which are rolled back or lost.
  func giveBack(after commit: UInt64) { taken.store(count(at: commit), ordering: .releasing) }

  /// Returns the number of rows that had been loaded or inserted by `snapshot`. Inside a read-write transaction, the
  /// snapshot is the number of its own commit.
  func count(at snapshot: UInt64) -> Int {
    (loaded..<count).partitioningIndex { commits[$0 - loaded] > snapshot }
  }

  /// Returns the commit that inserted a row; 0 for a loaded row.
  func commit(ofRow row: Int) -> UInt64 { row < loaded ? 0 : commits[row - loaded] }
}

/// An array of atomic words that are 0 at first. It takes memory only for the pages on which a word was set.
final class ZeroedWords: Sendable {
  // Set once; the words that it points at are atomic.
  private nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<UInt64>>

  init(count: Int) {
    guard let memory = calloc(max(count, 1), MemoryLayout<Atomic<UInt64>>.stride) else {
      fatalError("no memory for \(count) words; the estimate of memory should have refused the run")
    }
    // An atomic word has the representation of its value, so zeroed memory is initialised.
    words = memory.bindMemory(to: Atomic<UInt64>.self, capacity: count)
  }

  deinit { free(words) }

  subscript(index: Int) -> UInt64 {
    get { words[index].load(ordering: .acquiring) }
    set { words[index].store(newValue, ordering: .releasing) }
  }
}
