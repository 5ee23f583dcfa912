@testable import YapEngine

/// A range of a group as the rules describe it: a set of rows, from which each operation takes rows or to which it adds
/// rows. Written without the engine's calculation with indexes.
///
/// The rules are those of YapDatabase, which applies the operations one by one; but it ends the commits of a jump once,
/// after the last one.
struct RangeModel {
  private let options: YapDatabaseViewRangeOptions
  private(set) var rows: [Int]
  private(set) var shown: Set<Int> = []
  /// The number of rows before the range while it shows none.
  private var place = 0
  /// Whether the range has shown no rows since the end of the last commit.
  private var hasBeenEmpty = false

  /// - Parameter options: In the order of the rows.
  init(_ options: YapDatabaseViewRangeOptions, rows: [Int]) {
    self.options = options
    self.rows = rows
    begin()
  }

  private var isPinnedToBeginning: Bool { options.pin == .beginning }

  private mutating func begin() {
    let fromPin = isPinnedToBeginning ? rows : rows.reversed()
    shown = Set(fromPin.dropFirst(options.offset).prefix(options.length))
    let before = min(options.offset, rows.count)
    place = isPinnedToBeginning ? before : rows.count - before
    if options.isFlexible { endCommit() }
  }

  /// The indexes that are shown.
  func window() throws(Discrepancy) -> Range<Int> {
    guard let first = rows.firstIndex(where: shown.contains) else { return place..<place }
    let window = first..<first + shown.count
    try Discrepancy.check(Set(rows[window.clamped(to: 0..<rows.count)]), shown, "the model's rows")
    return window
  }

  mutating func apply(_ edit: GroupEdit) {
    switch edit {
    case .insert(let row, let index): insert(row, index)
    case .remove(let row): remove(row)
    case .clear: (rows, shown, place, hasBeenEmpty) = ([], [], 0, true)
    }
    if !options.isFlexible { begin() }
  }

  private mutating func insert(_ row: Int, _ index: Int) {
    let followsShown = index > 0 && shown.contains(rows[index - 1])
    let precedesShown = index < rows.count && shown.contains(rows[index])
    let side: YapDatabaseViewRangeOptions.Growth = precedesShown == isPinnedToBeginning ? .onPinSide : .onNonPinSide
    let isBeside = followsShown != precedesShown && (hasBeenEmpty || options.growth.contains(side))
    let isAtPlace = shown.isEmpty && index == place
    if shown.isEmpty, index < place { place += 1 }
    rows.insert(row, at: index)
    if followsShown && precedesShown || isBeside || isAtPlace { shown.insert(row) }
  }

  private mutating func remove(_ row: Int) {
    guard let index = rows.firstIndex(of: row) else { return }
    rows.remove(at: index)
    if shown.remove(row) == nil {
      if shown.isEmpty, index < place { place -= 1 }
    } else if shown.isEmpty {
      (place, hasBeenEmpty) = (index, true)
    }
  }

  mutating func endCommit() {
    guard options.isFlexible else { return }
    while shown.count > max(options.maxLength, 0) {
      guard let row = isPinnedToBeginning ? rows.last(where: shown.contains) : rows.first(where: shown.contains),
        let index = rows.firstIndex(of: row)
      else { break }
      place = isPinnedToBeginning ? index : index + 1
      shown.remove(row)
    }
    while shown.count < options.minLength, shown.count < rows.count {
      let first = rows.firstIndex(where: shown.contains) ?? place
      let (below, above) = (first - 1, first + shown.count)
      let isBelow = isPinnedToBeginning ? below >= 0 : above >= rows.count
      shown.insert(rows[isBelow ? below : above])
    }
    hasBeenEmpty = shown.isEmpty
  }
}

/// One change of the rows of a group.
enum GroupEdit {
  case insert(row: Int, index: Int)
  case remove(row: Int)
  case clear
}
