internal import SeededRandom
internal import ThreadingPrimitives

/// Rows of a collection that were written together, for the last 64 commits that wrote several.
final class CommitGroups: Sendable {
  struct Group: Sendable, Equatable {
    var commit: UInt64
    var rows: [Int]
  }

  static let kept = 64

  private let groups = Guarded<[Group]>([])

  /// Adds a group. A writer calls this inside its transaction, so a reader may look for a commit that is not there yet.
  func add(_ group: Group) {
    groups.withLock { groups in
      if groups.count == Self.kept { groups.removeFirst() }
      groups.append(group)
    }
  }

  /// Removes the groups of commits after `commit`, which are lost.
  func forget(after commit: UInt64) {
    groups.withLock { groups in groups.removeAll { $0.commit > commit } }
  }

  func draw(_ random: inout RandomStream) -> Group? {
    groups.withLock { groups in groups.isEmpty ? nil : groups[random.below(groups.count)] }
  }

  /// Returns the error in a snapshot's view of rows that one commit has written; nil if there is none.
  ///
  /// Either all rows are as of that commit or a later one, or none is. A missing row proves nothing: it may have been
  /// removed later, or may not have been there before.
  /// - Parameter found: the commits that the rows carry; nil for a missing row.
  static func objection(to found: [UInt64?], of group: Group) -> String? {
    let shown = zip(group.rows, found).compactMap { row, commit in commit.map { (row: row, commit: $0) } }
    guard let seen = shown.first(where: { $0.commit >= group.commit }),
      let unseen = shown.first(where: { $0.commit < group.commit })
    else { return nil }
    return "commit \(group.commit) wrote the rows \(group.rows.map(String.init).joined(separator: ", ")); row "
      + "\(seen.row) carries commit \(seen.commit), but row \(unseen.row) carries commit \(unseen.commit)"
  }
}
