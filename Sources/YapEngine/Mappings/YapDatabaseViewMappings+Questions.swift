public import Foundation

/// The contents of the mappings at their snapshot. They are empty before the first `update(with:)`.
extension YapDatabaseViewMappings {
  /// The number of the commit that the mappings stand on; nil before the first `update(with:)`.
  public var snapshot: UInt64? { layout?.snapshot }

  /// The mapped groups, including those without a section.
  public var allGroups: [String] { layout?.parts.map(\.group.text) ?? [] }

  /// The groups that have a section, or are part of the single section of all groups.
  public var visibleGroups: [String] { layout?.sections.flatMap { $0.parts.map(\.group.text) } ?? [] }

  /// Whether a single section contains all groups that show rows.
  public var isUsingConsolidatedGroup: Bool { layout?.sections.first?.name == .all }

  public func numberOfSections() -> Int { layout?.sections.count ?? 0 }

  /// Returns the number of rows in a section; 0 if the section does not exist.
  public func numberOfItems(inSection section: Int) -> Int {
    guard let sections = layout?.sections, sections.indices.contains(section) else { return 0 }
    return sections[section].count
  }

  /// Returns the number of rows of the group that are shown; 0 if the group is not mapped.
  public func numberOfItems(inGroup group: String) -> Int {
    layout?.parts.first { $0.group == ByteString(group) }?.shown ?? 0
  }

  public func numberOfItemsInAllGroups() -> Int { layout?.parts.reduce(0) { $0 + $1.shown } ?? 0 }

  public var isEmpty: Bool { numberOfItemsInAllGroups() == 0 }

  /// Returns the group of a section; nil if the section does not exist, and for the single section of all groups.
  public func group(forSection section: Int) -> String? {
    guard let sections = layout?.sections, sections.indices.contains(section),
      case .group(let name) = sections[section].name
    else { return nil }
    return name.text
  }

  /// Returns the section that contains a group; nil if no section does.
  public func section(forGroup group: String) -> Int? { layout?.location(of: ByteString(group))?.section }

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
    layout?.parts.first { $0.group == ByteString(group) }?.window
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
