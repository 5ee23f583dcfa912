/// A flexible range of one group while it follows the operations of commits.
///
/// After each commit the range depends only on the range before it and on the commit's operations. A jump over several
/// commits therefore leads to the same range as jumps over each of them.
struct FlexibleRange {
  private let options: YapDatabaseViewRangeOptions
  /// The indexes that are shown.
  private(set) var window: Range<Int>
  /// The number of rows in the group.
  private(set) var count: Int
  /// Whether the range was empty at the beginning of the commit, or after one of its operations. From then on until the
  /// end of the commit it grows on both sides: an empty range has no sides.
  private var hasBeenEmpty: Bool
  /// The range before the commit cleared the group; nil if it did not. If the group is filled at once, the same part is
  /// shown again.
  private var cleared: YapDatabaseViewRangeOptions?

  /// - Parameters:
  ///   - window: The indexes that are shown before the first commit.
  ///   - count: The number of rows in the group before the first commit.
  init(_ options: YapDatabaseViewRangeOptions, window: Range<Int>, count: Int) {
    self.options = options
    self.window = window
    self.count = count
    hasBeenEmpty = window.isEmpty
  }

  /// Applies an operation on the group, or one on all groups.
  mutating func apply(_ operation: GroupOperation) {
    switch operation.kind {
    case .insert: insert(operation.index)
    case .remove: remove(operation.index)
    case .clear, .clearAll: clear()
    case .fill:
      count = operation.count
      window = (cleared ?? options).window(count: count)
    case .endOfCommit: endCommit()
    }
    if window.isEmpty { hasBeenEmpty = true }
  }

  private mutating func insert(_ index: Int) {
    count += 1
    let growsBelow = hasBeenEmpty || options.growsBelow
    let growsAbove = hasBeenEmpty || options.growsAbove
    let movesLower = growsBelow ? index < window.lowerBound : index <= window.lowerBound
    let movesUpper = growsAbove ? index <= window.upperBound : index < window.upperBound
    window = window.lowerBound + (movesLower ? 1 : 0)..<window.upperBound + (movesUpper ? 1 : 0)
  }

  private mutating func remove(_ index: Int) {
    count -= 1
    let lower = window.lowerBound - (index < window.lowerBound ? 1 : 0)
    window = lower..<window.upperBound - (index < window.upperBound ? 1 : 0)
  }

  private mutating func clear() {
    cleared = cleared ?? options.reshowing(window, count: count)
    count = 0
    window = 0..<0
  }

  /// Ends a commit. The range gets a length between `minLength` and `maxLength`.
  mutating func endCommit() {
    window = options.fitted(window, count: count)
    hasBeenEmpty = window.isEmpty
    cleared = nil
  }
}

/// The flexible ranges of mappings while they follow the commits of a jump.
struct FlexibleRanges {
  /// The ranges by group; empty once the operations of a commit are not known, because too many were folded.
  private var ranges: [ByteString: FlexibleRange]

  init(_ ranges: [ByteString: FlexibleRange]) { self.ranges = ranges }

  /// Follows one commit, or several that were folded.
  mutating func follow(_ changes: ViewChanges) {
    guard !ranges.isEmpty else { return }
    guard let operations = changes.operations else { return ranges = [:] }
    for operation in operations {
      switch operation.kind {
      case .insert, .remove, .clear, .fill: ranges[operation.group]?.apply(operation)
      case .clearAll, .endOfCommit: changeAll { $0.apply(operation) }
      }
    }
    changeAll { $0.endCommit() }
  }

  private mutating func changeAll(_ change: (inout FlexibleRange) -> Void) {
    var index = ranges.startIndex
    while index < ranges.endIndex {
      change(&ranges.values[index])
      ranges.formIndex(after: &index)
    }
  }

  /// Returns the range of a group; nil if it is not known.
  func range(of group: ByteString) -> FlexibleRange? { ranges[group] }
}
