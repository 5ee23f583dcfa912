/// The contents of mappings at one snapshot: the sections, and the rows of a view in each.
struct MappingsLayout {
  /// A mapped group and the range of it that is shown.
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

  /// The identity of a section: its group, or the single section of all groups that show rows.
  enum SectionName: Hashable {
    case group(ByteString)
    case all
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

  /// - Parameters:
  ///   - isDynamic: Returns whether a group has a section only while it shows rows.
  ///   - consolidatesBelow: The number of shown rows below which a single section contains all groups that show rows;
  ///     nil for never. Without shown rows there is no such section.
  init(
    snapshot: UInt64,
    state: ViewState,
    parts: [Part],
    isDynamic: (ByteString) -> Bool,
    consolidatesBelow threshold: Int?
  ) {
    self.snapshot = snapshot
    self.state = state
    self.parts = parts
    let shown = parts.filter { $0.shown > 0 }
    let total = shown.reduce(0) { $0 + $1.shown }
    if let threshold, total < threshold, total > 0 {
      sections = [Section(name: .all, parts: shown)]
    } else {
      sections = parts.filter { $0.shown > 0 || !isDynamic($0.group) }.map {
        Section(name: .group($0.group), parts: [$0])
      }
    }
  }

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
