internal import BenchDrivers
internal import BenchResults
internal import BenchScenario
internal import CommitLedger
internal import HarnessPrimitives
internal import LatencyMetrics
internal import ThreadingPrimitives

/// Fills the dataset before the first phase.
struct DatasetLoading {
  /// The most rows and bytes of one transaction.
  private static let mostOfATransaction = (rows: 10_000, bytes: 16 << 20)
  private static let progressNanoseconds: UInt64 = 100_000_000
  private static let settlingPollNanoseconds: UInt64 = 5_000_000
  private static let longestSettlingNanoseconds: UInt64 = 10_000_000_000

  /// The slots of the recorder.
  private enum Timed: Int, CaseIterable {
    case insert, transaction
  }

  let context: RunContext
  let interruption: StopFlag
  let onProgress: @Sendable (RunProgress) -> Void

  /// Stores every row, and waits until the WAL is copied into the database file, but at most 10 s, so that every run
  /// begins in the same state. Does nothing for a driver that keeps no data.
  /// - Returns: the time of loading, until the WAL was copied or 10 s had passed, and the figures of the inserts, both
  ///   nil for a driver that keeps no data, and the frames that the engine did not copy in time; nil after an
  ///   interruption.
  func load() throws -> (nanoseconds: UInt64?, result: LoadResult?, backlogFrames: Int)? {
    guard context.database.keepsData else { return (nil, nil, 0) }
    let begun = MonotonicClock.now
    let times = LatencyRecorder(slotCount: Timed.allCases.count, digits: context.scenario.measure.histogramDigits)
    let connection = try context.database.connect(.plain("dataset", objectCache: false))
    for settings in context.scenario.dataset {
      guard let collection = context.collections[settings.name] else { continue }
      do { try fill(collection, settings, on: connection, timedBy: times) } catch {
        let path = context.databasePath.map { " into \($0)" } ?? ""
        throw RunError(problem: "loading \"\(settings.name)\"\(path): \(error)")
      }
    }
    let result = LoadResult(
      nanoseconds: MonotonicClock.now - begun,
      inserts: times.histogram(in: Timed.insert.rawValue),
      transactions: times.histogram(in: Timed.transaction.rawValue)
    )
    return try settle().map { (MonotonicClock.now - begun, result, $0) }
  }

  private func fill(
    _ collection: CheckedCollection,
    _ settings: DatasetCollection,
    on connection: any DriverConnection,
    timedBy times: LatencyRecorder
  ) throws {
    var stream = RandomStream(seed: context.seed, "dataset", collection.name)
    let ledger = context.ledger.map { LedgerConnection($0) }
    var checks = CheckCounts()
    defer { context.add(checks) }
    var reportedAt = MonotonicClock.now
    let rows = collection.rows.loaded
    let most = Self.mostOfATransaction
    let rowsEach = min(max(most.bytes / Int(saturating: settings.rowBytes), 1), most.rows)
    for first in stride(from: 0, to: rows, by: rowsEach) where !interruption.isRaised {
      let last = min(first + rowsEach, rows)
      let begun = MonotonicClock.now
      try connection.readWrite { transaction in
        var changes = CommitChanges()
        try ledger?.begin(transaction, isChecked: true, &checks)
        for row in first..<last {
          let time = try store(row, of: collection, in: transaction, adding: &changes, &stream)
          times.record(time, in: Timed.insert.rawValue)
        }
        try ledger?.end(transaction, with: [changes], &checks)
      }
      times.record(MonotonicClock.now - begun, in: Timed.transaction.rawValue)
      context.acknowledge(context.database.commit)
      if MonotonicClock.now > reportedAt + Self.progressNanoseconds || last == rows {
        reportedAt = MonotonicClock.now
        onProgress(.loading(collection: collection.name, rows: last, of: rows))
      }
    }
  }

  /// Waits until the WAL is copied.
  /// - Returns: the frames that were not copied in time; nil after an interruption.
  private func settle() throws -> Int? {
    guard context.scenario.engine.driver.has(.checkpoints) else { return 0 }
    // An engine that checkpoints by the WAL's size alone would leave a small dataset in the WAL.
    _ = try context.database.checkpoint(.passive)
    let frameBytes = context.database.frameBytes
    let deadline = MonotonicClock.now + Self.longestSettlingNanoseconds
    while !interruption.isRaised {
      let backlog = context.database.observe()?.wal?.backlogFrames ?? 0
      if backlog == 0 || MonotonicClock.now >= deadline { return backlog }
      onProgress(.settling(walBacklogBytes: backlog * frameBytes))
      MonotonicClock.sleep(until: MonotonicClock.now + Self.settlingPollNanoseconds)
    }
    return nil
  }

  /// Stores a row.
  /// - Returns: the time of the insert's call, in nanoseconds.
  private func store(
    _ row: Int,
    of collection: CheckedCollection,
    in transaction: any DriverTransaction,
    adding changes: inout CommitChanges,
    _ stream: inout RandomStream
  ) throws -> UInt64 {
    func value(_ part: RowPart, _ source: SizeSource, balance: Int64? = nil) -> [UInt8] {
      Payload.make(
        Payload.Label(commit: transaction.snapshot, row: row, collection: collection.number, part: part),
        size: source.next(&stream),
        compressible: source.compressible,
        balance: balance,
        &stream
      )
    }
    let object = value(.object, collection.valueSize, balance: collection.firstBalance)
    let metadata = collection.metadataSize.map { value(.metadata, $0) }
    let key = collection.keys.key(row)
    let begun = MonotonicClock.now
    try transaction.set(object, metadata: metadata, key, in: collection.name)
    let nanoseconds = MonotonicClock.now - begun
    let mark = AnswerOracle.Mark(commit: transaction.snapshot, isAbsent: false)
    let keepsLedger = context.ledger != nil
    let objectDigest = keepsLedger ? LedgerDigest.of(object) : 0
    let metadataDigest = keepsLedger ? metadata.map { LedgerDigest.of($0) } ?? 0 : 0
    collection.oracle?.set(mark, of: .object, row: row, digest: objectDigest)
    if metadata != nil { collection.oracle?.set(mark, of: .metadata, row: row, digest: metadataDigest) }
    if keepsLedger {
      changes.add(
        LedgerEntry.Write(.row, key, in: collection.name, object: objectDigest, metadata: metadataDigest)
      )
    }
    return nanoseconds
  }
}
