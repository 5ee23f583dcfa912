/// One operation, drawn before its transaction begins. It has no references, so that a copy is cheap.
struct PlannedOperation {
  /// The index of its kind among the actor's operations.
  let index: Int
  /// The index of its collection in the actor's list; nil if it uses none.
  let collection: Int?
  /// The index of its first row in the plan's rows; the other rows of `multiGet` and `transfer` follow.
  let firstRow: Int
  /// The number of rows that it scans; 0 for none.
  let scanLength: Int
  /// Bytes of the first object that it writes; 0 for none.
  let size: Int
  /// Bytes of the metadata that it writes; nil for none.
  let metadataSize: Int?
  /// The index of its first value among the plan's values, if it has any: its objects, then its metadata.
  let firstValue: Int
}

/// The work of the next transactions, of which one is the current one. The arrays are reused for the following draw, so
/// that only the values and long keys are allocated.
struct TransactionPlan {
  /// The numbers of operations and rows up to the end of a transaction.
  private struct End {
    var operations = 0
    var rows = 0
  }

  private(set) var drawnOperations: [PlannedOperation] = []
  private var drawnRows: [Int] = []
  private var drawnKeys: [String] = []
  private var values: [PayloadBlank?] = []
  /// One for each drawn transaction.
  private var ends: [End] = []
  /// The number of rows that the operations need.
  private(set) var plannedRows = 0
  /// The number of drawn transactions up to the current one, and the bounds of the current one.
  private var position = 0
  private var (start, end) = (End(), End())
  /// The rows that the current transaction has inserted, each with the index of its collection.
  private var inserted: [(row: Int, collection: Int)] = []

  // MARK: Drawing

  mutating func removeAll() {
    drawnOperations.removeAll(keepingCapacity: true)
    drawnRows.removeAll(keepingCapacity: true)
    drawnKeys.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    inserted.removeAll(keepingCapacity: true)
    (plannedRows, position, start, end) = (0, 0, End(), End())
  }

  /// - Parameter rows: the number of rows that must be drawn for it.
  mutating func append(_ operation: PlannedOperation, rows: Int) {
    drawnOperations.append(operation)
    plannedRows += rows
  }

  /// Adds rows, which `draw` appends, and their keys. They must be in the order of the operations.
  mutating func append(rows count: Int, keys: RowKeys, _ draw: (inout [Int]) -> Void) {
    draw(&drawnRows)
    keys.append(drawnRows.suffix(count), to: &drawnKeys)
  }

  mutating func append(value: PayloadBlank) { values.append(value) }

  /// Ends the transaction to which operations and values have been added.
  mutating func endTransaction() { ends.append(End(operations: drawnOperations.count, rows: plannedRows)) }

  /// Calls `body` with the operations and rows of each drawn transaction.
  func forEachTransaction(
    _ body: (
      _ operations: UnsafeBufferPointer<PlannedOperation>.SubSequence,
      _ rows: UnsafeBufferPointer<Int>.SubSequence
    ) -> Void
  ) {
    drawnOperations.withUnsafeBufferPointer { operations in
      drawnRows.withUnsafeBufferPointer { rows in
        var start = End()
        for end in ends {
          body(operations[start.operations..<end.operations], rows[start.rows..<end.rows])
          start = end
        }
      }
    }
  }

  var valueCount: Int { values.count }

  /// Makes the next drawn transaction the current one.
  /// - Returns: whether there is one.
  @inline(__always)
  mutating func next() -> Bool {
    guard position < ends.count else { return false }
    (start, end) = (end, ends[position])
    position += 1
    if !inserted.isEmpty { inserted.removeAll(keepingCapacity: true) }
    return true
  }

  // MARK: The current transaction

  @inline(__always) var operationCount: Int { end.operations - start.operations }
  @inline(__always) var firstOperation: PlannedOperation { drawnOperations[start.operations] }
  var operations: ArraySlice<PlannedOperation> { drawnOperations[start.operations..<end.operations] }
  /// The drawn rows, by the indices that its operations have.
  var rows: ArraySlice<Int> { drawnRows[start.rows..<end.rows] }
  /// The keys of the drawn rows, by the same indices.
  var keys: ArraySlice<String> { drawnKeys[start.rows..<end.rows] }

  /// Returns the first row of an operation that has one.
  @inline(__always)
  func row(of operation: PlannedOperation) -> Int { drawnRows[operation.firstRow] }

  /// Returns the key of the first row of an operation that has one.
  @inline(__always)
  func key(of operation: PlannedOperation) -> String { drawnKeys[operation.firstRow] }

  mutating func append(insertedRow row: Int, in collection: Int) { inserted.append((row, collection)) }

  /// The rows of a collection that were drawn or inserted.
  func rows(in collection: Int) -> [Int] {
    var found: [Int] = []
    for (number, operation) in operations.enumerated() where operation.collection == collection {
      let next = start.operations + number + 1
      found += drawnRows[operation.firstRow..<(next < end.operations ? drawnOperations[next].firstRow : end.rows)]
    }
    return found + inserted.filter { $0.collection == collection }.map(\.row)
  }

  /// The last row that was inserted or, without inserts, drawn; nil if there is none.
  var lastRow: (row: Int, collection: Int)? {
    if let last = inserted.last { return last }
    guard let operation = operations.last(where: { $0.firstRow < end.rows }), let collection = operation.collection
    else { return nil }
    return (drawnRows[end.rows - 1], collection)
  }

  /// Removes a value from the plan, so that it can be labelled without a copy.
  mutating func takeValue(at index: Int) -> PayloadBlank? { values[index].take() }
}
