/// The contents of mappings at one snapshot: the sections, and the rows of a view in each.
struct MappingsLayout {
  /// A group and the range of it that is shown.
  struct Part {
    let group: ByteString
    /// The number of rows in the group.
    let count: Int
    /// The indexes in the group that are shown.
    let window: Range<Int>
    let isReversed: Bool

    var shown: Int { window.count }

    /// Returns the index in the group of the row that is shown at `position`; nil if there is none.
    func index(ofShown position: Int) -> Int? {
      guard position >= 0, position < window.count else { return nil }
      return isReversed ? window.upperBound - 1 - position : window.lowerBound + position
    }

    /// Returns the position at which the row at an index of the group is shown; nil if it is not shown.
    func shown(ofIndex index: Int) -> Int? {
      guard window.contains(index) else { return nil }
      return isReversed ? window.upperBound - 1 - index : index - window.lowerBound
    }
  }

  /// The identity of a section: its group, or the name of the single section of all groups.
  enum SectionName: Hashable {
    case group(ByteString)
    case consolidated(ByteString)

    var text: String {
      switch self {
      case .group(let name), .consolidated(let name): name.text
      }
    }
  }

  /// The number of shown rows below which a single section contains all groups, and the name of that section.
  struct Consolidation {
    let below: Int
    let name: ByteString
  }

  struct Section {
    let name: SectionName
    let parts: [Part]

    var count: Int { parts.reduce(0) { $0 + $1.shown } }
  }

  let snapshot: UInt64
  let state: ViewState
  /// All mapped groups, including those without a section.
  let parts: [Part]
  let sections: [Section]
  private let mapped: [ByteString: Part]
  /// The groups that are not mapped but have a flexible range, which follows its rows nevertheless.
  private let unmapped: [ByteString: Part]

  /// - Parameters:
  ///   - unmappedParts: The groups that are not mapped but have a flexible range.
  ///   - isDynamic: Returns whether a group has a section only while it shows rows.
  ///   - consolidation: nil for never.
  init(
    snapshot: UInt64,
    state: ViewState,
    parts: [Part],
    unmappedParts: [Part] = [],
    isDynamic: (ByteString) -> Bool,
    consolidation: Consolidation?
  ) {
    self.snapshot = snapshot
    self.state = state
    self.parts = parts
    mapped = Dictionary(uniqueKeysWithValues: parts.map { ($0.group, $0) })
    unmapped = Dictionary(uniqueKeysWithValues: unmappedParts.map { ($0.group, $0) })
    let total = parts.reduce(0) { $0 + $1.shown }
    let visible = parts.filter { $0.shown > 0 || !isDynamic($0.group) }
    if let consolidation, total < consolidation.below, mapped[consolidation.name] == nil {
      sections = [Section(name: .consolidated(consolidation.name), parts: visible)]
    } else {
      sections = visible.map { Section(name: .group($0.group), parts: [$0]) }
    }
  }

  /// The name of the single section of all groups; nil if each group has its own.
  var consolidatedName: ByteString? {
    if case .consolidated(let name)? = sections.first?.name { name } else { nil }
  }

  /// Returns a group; nil if it is not mapped and has no flexible range.
  func part(of group: ByteString) -> Part? { mapped[group] ?? unmapped[group] }

  /// Returns a mapped group; nil if the group is not mapped.
  func mappedPart(of group: ByteString) -> Part? { mapped[group] }

  /// Returns the section that contains a group, and its row at which the group begins; nil if no section does.
  func location(of group: ByteString) -> (section: Int, firstRow: Int, part: Part)? {
    for (section, entry) in sections.enumerated() {
      var row = 0
      for part in entry.parts {
        if part.group == group { return (section, row, part) }
        row += part.shown
      }
    }
    return nil
  }

  /// Returns the group of a row of a section, and the row's index in the group; nil if there is no such row.
  func position(section: Int, row: Int) -> (group: ByteString, index: Int)? {
    guard sections.indices.contains(section), row >= 0 else { return nil }
    var row = row
    for part in sections[section].parts {
      if let index = part.index(ofShown: row) { return (part.group, index) }
      row -= part.shown
    }
    return nil
  }
}
