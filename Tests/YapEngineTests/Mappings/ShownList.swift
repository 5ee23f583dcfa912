import Foundation

@testable import YapEngine

/// A user interface's list of sections of rows. It applies the changes, and is then compared.
struct ShownList: Equatable {
  struct Section: Equatable {
    var name: String
    var rows: [String]
    /// Whether the section has the rows of all groups.
    var isConsolidated = false
  }

  var sections: [Section]

  /// Creates the list that mappings show.
  init(_ mappings: YapDatabaseViewMappings, rowAt: (IndexPath) throws -> String?) throws {
    sections = try (0..<mappings.numberOfSections()).map { section in
      let rows = try (0..<mappings.numberOfItems(inSection: section)).map { row in
        let path = IndexPath(row: row, section: section)
        guard let found = try rowAt(path) else { throw Discrepancy("no row at \(path)") }
        return found
      }
      return Section(name: mappings.group(forSection: section) ?? "none", rows: rows)
    }
  }

  init(_ layout: MappingsLayout, rowOf: (Int64) -> String) {
    sections = layout.sections.map { section in
      let rows = (0..<section.count).map { row in
        let parts = section.parts
        var rest = row
        for part in parts {
          if let index = part.index(ofShown: rest) {
            return layout.state.rowid(at: index, inGroup: part.group).map(rowOf) ?? "none"
          }
          rest -= part.shown
        }
        return "none"
      }
      let isConsolidated = section.parts.first?.group.text != section.name.text
      return Section(name: section.name.text, rows: rows, isConsolidated: isConsolidated)
    }
  }

  subscript(path: IndexPath) -> String? {
    guard sections.indices.contains(path.section) else { return nil }
    let rows = sections[path.section].rows
    return rows.indices.contains(path.row) ? rows[path.row] : nil
  }

  /// Applies changes like a table view, and checks that each change concerns the row that it names. No path may have
  /// several changes: collection views reject a delete and a move from the same path.
  /// - Parameters:
  ///   - after: The expected list, from which new sections are taken.
  ///   - nameOf: Returns the name in the list of a change's row; nil if the change does not name it.
  mutating func apply(
    _ changes: YapDatabaseViewChanges,
    _ after: ShownList,
    nameOf: (YapDatabaseViewRowChange) -> String?
  ) throws(Discrepancy) {
    let before = self
    var gone: [IndexPath] = []
    var come: [(path: IndexPath, name: String)] = []
    for change in changes.rowChanges {
      let name = nameOf(change)
      if name == nil, change.kind != .delete { throw Discrepancy("no key in \(change)") }
      let (hasOld, hasNew) = (change.kind != .insert, change.kind != .delete)
      try Discrepancy.check(change.indexPath != nil, hasOld, "a path before in \(change)")
      try Discrepancy.check(change.newIndexPath != nil, hasNew, "a path after in \(change)")
      if let path = change.indexPath {
        guard let found = before[path] else { throw Discrepancy("no row before at the path of \(change)") }
        try Discrepancy.check(ByteString(found), ByteString(name ?? found), "row before of \(change)")
        if change.kind != .update { gone.append(path) }
      }
      if let path = change.newIndexPath, let name {
        try Discrepancy.check(after[path].map { ByteString($0) }, ByteString(name), "row after of \(change)")
        if change.kind != .update { come.append((path, name)) }
      }
    }
    for paths in [changes.rowChanges.compactMap(\.indexPath), changes.rowChanges.compactMap(\.newIndexPath)] {
      try Discrepancy.check(Set(paths).count, paths.count, "the number of changed paths")
    }
    for path in gone.sorted(by: >) { sections[path.section].rows.remove(at: path.row) }
    for change in changes.sectionChanges.filter({ $0.kind == .delete }).sorted(by: { $0.index > $1.index }) {
      sections.remove(at: change.index)
    }
    for change in changes.sectionChanges.filter({ $0.kind == .insert }).sorted(by: { $0.index < $1.index }) {
      guard change.index <= sections.count, change.index < after.sections.count else {
        throw Discrepancy("a section is to come at \(change.index) of \(sections.count)")
      }
      sections.insert(after.sections[change.index], at: change.index)
    }
    for (path, name) in come.sorted(by: { $0.path < $1.path }) {
      guard sections.indices.contains(path.section), path.row <= sections[path.section].rows.count else {
        throw Discrepancy("a row is to come at \(path)")
      }
      sections[path.section].rows.insert(name, at: path.row)
    }
    try Discrepancy.check(sections.map(\.name), after.sections.map(\.name), "sections")
    for (section, other) in zip(sections, after.sections) {
      let (found, expected) = (section.rows.map { ByteString($0) }, other.rows.map { ByteString($0) })
      try Discrepancy.check(found, expected, "rows of section \(section.name)")
    }
  }
}
