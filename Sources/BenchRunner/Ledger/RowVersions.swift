internal import ThreadingPrimitives

/// All versions of the rows of one collection since the run began, and the number of rows after each commit.
///
/// A writer adds a version inside its transaction, before the commit, so each version that a reader's snapshot contains
/// is here before the reader begins. A version takes 16 bytes. Only a run with a ledger has versions.
final class RowVersions: Sendable {
  struct Version: Equatable {
    var commit: UInt64
    /// The digest of the value; 0 if the part is absent.
    var digest: UInt64
  }

  private final class Stripe: Sendable {
    /// The versions of each row part, oldest first.
    let lists = Guarded<[[Version]]>([])
  }

  private static let stripeCount = 64

  private let stripes = (0..<stripeCount).map { _ in Stripe() }
  /// The number of rows after each commit that has changed it, oldest first.
  private let counts = Guarded<[(commit: UInt64, count: Int)]>([])

  /// Adds a version. It replaces an earlier one of the same commit.
  func add(_ version: Version, of part: RowPart, row: Int) {
    let (stripe, index) = location(of: part, row: row)
    stripe.lists.withLock { lists in
      while lists.count <= index { lists.append([]) }
      if let last = lists[index].last, last.commit == version.commit {
        lists[index][lists[index].count - 1] = version
      } else {
        lists[index].append(version)
      }
    }
  }

  /// Drops the versions of commits after `commit`, which are rolled back or lost.
  func drop(after commit: UInt64, of part: RowPart, row: Int) {
    let (stripe, index) = location(of: part, row: row)
    stripe.lists.withLock { lists in
      guard index < lists.count else { return }
      while let last = lists[index].last, last.commit > commit { lists[index].removeLast() }
    }
  }

  /// Returns the newest version; nil for a part that was never written.
  func newest(of part: RowPart, row: Int) -> Version? { version(of: part, row: row, at: .max) }

  /// Returns the newest version up to a snapshot; nil if the part was not written by then.
  func version(of part: RowPart, row: Int, at snapshot: UInt64) -> Version? {
    let (stripe, index) = location(of: part, row: row)
    return stripe.lists.withLock { lists in
      guard index < lists.count else { return nil }
      let later = lists[index].partitioningIndex { $0.commit > snapshot }
      return later > 0 ? lists[index][later - 1] : nil
    }
  }

  /// Records that a commit has added rows to the collection, or removed them.
  func addRows(_ added: Int, at commit: UInt64) {
    counts.withLock { counts in
      let last = counts.last ?? (0, 0)
      if last.commit == commit, !counts.isEmpty { counts.removeLast() }
      counts.append((commit, last.count + added))
    }
  }

  /// Drops the counts of commits after `commit`, which are rolled back or lost.
  func dropCounts(after commit: UInt64) {
    counts.withLock { counts in
      while let last = counts.last, last.commit > commit { counts.removeLast() }
    }
  }

  /// Returns the number of rows that a snapshot contains.
  func rowCount(at snapshot: UInt64) -> Int {
    counts.withLock { counts in
      let later = counts.partitioningIndex { $0.commit > snapshot }
      return later > 0 ? counts[later - 1].count : 0
    }
  }

  private func location(of part: RowPart, row: Int) -> (stripe: Stripe, index: Int) {
    let number = row * RowPart.allCases.count + part.index
    return (stripes[number % Self.stripeCount], number / Self.stripeCount)
  }
}
