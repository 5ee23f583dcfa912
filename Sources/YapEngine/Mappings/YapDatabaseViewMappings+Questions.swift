public import Foundation

/// What the mappings show at their snapshot. Before the first `update(with:)` that is nothing.
extension YapDatabaseViewMappings {
  /// The number of the commit that the mappings stand on; nil before the first `update(with:)`.
  public var snapshot: UInt64? { layout?.snapshot }

  /// The groups that are mapped, those without a section included.
  public var allGroups: [String] { layout?.parts.map(\.group.text) ?? [] }

  /// The groups that have a section, or a part of the one section.
  public var visibleGroups: [String] { layout?.sections.flatMap { $0.parts.map(\.group.text) } ?? [] }

  /// Whether one section stands for all groups.
  public var isUsingConsolidatedGroup: Bool { layout?.sections.first?.name == .all }

  public func numberOfSections() -> Int { layout?.sections.count ?? 0 }

  /// 0 for a section that is not there.
  public func numberOfItems(inSection section: Int) -> Int {
    guard let sections = layout?.sections, sections.indices.contains(section) else { return 0 }
    return sections[section].count
  }

  /// Rows of the group that are shown.
  public func numberOfItems(inGroup group: String) -> Int {
    layout?.parts.first { $0.group == ByteString(group) }?.shown ?? 0
  }

  public func numberOfItemsInAllGroups() -> Int { layout?.parts.reduce(0) { $0 + $1.shown } ?? 0 }

  public var isEmpty: Bool { numberOfItemsInAllGroups() == 0 }

  /// nil for a section that is not there, and for the one of all groups.
  public func group(forSection section: Int) -> String? {
    guard let sections = layout?.sections, sections.indices.contains(section),
      case .group(let name) = sections[section].name
    else { return nil }
    return name.text
  }

  /// nil for a group that is not shown.
  public func section(forGroup group: String) -> Int? { layout?.place(of: ByteString(group))?.section }

  /// The group of a row, and the row's index in it, as the view counts; nil for a row that is not there.
  public func position(at indexPath: IndexPath) -> (group: String, index: Int)? {
    guard indexPath.count == 2 else { return nil }
    return layout?.position(section: indexPath[0], row: indexPath[1]).map { ($0.group.text, $0.index) }
  }

  /// Where a row of the view is shown; nil where it is not.
  public func indexPath(forIndex index: Int, inGroup group: String) -> IndexPath? {
    guard let (section, firstRow, part) = layout?.place(of: ByteString(group)),
      let shown = part.shown(ofIndex: index)
    else { return nil }
    return IndexPath(indexes: [section, firstRow + shown])
  }

  /// The indexes of the group that are shown; nil for one that is not mapped.
  public func visibleRange(forGroup group: String) -> Range<Int>? {
    layout?.parts.first { $0.group == ByteString(group) }?.window
  }
}

#if !canImport(UIKit) && !canImport(AppKit)
  extension IndexPath {
    /// As the user interfaces of other systems name the two.
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

    public var section: Int { self[0] }

    public var row: Int { self[1] }
  }
#endif
