public import Foundation

extension YapDatabaseViewTransaction {
  /// Finds the rows of a group for which `block` returns `.orderedSame`, by binary search.
  ///
  /// `block` compares a row with the wanted value: it returns `.orderedAscending` for a row that comes before that
  /// value. `block` has to agree with the view's sorting.
  /// - Returns: The indexes of the rows; nil if there are none.
  public func findRange(
    inGroup group: String,
    using block: (_ collection: String, _ key: String) throws -> ComparisonResult
  ) throws -> Range<Int>? {
    try findRange(in: group, reading: []) { try block($0.collection.text, $0.key) }
  }

  /// Finds rows as `findRange(inGroup:using:)` does, with a closure that receives the object.
  public func findRange(
    inGroup group: String,
    usingObject block: (_ collection: String, _ key: String, _ object: Any) throws -> ComparisonResult
  ) throws -> Range<Int>? {
    try findRange(in: group, reading: .object) { row in
      try block(row.collection.text, row.key, row.requestedObject())
    }
  }

  /// Finds rows as `findRange(inGroup:using:)` does, with a closure that receives the metadata.
  public func findRange(
    inGroup group: String,
    usingMetadata block: (_ collection: String, _ key: String, _ metadata: Any?) throws -> ComparisonResult
  ) throws -> Range<Int>? {
    try findRange(in: group, reading: .metadata) { try block($0.collection.text, $0.key, $0.metadata) }
  }

  /// Finds rows as `findRange(inGroup:using:)` does, with a closure that receives the object and the metadata.
  public func findRange(
    inGroup group: String,
    usingRow block: (_ collection: String, _ key: String, _ object: Any, _ metadata: Any?) throws -> ComparisonResult
  ) throws -> Range<Int>? {
    try findRange(in: group, reading: [.object, .metadata]) { row in
      try block(row.collection.text, row.key, row.requestedObject(), row.metadata)
    }
  }

  /// Finds rows as `findRange(inGroup:using:)` does, with a comparison that may be kept and used again.
  public func findRange(inGroup group: String, using find: YapDatabaseViewFind) throws -> Range<Int>? {
    try findRange(in: group, reading: find.parts, find.compare)
  }

  /// Finds the first row of a group for which the comparison returns `.orderedSame`, by binary search.
  /// - Returns: The index of the row; nil if there is none.
  public func findFirstMatch(inGroup group: String, using find: YapDatabaseViewFind) throws -> Int? {
    try findRange(in: group, reading: find.parts, isFirstEnough: true, find.compare)?.lowerBound
  }

  // MARK: Implementation

  /// - Parameter isFirstEnough: Whether to end the range after its first row.
  /// - Throws: Among others `mutatedDuringEnumeration` if `compare` makes the group get, lose or move a row.
  private func findRange(
    in name: String,
    reading parts: RowPart,
    isFirstEnough: Bool = false,
    _ compare: (ViewedRow) throws -> ComparisonResult
  ) throws -> Range<Int>? {
    let state = try state
    guard let group = state.group(named: ByteString(name)) else { return nil }
    var watch = GroupWatch(group, of: self)
    func order(_ index: Int) throws -> ComparisonResult {
      let order = try compare(row(state.rowid(at: index, in: group), parts))
      try watch.check()
      return order
    }
    let first = try (0..<group.count).partitioningIndex { try order($0) != .orderedAscending }
    if isFirstEnough { return try first < group.count && order(first) == .orderedSame ? first..<first + 1 : nil }
    let end = try (first..<group.count).partitioningIndex { try order($0) == .orderedDescending }
    return first == end ? nil : first..<end
  }
}

/// Compares a row of a view with wanted rows, for `findRange(inGroup:using:)` and `findFirstMatch(inGroup:using:)`.
///
/// The closure returns `.orderedAscending` for a row that comes before the wanted ones, `.orderedSame` for a wanted
/// row, and `.orderedDescending` for a row that comes after them. It has to agree with the view's sorting.
public struct YapDatabaseViewFind: Sendable {
  let parts: RowPart
  let compare: @Sendable (ViewedRow) throws -> ComparisonResult

  public static func withKeyBlock(
    _ block: @escaping @Sendable (_ collection: String, _ key: String) throws -> ComparisonResult
  ) -> Self {
    Self(parts: []) { try block($0.collection.text, $0.key) }
  }

  public static func withObjectBlock(
    _ block: @escaping @Sendable (_ collection: String, _ key: String, _ object: Any) throws -> ComparisonResult
  ) -> Self {
    Self(parts: .object) { try block($0.collection.text, $0.key, $0.requestedObject()) }
  }

  public static func withMetadataBlock(
    _ block: @escaping @Sendable (_ collection: String, _ key: String, _ metadata: Any?) throws -> ComparisonResult
  ) -> Self {
    Self(parts: .metadata) { try block($0.collection.text, $0.key, $0.metadata) }
  }

  public static func withRowBlock(
    _ block:
      @escaping @Sendable (_ collection: String, _ key: String, _ object: Any, _ metadata: Any?) throws ->
      ComparisonResult
  ) -> Self {
    Self(parts: [.object, .metadata]) { try block($0.collection.text, $0.key, $0.requestedObject(), $0.metadata) }
  }
}
