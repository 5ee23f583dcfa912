/// Checks that an enumeration of a collection shows each row that must be there exactly once, and no other row.
struct EnumerationCheck {
  private let collection: CheckedCollection
  private var isVisited: [Bool]

  init(_ collection: CheckedCollection) {
    self.collection = collection
    isVisited = Array(repeating: false, count: collection.rows)
  }

  /// Records a key that the enumeration shows.
  /// - Returns: the key's row; nil with an objection if the key belongs to no row or was shown before.
  mutating func visit(_ key: String) -> (row: Int?, objection: String?) {
    guard let row = collection.keys.row(of: key, below: collection.rows) else {
      return (nil, "\"\(collection.name)\" contains the key \"\(key)\", which belongs to no row")
    }
    defer { isVisited[row] = true }
    return isVisited[row] ? (nil, "\"\(collection.name)\" shows \(key) twice in one enumeration") : (row, nil)
  }

  /// Returns the error for a row that must be there and was not shown; nil if there is none.
  /// - Parameter snapshot: the number of the commit that the enumeration saw.
  func objectionToMissing(at snapshot: UInt64) -> String? {
    guard let oracle = collection.oracle else { return nil }
    for row in 0..<collection.rows where !isVisited[row] {
      if let objection = oracle.objection(toPresence: false, at: snapshot, row) {
        return "\"\(collection.name)\"/\(collection.keys.key(row)) \(objection)"
      }
    }
    return nil
  }
}
