/// Assigns the rows that a scan finds to the requested keys, both sorted.
struct ScanMerge {
  private let keys: [String]
  private var index = 0

  init(_ keys: [String]) { self.keys = keys }

  /// Visits the object of a found row, and before it nil for each requested key that was not found.
  mutating func take(_ key: String, object: [UInt8]?, _ visit: (Int, [UInt8]?) -> Void) throws {
    while index < keys.count, keys[index] != key {
      visit(index, nil)
      index += 1
    }
    guard index < keys.count else { throw DriverError.unexpectedKey(key) }
    visit(index, object)
    index += 1
  }

  /// Visits nil for the keys behind the last found row.
  mutating func end(_ visit: (Int, [UInt8]?) -> Void) {
    for missing in index..<keys.count { visit(missing, nil) }
    index = keys.count
  }
}
