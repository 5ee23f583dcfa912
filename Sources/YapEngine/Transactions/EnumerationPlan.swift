/// Decides whether an enumeration of a collection continues by the index or by a scan of the table. A pure state
/// machine.
///
/// By the index, each row is searched for in the table, which costs a dozen times what a scan costs for each row that
/// it passes. But a scan passes the rows of all collections. The size of the collection is not known, so the
/// enumeration begins by the index and checks the size after some rows: for a small collection there is no check, and
/// the checks of a large one cost less than the rows enumerated before them. The index returns rows by key, so the scan
/// takes the rows with higher keys.
struct EnumerationPlan {
  /// The number of rows before the first check.
  static let firstLook = 512
  /// A check reads at most this many times the rows enumerated so far, from the index alone.
  static let lookAhead = 64
  /// A scan pays off, whatever the sizes of rows, if at least one in this many rows of the table is in the collection.
  static let leastShare = 4

  /// The number of visited rows at which the next check is made; nil for no further check.
  private(set) var nextLook: Int?

  init(firstLook: Int = firstLook) {
    nextLook = firstLook
  }

  /// Makes a check.
  /// - Parameters:
  ///   - visited: the number of rows of the collection so far.
  ///   - tableRows: an upper bound of the number of rows in the table.
  /// - Returns: the number of further rows that the collection must have for a scan; nil to continue by the index.
  mutating func rowsToFind(visited: Int, tableRows: Int) -> Int? {
    let needed = max((tableRows + Self.leastShare - 1) / Self.leastShare - visited, 0)
    if needed <= visited * Self.lookAhead { return needed }
    nextLook = visited * 4
    return nil
  }

  /// Records that the collection has fewer rows than a scan needs.
  mutating func isTooSmall() {
    nextLook = nil
  }
}
