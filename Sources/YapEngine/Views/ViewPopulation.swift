internal import Foundation

/// Populates a view from the rows that exist, or sorts the rows of a view again.
///
/// Rows are held up to a limit and sorted as runs, and the runs are merged. For n rows this takes O(n log n)
/// comparisons and reads each row at most twice. It holds the objects of `runLength` rows at most or, in a merge, of
/// one row per run.
struct ViewPopulation {
  /// The number of rows that are held with their objects before they are sorted as runs.
  static let usualRunLength = 8_192

  /// The rows of one group: those that are still held, and the sorted runs.
  private struct Gathered {
    var held: [ViewedRow] = []
    var runs: [[Int64]] = []
  }

  private let view: YapDatabaseView
  private let transaction: YapDatabaseReadWriteTransaction
  private let runLength: Int
  private var groups: [ByteString: Gathered] = [:]
  private var heldCount = 0
  /// The rowids of rows that the handler of undecodable values skips.
  private var leftOut: [Int64] = []

  init(
    _ view: YapDatabaseView,
    _ transaction: YapDatabaseReadWriteTransaction,
    runLength: Int = ViewPopulation.usualRunLength
  ) {
    self.view = view
    self.transaction = transaction
    self.runLength = runLength
  }

  /// Groups and sorts rows of the data table.
  /// - Parameters:
  ///   - old: The state that the new one replaces.
  ///   - isTaken: Returns whether a row may be in the view.
  /// - Throws: Among others the errors of the view's closures, and `codec` for a row that cannot be decoded, if the
  ///   handler of undecodable values stops the call.
  mutating func run(
    replacing old: ViewState = ViewState(),
    where isTaken: (_ rowid: Int64) -> Bool = { _ in true }
  ) throws -> ViewState {
    try view.forEachCandidate(in: transaction, view.parts) { row in
      guard isTaken(row.rowid) else { return }
      if row.isSkipped { return leftOut.append(row.rowid) }
      guard let group = try view.grouping.group(transaction, row) else { return }
      try hold(row, in: ByteString(group))
    }
    return try end(replacing: old)
  }

  /// Sorts the rows of each group of a state. Rows that the sorting considers equal keep their order.
  /// - Throws: As `run` does.
  mutating func sort(_ old: ViewState) throws -> ViewState {
    for name in old.groupNames {
      for rowid in old.rowids(inGroup: name) {
        let row = try transaction.viewedRow(rowid, view.sorting.parts, caching: .passing)
        if row.isSkipped { leftOut.append(rowid) } else { try hold(row, in: name) }
      }
    }
    return try end(replacing: old)
  }

  private mutating func hold(_ row: ViewedRow, in group: ByteString) throws {
    groups[group, default: Gathered()].held.append(row)
    heldCount += 1
    if heldCount >= runLength { try endRuns() }
  }

  private mutating func end(replacing old: ViewState) throws -> ViewState {
    try endRuns()
    var state = old
    state.removeAll()
    for (name, gathered) in groups { state.append(try merge(gathered.runs, of: name), toGroup: name) }
    for rowid in leftOut { state.leaveOut(rowid) }
    return state
  }

  private mutating func endRuns() throws {
    for name in groups.keys {
      guard let held = groups[name]?.held, !held.isEmpty else { continue }
      groups[name]?.held = []
      let sorted = try held.sorted { left, right in
        try view.sorting.compare(transaction, name.text, left, right) == .orderedAscending
      }
      groups[name]?.runs.append(sorted.map(\.rowid))
    }
    heldCount = 0
  }

  /// Merges the runs, with a heap that contains the next row of each run.
  private func merge(_ runs: [[Int64]], of group: ByteString) throws -> [Int64] {
    if runs.count == 1 { return runs[0] }
    var heap: [Next] = []
    for run in runs.indices {
      if let next = try next(in: run, from: 0, of: runs) {
        try Self.push(next, on: &heap) { try comesBefore($0, $1, in: group) }
      }
    }
    var rowids: [Int64] = []
    while let first = heap.first {
      rowids.append(first.row.rowid)
      if let next = try next(in: first.run, from: first.offset + 1, of: runs) {
        heap[0] = next
      } else {
        let last = heap.removeLast()
        if heap.isEmpty { break }
        heap[0] = last
      }
      try Self.sink(&heap) { try comesBefore($0, $1, in: group) }
    }
    return rowids
  }

  /// The next row of a run.
  private struct Next {
    let row: ViewedRow
    let run: Int
    let offset: Int
  }

  private func next(in run: Int, from offset: Int, of runs: [[Int64]]) throws -> Next? {
    for offset in offset..<runs[run].count {
      let row = try transaction.viewedRow(runs[run][offset], view.sorting.parts, caching: .passing)
      if !row.isSkipped { return Next(row: row, run: run, offset: offset) }
    }
    return nil
  }

  private func comesBefore(_ left: Next, _ right: Next, in group: ByteString) throws -> Bool {
    switch try view.sorting.compare(transaction, group.text, left.row, right.row) {
    case .orderedAscending: true
    case .orderedSame: left.run < right.run
    case .orderedDescending: false
    }
  }

  private static func push(_ next: Next, on heap: inout [Next], _ comesBefore: (Next, Next) throws -> Bool) rethrows {
    heap.append(next)
    var index = heap.count - 1
    while index > 0, try comesBefore(heap[index], heap[(index - 1) / 2]) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Moves the first element down to its position in the heap.
  private static func sink(_ heap: inout [Next], _ comesBefore: (Next, Next) throws -> Bool) rethrows {
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
        if try comesBefore(heap[child], heap[least]) { least = child }
      }
      if least == index { return }
      heap.swapAt(index, least)
      index = least
    }
  }
}
