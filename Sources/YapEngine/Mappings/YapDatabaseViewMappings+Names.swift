public import Foundation

// YapDatabase's names for calls and types that have other names here.

public typealias YapDatabaseViewPin = YapDatabaseViewRangeOptions.Pin
public typealias YapDatabaseViewGrowOptions = YapDatabaseViewRangeOptions.Growth

extension YapDatabaseViewRangeOptions.Growth {
  public static let pinSide = Self.onPinSide
  public static let nonPinSide = Self.onNonPinSide
}

extension YapDatabaseViewRangeOptions {
  public static func fixedRange(withLength length: Int, offset: Int, from pin: Pin) -> Self {
    .fixed(length: length, offset: offset, from: pin)
  }

  public static func flexibleRange(withLength length: Int, offset: Int, from pin: Pin) -> Self {
    .flexible(length: length, offset: offset, from: pin)
  }

  public var isFixedRange: Bool { !isFlexible }

  public var isFlexibleRange: Bool { isFlexible }

  public var growOptions: YapDatabaseViewGrowOptions {
    get { growth }
    set { growth = newValue }
  }

  public func copy(withNewLength length: Int) -> Self { copy(withNewLength: length, newOffset: offset) }

  public func copy(withNewOffset offset: Int) -> Self { copy(withNewLength: length, newOffset: offset) }

  public func copy(withNewLength length: Int, newOffset offset: Int) -> Self {
    var copy = self
    (copy.length, copy.offset) = (length, offset)
    return copy
  }
}

/// The position of a range in its group, in the order in which the group is shown.
public struct YapDatabaseViewRangePosition: Sendable, Equatable {
  /// The number of rows of the group before the range.
  public let offsetFromBeginning: Int
  /// The number of rows of the group after the range.
  public let offsetFromEnd: Int
  /// The number of rows in the range.
  public let length: Int
}

extension YapDatabaseViewMappings {
  public convenience init(
    groupFilterBlock: @escaping @Sendable (_ group: String, _ transaction: YapDatabaseReadTransaction) throws -> Bool,
    sortBlock:
      @escaping @Sendable (_ group1: String, _ group2: String, _ transaction: YapDatabaseReadTransaction) throws ->
      ComparisonResult,
    view: String
  ) {
    self.init(view: view, filter: groupFilterBlock) { try sortBlock($0, $1, $2) == .orderedAscending }
  }

  public func setIsDynamicSectionForAllGroups(_ isDynamic: Bool) { isDynamicSectionForAllGroups = isDynamic }

  public func removeRangeOptions(forGroup group: String) { setRangeOptions(nil, forGroup: group) }

  public func setCellDrawingDependencyOffsets(_ offsets: Set<Int>, forGroup group: String) {
    setCellDrawingDependencies(offsets, forGroup: group)
  }

  public func setCellDrawingDependencyForNeighboringCell(withOffset offset: Int, forGroup group: String) {
    setCellDrawingDependencies([offset], forGroup: group)
  }

  public func setAutoConsolidateGroupsThreshold(_ threshold: Int, withName name: String) {
    setConsolidation(below: threshold, withName: name)
  }

  /// The number of shown rows below which a single section contains all groups; 0 for never.
  public var autoConsolidateGroupsThreshold: Int { current.consolidation?.below ?? 0 }

  /// The name of the single section of all groups; nil if there never is one.
  public var consolidatedGroupName: String? { current.consolidation?.name.text }

  public var snapshotOfLastUpdate: UInt64? { snapshot }

  /// Returns the position of the range that is shown of a group: all of it without range options, and zeros if the
  /// group is not mapped.
  public func rangePosition(forGroup group: String) -> YapDatabaseViewRangePosition {
    guard let part = layout?.mappedPart(of: ByteString(group)) else {
      return YapDatabaseViewRangePosition(offsetFromBeginning: 0, offsetFromEnd: 0, length: 0)
    }
    let (below, above) = (part.window.lowerBound, part.count - part.window.upperBound)
    return YapDatabaseViewRangePosition(
      offsetFromBeginning: part.isReversed ? above : below,
      offsetFromEnd: part.isReversed ? below : above,
      length: part.shown
    )
  }

  /// Returns the index in its group of a row of a section, in the order of the view; nil if there is no such row.
  public func index(forRow row: Int, inSection section: Int) -> Int? {
    layout?.position(section: section, row: row)?.index
  }

  /// Returns the index in a group, in the order of the view, of a shown row of the group; nil if there is no such row.
  public func index(forRow row: Int, inGroup group: String) -> Int? {
    guard let layout else { return nil }
    if layout.consolidatedName == ByteString(group) { return layout.position(section: 0, row: row)?.index }
    return layout.mappedPart(of: ByteString(group))?.index(ofShown: row)
  }

  /// Returns the position among the shown rows of a group of the row at an index, which is in the order of the view;
  /// nil if it is not shown.
  public func row(forIndex index: Int, inGroup group: String) -> Int? {
    layout?.mappedPart(of: ByteString(group))?.shown(ofIndex: index)
  }
}

extension YapDatabaseViewSectionChange {
  public var type: Kind { kind }
}

extension YapDatabaseViewRowChange {
  public var type: Kind { kind }

  /// The collection and the key; nil if they are not known.
  public var collectionKey: (collection: String, key: String)? {
    collection.flatMap { collection in key.map { (collection, $0) } }
  }

  /// The section before the changes; nil for an insert.
  public var originalSection: Int? { indexPath?[0] }

  /// The row in its section before the changes; nil for an insert.
  public var originalIndex: Int? { indexPath?[1] }

  /// The section after the changes; nil for a delete.
  public var finalSection: Int? { newIndexPath?[0] }

  /// The row in its section after the changes; nil for a delete.
  public var finalIndex: Int? { newIndexPath?[1] }
}
