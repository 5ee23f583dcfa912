/// What mappings show at one snapshot: sections, and which rows of a view stand in each.
struct MappingsLayout {
  /// A group, as far as it is shown.
  struct Part {
    let group: ByteString
    /// Rows that the group has.
    let count: Int
    /// Indexes in the group that are shown.
    let window: Range<Int>
    let isReversed: Bool

    var shown: Int { window.count }

    /// The index in the group of a row that is shown; nil for one that is not there.
    func index(ofShown place: Int) -> Int? {
      guard place >= 0, place < window.count else { return nil }
      return isReversed ? window.upperBound - 1 - place : window.lowerBound + place
    }

    /// nil for a row that is not shown.
    func shown(ofIndex index: Int) -> Int? {
      guard window.contains(index) else { return nil }
      return isReversed ? window.upperBound - 1 - index : index - window.lowerBound
    }
  }

  /// What tells one section from another: its group, or that it is the one of all groups.
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
  /// Every group that is mapped, those without a section included.
  let parts: [Part]
  let sections: [Section]

  /// - Parameters:
  ///   - isDynamic: whether a group has a section only while it shows rows.
  ///   - consolidatesBelow: the number of rows below which there is but one section, with all groups; nil for never.
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

  /// The section of a group, and the row in it at which the group begins; nil for one that is not shown.
  func place(of group: ByteString) -> (section: Int, firstRow: Int, part: Part)? {
    for (section, entry) in sections.enumerated() {
      var row = 0
      for part in entry.parts {
        if part.group == group { return (section, row, part) }
        row += part.shown
      }
    }
    return nil
  }

  /// The group and its index for a row of a section; nil for what is not there.
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
