#if RocksDB
  internal import CRocksDB
  internal import Foundation
  internal import ThreadingPrimitives

  /// A transaction on a store, within its block: reads at a snapshot, or a batch of changes and the newest rows under
  /// it. A connection has one object for all its reads and one for all its writes.
  final class RocksDBTransaction: StoredRowTransaction {
    private(set) var snapshot: UInt64 = 0
    /// Whether the transaction has changed a row, so that it has to be committed.
    private(set) var hasChanged = false
    /// The time in RocksDB's calls, in nanoseconds. Counted only in read-write transactions.
    private(set) var callNanoseconds: UInt64 = 0
    private let store: RocksDBStore
    private let readOptions: OpaquePointer
    /// The changes so far; nil in a read transaction.
    private let batch: OpaquePointer?

    /// Creates a transaction that reads.
    init(on store: RocksDBStore, readOptions: OpaquePointer) {
      self.store = store
      self.readOptions = readOptions
      batch = nil
    }

    /// Creates a transaction that reads and writes. No other one may write until it ends, so its reads need no
    /// snapshot.
    init(writingTo store: RocksDBStore) {
      self.store = store
      readOptions = store.options.readNewest
      // With one record for each key, so that the batch can be read.
      batch = rocksdb_writebatch_wi_create(0, 1)
    }

    var collections: DriverCollections<OpaquePointer> { store.collections }

    deinit { if let batch { rocksdb_writebatch_wi_destroy(batch) } }

    func begin(snapshot: UInt64) {
      self.snapshot = snapshot
      callNanoseconds = 0
      // After a transaction that was rolled back, the batch has its changes.
      if hasChanged, let batch { rocksdb_writebatch_wi_clear(batch) }
      hasChanged = false
    }

    /// Writes the changes and the number of their commit atomically.
    func commit() throws { try store.write(writableBatch(), commit: snapshot) }

    // MARK: Reading

    func exists(_ key: String, in collection: String) throws -> Bool {
      try value(key, in: collections.named(collection)) { _ in true } ?? false
    }

    func count(in collection: String) throws -> Int {
      var count = 0
      try visit(collections.named(collection)) { _ in
        count += 1
        return true
      }
      return count
    }

    // MARK: Writing

    func set(_ object: [UInt8], metadata: [UInt8]?, _ key: String, in collection: String) throws {
      let rows = try collections.named(collection)
      try put(StoredRow.value(object: rows.stored(object), metadata: metadata), key, in: rows)
    }

    func setMetadata(_ metadata: [UInt8], _ key: String, in collection: String) throws {
      let rows = try collections.named(collection)
      let changed = try found(key, in: rows) { StoredRow.value(object: $0.object, metadata: metadata) }
      if let changed { try put(changed, key, in: rows) }
    }

    func replace(_ object: [UInt8], _ key: String, in collection: String) throws {
      let rows = try collections.named(collection)
      let stored = try rows.stored(object)
      let changed = try found(key, in: rows) { StoredRow.value(object: stored, metadata: $0.metadata) }
      if let changed { try put(changed, key, in: rows) }
    }

    func remove(_ key: String, in collection: String) throws {
      let (batch, rows) = try (writableBatch(), collections.named(collection))
      guard try value(key, in: rows, { _ in true }) != nil else { return }
      key.withCharacters { key in
        timed { rocksdb_writebatch_wi_delete_cf(batch, rows.handle, key.baseAddress, key.count) }
      }
      hasChanged = true
    }

    /// Removes each row by its key, because batches that can be read have no removal of a range.
    func removeAll(in collection: String) throws {
      _ = try writableBatch()
      var keys: [String] = []
      try visit(collections.named(collection)) { iterator in
        keys.append(String(decoding: Self.key(of: iterator), as: UTF8.self))
        return true
      }
      for key in keys { try remove(key, in: collection) }
    }

    private func writableBatch() throws -> OpaquePointer {
      guard let batch else { throw DriverError.writeInRead }
      return batch
    }

    private func put(_ value: [UInt8], _ key: String, in rows: DriverCollection<OpaquePointer>) throws {
      let batch = try writableBatch()
      key.withCharacters { key in
        value.withUnsafeBytes { value in
          let value = value.bindMemory(to: CChar.self)
          timed {
            rocksdb_writebatch_wi_put_cf(batch, rows.handle, key.baseAddress, key.count, value.baseAddress, value.count)
          }
        }
      }
      hasChanged = true
    }

    // MARK: Calls of RocksDB

    private func timed<Result, Failure>(_ call: () throws(Failure) -> Result) throws(Failure) -> Result {
      guard batch != nil else { return try call() }
      let began = MonotonicClock.now
      defer { callNanoseconds += MonotonicClock.now - began }
      return try call()
    }

    func found<Result>(
      _ key: String,
      in rows: DriverCollection<OpaquePointer>,
      _ take: (StoredRow) throws -> Result
    ) throws -> Result? {
      try value(key, in: rows) { try take(StoredRow($0)) }
    }

    /// Returns the result of `take` for a row's stored value, which is valid only within `take`; nil if there is no
    /// row.
    private func value<Result>(
      _ key: String,
      in rows: DriverCollection<OpaquePointer>,
      _ take: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result? {
      try key.withCharacters { key in
        if let batch, hasChanged { return try changedValue(key, of: rows.handle, in: batch, take) }
        let value = try timed {
          try RocksDBError.check {
            rocksdb_get_pinned_cf(store.handle, readOptions, rows.handle, key.baseAddress, key.count, $0)
          }
        }
        guard let value else { return nil }
        defer { rocksdb_pinnableslice_destroy(value) }
        var length = 0
        let start = rocksdb_pinnableslice_value(value, &length)
        return try take(UnsafeRawBufferPointer(start: start, count: length))
      }
    }

    /// Does the same as `value` for a transaction that has changed rows.
    private func changedValue<Result>(
      _ key: UnsafeBufferPointer<CChar>,
      of family: OpaquePointer,
      in batch: OpaquePointer,
      _ take: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result? {
      var length = 0
      let value = try timed {
        try RocksDBError.check { message in
          rocksdb_writebatch_wi_get_from_batch_and_db_cf(
            batch,
            store.handle,
            readOptions,
            family,
            key.baseAddress,
            key.count,
            &length,
            message
          )
        }
      }
      guard let value else { return nil }
      defer { rocksdb_free(value) }
      return try take(UnsafeRawBufferPointer(start: value, count: length))
    }

    func walk(
      _ rows: DriverCollection<OpaquePointer>,
      from first: String?,
      _ body: (UnsafeRawBufferPointer, StoredRow) throws -> Bool
    ) throws {
      try visit(rows, from: first ?? "") { iterator in
        var length = 0
        let value = rocksdb_iter_value(iterator, &length)
        return try body(Self.key(of: iterator), StoredRow(UnsafeRawBufferPointer(start: value, count: length)))
      }
    }

    private static func key(of iterator: OpaquePointer) -> UnsafeRawBufferPointer {
      var length = 0
      let key = rocksdb_iter_key(iterator, &length)
      return UnsafeRawBufferPointer(start: key, count: length)
    }

    /// Moves an iterator over rows in the order of their keys, from a key on, until `body` returns false.
    private func visit(
      _ rows: DriverCollection<OpaquePointer>,
      from first: String = "",
      _ body: (_ iterator: OpaquePointer) throws -> Bool
    ) throws {
      let iterator = try iterator(of: rows)
      defer { rocksdb_iter_destroy(iterator) }
      timed { rocksdb_iter_seek(iterator, first, first.utf8.count) }
      while rocksdb_iter_valid(iterator) != 0 {
        guard try body(iterator) else { break }
        timed { rocksdb_iter_next(iterator) }
      }
      try RocksDBError.check { rocksdb_iter_get_error(iterator, $0) }
    }

    private func iterator(of rows: DriverCollection<OpaquePointer>) throws -> OpaquePointer {
      try timed {
        guard var iterator = rocksdb_create_iterator_cf(store.handle, readOptions, rows.handle) else {
          throw RocksDBError("the rows of \"\(rows.name)\" cannot be visited")
        }
        // The new iterator owns the first one.
        if let batch, hasChanged,
          let merged = rocksdb_writebatch_wi_create_iterator_with_base_cf(batch, iterator, rows.handle)
        {
          iterator = merged
        }
        return iterator
      }
    }
  }

  extension String {
    /// Runs `body` with the text's bytes in UTF-8, as RocksDB's calls take them.
    @inline(__always)
    fileprivate func withCharacters<Result>(_ body: (UnsafeBufferPointer<CChar>) throws -> Result) rethrows -> Result {
      try withBytes { try body(UnsafeRawBufferPointer($0).bindMemory(to: CChar.self)) }
    }
  }
#endif
