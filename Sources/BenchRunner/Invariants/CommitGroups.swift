internal import SeededRandom
internal import ThreadingPrimitives

/// Which rows of a collection were written together lately: those of the last commits that wrote several.
final class CommitGroups: Sendable {
  struct Group: Sendable, Equatable {
    var commit: UInt64
    var rows: [Int]
  }

  static let kept = 64

  private let groups = Guarded<[Group]>([])

  /// A writer notes it inside its transaction, so that a reader may look for it before it is there.
  func add(_ group: Group) {
    groups.withLock { groups in
      if groups.count == Self.kept { groups.removeFirst() }
      groups.append(group)
    }
  }

  /// The commits after this one are lost.
  func forget(after commit: UInt64) {
    groups.withLock { groups in groups.removeAll { $0.commit > commit } }
  }

  func draw(_ random: inout RandomStream) -> Group? {
    groups.withLock { groups in groups.isEmpty ? nil : groups[random.below(groups.count)] }
  }

  /// What is wrong with what one snapshot shows of rows that one commit has written; nil if nothing is.
  ///
  /// Either all of them are as that commit or a later one has left them, or none is. A row that is missing tells
  /// nothing: it may have been removed later, or not have been there before.
  /// - Parameter found: the commits that the rows carry; nil for a row that is missing.
  static func objection(to found: [UInt64?], of group: Group) -> String? {
    let shown = zip(group.rows, found).compactMap { row, commit in commit.map { (row: row, commit: $0) } }
    guard let seen = shown.first(where: { $0.commit >= group.commit }),
      let unseen = shown.first(where: { $0.commit < group.commit })
    else { return nil }
    return "commit \(group.commit) has written the rows \(group.rows.map(String.init).joined(separator: ", ")); row "
      + "\(seen.row) is seen as commit \(seen.commit) has left it, and row \(unseen.row) as commit \(unseen.commit) has"
  }
}
