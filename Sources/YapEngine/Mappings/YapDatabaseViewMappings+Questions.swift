public import Foundation

/// The contents of the mappings at their snapshot. They are empty before the first `update(with:)`.
extension YapDatabaseViewMappings {
  /// The number of the commit that the mappings stand on; nil before the first `update(with:)`.
  public var snapshot: UInt64? { layout?.snapshot }

  /// The mapped groups, including those without a section. Groups that are chosen by a filter are known after the first
  /// `update(with:)`.
  public var allGroups: [String] { (fixedGroups ?? layout?.parts.map(\.group) ?? []).map(\.text) }

  /// The name of each section: its group, or the name of the single section of all groups.
  public var visibleGroups: [String] { layout?.sections.map(\.name.text) ?? [] }

  /// Whether a single section contains the rows of all groups; see `setConsolidation(below:withName:)`.
  public var isUsingConsolidatedGroup: Bool { layout?.consolidatedName != nil }

  public func numberOfSections() -> Int { layout?.sections.count ?? 0 }

  /// Returns the number of rows in a section; 0 if the section does not exist.
  public func numberOfItems(inSection section: Int) -> Int {
    guard let sections = layout?.sections, sections.indices.contains(section) else { return 0 }
    return sections[section].count
  }

  /// Returns the number of rows of the group, or of the single section of this name, that are shown; 0 if there is
  /// none.
  public func numberOfItems(inGroup group: String) -> Int {
    guard let layout else { return 0 }
    if layout.consolidatedName == ByteString(group) { return layout.sections[0].count }
    return layout.mappedPart(of: ByteString(group))?.shown ?? 0
  }

  public func numberOfItemsInAllGroups() -> Int { layout?.parts.reduce(0) { $0 + $1.shown } ?? 0 }

  public var isEmpty: Bool { numberOfItemsInAllGroups() == 0 }

  /// Returns the name of a section: its group, or the name of the single section of all groups. Returns nil if the
  /// section does not exist.
  public func group(forSection section: Int) -> String? {
    guard let sections = layout?.sections, sections.indices.contains(section) else { return nil }
    return sections[section].name.text
  }

  /// Returns the section that contains a group or has this name; nil if there is none.
  public func section(forGroup group: String) -> Int? {
    guard let layout else { return nil }
    return layout.consolidatedName == ByteString(group) ? 0 : layout.location(of: ByteString(group))?.section
  }

  /// Returns the group of a row, and the row's index in the order of the view; nil if there is no such row.
  public func position(at indexPath: IndexPath) -> (group: String, index: Int)? {
    guard indexPath.count == 2 else { return nil }
    return layout?.position(section: indexPath[0], row: indexPath[1]).map { ($0.group.text, $0.index) }
  }

  /// Returns the path at which a row of the view is shown; nil if it is not shown.
  public func indexPath(forIndex index: Int, inGroup group: String) -> IndexPath? {
    guard let (section, firstRow, part) = layout?.location(of: ByteString(group)),
      let shown = part.shown(ofIndex: index)
    else { return nil }
    return IndexPath(indexes: [section, firstRow + shown])
  }

  /// Returns the indexes of the group that are shown; nil if the group is not mapped.
  public func visibleRange(forGroup group: String) -> Range<Int>? {
    layout?.mappedPart(of: ByteString(group))?.window
  }

  /// Returns the path of the shown row that is nearest to a row of a group, such as the one to select after a selected
  /// row was deleted: a row of the group, or else the last row before it, or else the first row after it. Returns nil
  /// if the group is not mapped or no row is shown.
  public func nearestIndexPath(forRow row: Int, inGroup group: String) -> IndexPath? {
    guard let layout, let index = layout.parts.firstIndex(where: { $0.group == ByteString(group) }) else { return nil }
    let before = layout.parts[..<index].last { $0.shown > 0 }.map { ($0, $0.shown - 1) }
    let after = layout.parts[index...].first { $0.shown > 0 }.map { ($0, 0) }
    let part = layout.parts[index]
    let nearest = part.shown > 0 ? (part, min(max(row, 0), part.shown - 1)) : before ?? after
    guard let nearest, let location = layout.location(of: nearest.0.group) else { return nil }
    return IndexPath(indexes: [location.section, location.firstRow + nearest.1])
  }
}

#if !canImport(UIKit) && !canImport(AppKit)
  extension IndexPath {
    /// Creates a path as UIKit and AppKit do.
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

    public var section: Int { self[0] }

    public var row: Int { self[1] }
  }
#endif
