/// Whether an enumeration of a collection goes on by its index, or by a scan of the table. A pure decision.
///
/// By the index each row is searched for in the table: that costs a dozen times what a scan costs a row that it passes.
/// But a scan passes the rows of all collections. How large the collection is nobody knows; so the enumeration begins
/// by the index, and after some rows it looks: a small collection pays nothing, and the looks of a large one cost less
/// than what was enumerated before them. The index gives rows by key, so that the scan takes those with higher ones.
struct EnumerationPlan {
  /// Rows after which it looks first.
  static let firstLook = 512
  /// It looks ahead by so many times the rows that it has enumerated, by the index alone.
  static let lookAhead = 64
  /// A scan pays, whatever the sizes of rows, if the collection has at least one in so many rows of the table.
  static let leastShare = 4

  /// After how many rows to look; nil for never.
  private(set) var nextLook: Int?

  init(firstLook: Int = firstLook) {
    nextLook = firstLook
  }

  /// - Parameters:
  ///   - visited: rows of the collection so far.
  ///   - tableRows: rows of the table at most.
  /// - Returns: how many more rows the collection needs for a scan; nil to go on by the index.
  mutating func rowsToFind(visited: Int, tableRows: Int) -> Int? {
    let needed = max((tableRows + Self.leastShare - 1) / Self.leastShare - visited, 0)
    if needed <= visited * Self.lookAhead { return needed }
    nextLook = visited * 4
    return nil
  }

  /// The collection has fewer rows than a scan needs.
  mutating func isTooSmall() {
    nextLook = nil
  }
}
