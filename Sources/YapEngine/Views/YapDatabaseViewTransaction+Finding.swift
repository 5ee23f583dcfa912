public import Foundation

extension YapDatabaseViewTransaction {
  /// The rows of a group for which `block` says that they are the same as what is looked for: a binary search, so the
  /// closure has to agree with the view's sorting. It says how a row compares to what is looked for:
  /// `.orderedAscending` for one that comes before it.
  /// - Returns: their indexes; nil if there are none.
  public func findRange(
    inGroup group: String,
    using block: (_ collection: String, _ key: String) throws -> ComparisonResult
  ) throws -> Range<Int>? {
    try findRange(group, []) { try block($0.collection.text, $0.key) }
  }

  /// The same with a closure that is given the object.
  public func findRange(
    inGroup group: String,
    usingObject block: (_ collection: String, _ key: String, _ object: Any) throws -> ComparisonResult
  ) throws -> Range<Int>? {
    try findRange(group, .object) { row in
      guard let object = row.object else { throw ViewState.lost(row) }
      return try block(row.collection.text, row.key, object)
    }
  }

  /// The same with a closure that is given the metadata.
  public func findRange(
    inGroup group: String,
    usingMetadata block: (_ collection: String, _ key: String, _ metadata: Any?) throws -> ComparisonResult
  ) throws -> Range<Int>? {
    try findRange(group, .metadata) { try block($0.collection.text, $0.key, $0.metadata) }
  }

  /// The same with a closure that is given object and metadata.
  public func findRange(
    inGroup group: String,
    usingRow block: (_ collection: String, _ key: String, _ object: Any, _ metadata: Any?) throws -> ComparisonResult
  ) throws -> Range<Int>? {
    try findRange(group, [.object, .metadata]) { row in
      guard let object = row.object else { throw ViewState.lost(row) }
      return try block(row.collection.text, row.key, object, row.metadata)
    }
  }

  private func findRange(
    _ name: String,
    _ parts: RowParts,
    _ compare: (ViewedRow) throws -> ComparisonResult
  ) throws -> Range<Int>? {
    let state = try state
    guard let group = state.group(named: ByteString(name)) else { return nil }
    func order(_ index: Int) throws -> ComparisonResult {
      try compare(row(state.rowid(at: index, in: group), parts))
    }
    let first = try firstIndex(in: 0..<group.count) { try order($0) != .orderedAscending }
    let end = try firstIndex(in: first..<group.count) { try order($0) == .orderedDescending }
    return first == end ? nil : first..<end
  }

  /// The first index of which `holds` is true; from it on it is for all.
  private func firstIndex(in range: Range<Int>, where holds: (Int) throws -> Bool) rethrows -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if try holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
