internal import CRawSQLite
internal import YapEngine

/// The C loops, over their own handle.
// Used by one thread at a time. Code that passes the store to another thread must ensure this.
final class RawStore: KeyValueStore, @unchecked Sendable {
  /// SQLite's default for `autocheckpoint`.
  static let usualAutocheckpoint: Int32 = 1_000

  let name: String
  private let store: OpaquePointer
  /// Retained because the C side points into it.
  private let dataset: Dataset
  private var isClosed = false
  private var isPinned = false

  /// - Parameter autocheckpoint: The number of pages in the WAL after which a commit copies them; 0 for never.
  init(
    path: String,
    layout: craw_layout,
    dataset: Dataset,
    synchronous: YapDatabaseOptions.Synchronous = .off,
    autocheckpoint: Int32 = usualAutocheckpoint,
    name: String? = nil
  ) throws {
    self.name = name ?? (layout == CRAW_ORIGINAL ? ContestantName.raw : ContestantName.table)
    self.dataset = dataset
    let level: Int32 =
      switch synchronous {
      case .off: 0
      case .normal: 1
      case .full: 2
      }
    let opened = withUnsafePointer(to: dataset.raw) {
      craw_open(path, layout, level, autocheckpoint, $0)
    }
    guard let opened else { throw BenchmarkError(.failed, "\(path) could not be opened: out of memory") }
    store = opened
    let problem = String(cString: craw_error(store))
    if !problem.isEmpty { throw BenchmarkError(.failed, "\(path) could not be opened: \(problem)") }
  }

  deinit {
    if !isClosed { craw_close(store) }
  }

  func close() {
    if !isClosed { craw_close(store) }
    isClosed = true
  }

  func load() throws { try check(craw_load(store)) }

  func readNothing(_ count: Int) throws { try check(craw_read_nothing(store, count)) }

  func readTogether(_ rows: [UInt32]) throws -> UInt64 {
    var sum: UInt64 = 0
    try check(craw_read_together(store, rows, rows.count, &sum))
    return sum
  }

  func readEach(_ rows: [UInt32]) throws -> UInt64 {
    var sum: UInt64 = 0
    try check(craw_read_each(store, rows, rows.count, &sum))
    return sum
  }

  func update(_ rows: [UInt32], rowsEach: Int, fresh: Int) throws {
    try check(craw_update(store, rows, rows.count / rowsEach, rowsEach, true, UInt64(fresh), nil))
  }

  /// - Returns: The duration of each transaction in nanoseconds.
  func timedUpdate(_ rows: [UInt32], rowsEach: Int, fresh: Int) throws -> [UInt64] {
    var times = [UInt64](repeating: 0, count: rows.count / rowsEach)
    try check(craw_update(store, rows, times.count, rowsEach, true, UInt64(fresh), &times))
    return times
  }

  /// Changes rows, one in a transaction, and lets `reader`, a store of the same file, follow each commit.
  /// - Parameter readsRow: Whether the reader reads each changed row, and not only the snapshot row.
  /// - Returns: The duration in nanoseconds of each step of the reader, and the sum of the stamps that it has read.
  func handOver(
    _ rows: [UInt32],
    to reader: RawStore,
    readsRow: Bool,
    fresh: Int
  ) throws -> (times: [UInt64], sum: UInt64) {
    var times = [UInt64](repeating: 0, count: rows.count)
    var sum: UInt64 = 0
    if craw_follow(store, reader.store, rows, rows.count, readsRow, UInt64(fresh), &times, &sum) { return (times, sum) }
    try check(craw_error(store).pointee == 0)
    try reader.check(false)
    return (times, sum)
  }

  /// - Returns: The number of rows, and the sum of their stamps.
  func scan(inTable: Bool) throws -> (count: UInt64, sum: UInt64) {
    var count: UInt64 = 0
    var sum: UInt64 = 0
    try check(craw_scan(store, inTable, &count, &sum))
    return (count, sum)
  }

  func insert(_ rows: [UInt32], rowsEach: Int) throws {
    try check(craw_insert(store, rows, rows.count / rowsEach, rowsEach))
  }

  func remove(_ rows: [UInt32]) throws { try check(craw_remove(store, rows, rows.count)) }

  func scan(from rows: [UInt32], limit: Int) throws -> UInt64 {
    var sum: UInt64 = 0
    try check(craw_scan_from(store, rows, rows.count, UInt32(limit), &sum))
    return sum
  }

  /// Begins a read transaction that stays at its snapshot, after the end of the earlier one.
  func movePin() throws {
    if isPinned { try check(craw_unpin(store)) }
    isPinned = true
    try check(craw_pin(store))
  }

  func checkpoint() throws { try check(craw_checkpoint(store)) }

  private func check(_ isFine: Bool) throws {
    if !isFine { throw BenchmarkError(.failed, "\(name): \(String(cString: craw_error(store)))") }
  }
}
