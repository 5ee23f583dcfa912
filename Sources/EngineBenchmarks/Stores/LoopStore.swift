internal import CDriverLoops
internal import CRawSQLite

/// The loop in C that does a driver's work, over its own handle.
// Used by one thread at a time.
final class LoopStore: RowStore, @unchecked Sendable {
  let name: String
  private let loop: OpaquePointer
  /// Retained because the C side points into it.
  private let dataset: Dataset
  private var isClosed = false

  init(_ driver: MeasuredDriver, path: String, dataset: Dataset) throws {
    name = driver.loopName
    self.dataset = dataset
    let opened = withUnsafePointer(to: dataset.raw) { Self.open(driver, at: path, rows: $0) }
    guard let opened else { throw BenchmarkError(.failed, "\(path) could not be opened: out of memory") }
    loop = opened
    let problem = String(cString: cloop_error(loop))
    if !problem.isEmpty { throw BenchmarkError(.failed, "\(path) could not be opened: \(problem)") }
  }

  /// Returns nil if memory is exhausted, and for a driver that this build does not have.
  private static func open(
    _ driver: MeasuredDriver,
    at path: String,
    rows: UnsafePointer<craw_rows>
  ) -> OpaquePointer? {
    switch driver {
    case .sqlite: return cloop_open_sqlite(path, rows)
    case .lmdb:
      #if LMDB
        return cloop_open_lmdb(path, rows)
      #else
        return nil
      #endif
    case .rocksdb:
      #if RocksDB
        return cloop_open_rocksdb(path, rows)
      #else
        return nil
      #endif
    }
  }

  deinit {
    if !isClosed { cloop_close(loop) }
  }

  func close() {
    if !isClosed { cloop_close(loop) }
    isClosed = true
  }

  func load() throws { try check(cloop_load(loop)) }

  func readNothing(_ count: Int) throws { try check(cloop_read_nothing(loop, count)) }

  func readTogether(_ rows: [UInt32]) throws -> UInt64 {
    var sum: UInt64 = 0
    try check(cloop_read_together(loop, rows, rows.count, &sum))
    return sum
  }

  func readEach(_ rows: [UInt32]) throws -> UInt64 {
    var sum: UInt64 = 0
    try check(cloop_read_each(loop, rows, rows.count, &sum))
    return sum
  }

  func update(_ rows: [UInt32], rowsEach: Int, fresh: Int) throws {
    try check(cloop_update(loop, rows, rows.count / rowsEach, rowsEach, UInt64(fresh)))
  }

  private func check(_ isFine: Bool) throws {
    if !isFine { throw BenchmarkError(.failed, "\(name): \(String(cString: cloop_error(loop)))") }
  }
}
