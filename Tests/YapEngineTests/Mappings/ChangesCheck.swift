import Foundation

@testable import YapEngine

/// Checks the changes of one jump: they turn the old list into the new one, and update exactly the rows that changed
/// and stayed or that depend on another cell.
struct ChangesCheck {
  let before: ShownList
  let after: ShownList
  let changes: YapDatabaseViewChanges
  /// The net changes of the jump's commits.
  let commits: ViewChanges
  let mappings: YapDatabaseViewMappings

  func run() throws {
    var list = before
    try list.apply(changes, after) { $0.key }
    try checkUpdates()
  }

  private func checkUpdates() throws {
    let displaced = Set(changes.rowChanges.filter { $0.kind != .update }.compactMap(\.key))
    let updates = Dictionary(
      uniqueKeysWithValues: changes.rowChanges.filter { $0.kind == .update }.map { ($0.key ?? "none", $0) }
    )
    let deleted = Set(changes.sectionChanges.filter { $0.kind == .delete }.map(\.index))
    let inserted = Set(changes.sectionChanges.filter { $0.kind == .insert }.map(\.index))
    let kept = zip(
      before.sections.indices.filter { !deleted.contains($0) },
      after.sections.indices.filter { !inserted.contains($0) }
    )
    for (old, new) in kept where !after.sections[new].isConsolidated {
      let (oldRows, newRows) = (before.sections[old].rows, after.sections[new].rows)
      let offsets = mappings.cellDrawingDependencyOffsets(forGroup: after.sections[new].name)
      for (index, name) in newRows.enumerated() where !displaced.contains(name) {
        guard let from = oldRows.firstIndex(of: name) else { throw Discrepancy("row \(name) came from nowhere") }
        let isDependent = offsets.contains { offset in
          let (now, then) = (newRows.at(index, offset), oldRows.at(from, offset))
          return now != then || now.map(isChanged) == true
        }
        let update = updates[name]
        try Discrepancy.check(update != nil, isChanged(name) || isDependent, "whether row \(name) is updated")
        guard let update else { continue }
        try Discrepancy.check(update.indexPath?.section, update.newIndexPath?.section, "section of an update")
        try Discrepancy.check(update.changes.contains(.dependency), isDependent, "whether \(name) depends on a change")
        try Discrepancy.check(update.changes.contains(.object), isChanged(name), "whether \(name) is changed")
      }
    }
  }

  private func isChanged(_ row: String) -> Bool { commits.rows[RandomGroups.key(Int(row) ?? 0)] != nil }
}

extension Array {
  fileprivate func at(_ index: Int, _ offset: Int) -> Element? {
    let (sum, overflows) = index.addingReportingOverflow(offset)
    return !overflows && indices.contains(sum) ? self[sum] : nil
  }
}
