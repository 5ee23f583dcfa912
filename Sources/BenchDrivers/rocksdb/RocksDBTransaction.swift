#if RocksDB
  internal import CRocksDB
  internal import Foundation
  internal import ThreadingPrimitives

  /// A transaction on a store, within its block: reads at a snapshot, or a batch of changes and the newest rows under
  /// it.
  final class RocksDBTransaction: DriverTransaction {
    let snapshot: UInt64
    /// Whether the transaction has changed a row, so that it has to be committed.
    private(set) var hasChanged = false
    /// The time in RocksDB's calls, in nanoseconds. Counted only in read-write transactions.
    private(set) var callNanoseconds: UInt64 = 0
    private let store: RocksDBStore
    private let readOptions: OpaquePointer
    /// The changes so far; nil in a read transaction.
    private let batch: OpaquePointer?

    init(snapshot: UInt64, _ store: RocksDBStore, _ readOptions: OpaquePointer, batch: OpaquePointer? = nil) {
      self.snapshot = snapshot
      self.store = store
      self.readOptions = readOptions
      self.batch = batch
    }

    // MARK: Reading

    func object(_ key: String, in collection: String) throws -> [UInt8]? {
      try value(key, in: collection) { try payload($0, of: collection) }
    }

    func metadata(_ key: String, in collection: String) throws -> [UInt8]? {
      let found = try value(key, in: collection) { try StoredRow($0).metadata.map { [UInt8]($0) } }
      return found ?? nil
    }

    func row(_ key: String, in collection: String) throws -> (object: [UInt8], metadata: [UInt8]?)? {
      try value(key, in: collection) { value in
        (try payload(value, of: collection), try StoredRow(value).metadata.map { [UInt8]($0) })
      }
    }

    func exists(_ key: String, in collection: String) throws -> Bool {
      try value(key, in: collection) { _ in true } ?? false
    }

    func storedObject(_ key: String, in collection: String) throws -> [UInt8]? { try object(key, in: collection) }
    func storedMetadata(_ key: String, in collection: String) throws -> [UInt8]? { try metadata(key, in: collection) }
    /// Returns nil, because the driver returns objects only as bytes.
    func document(_ key: String, in collection: String) -> Document? { nil }

    func objects(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws {
      for (index, key) in keys.enumerated() { visit(index, try object(key, in: collection)) }
    }

    func scan(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws {
      guard let first = keys.first, let last = keys.last else { return }
      var index = 0
      try visitRows(of: collection, from: first) { key, value in
        guard key <= last else { return false }
        // Report missing rows as nil.
        while index < keys.count, keys[index] != key {
          visit(index, nil)
          index += 1
        }
        guard index < keys.count else {
          throw RocksDBError("a scan returned the key \"\(key)\"; expected only requested keys, sorted")
        }
        visit(index, try payload(value, of: collection))
        index += 1
        return index < keys.count
      }
      while index < keys.count {
        visit(index, nil)
        index += 1
      }
    }

    func enumerate(_ collection: String, _ visit: (String, [UInt8]) -> Void) throws {
      try visitRows(of: collection) { key, value in
        visit(key, try payload(value, of: collection))
        return true
      }
    }

    func enumerateRows(_ collection: String, _ visit: (String, [UInt8], [UInt8]?) -> Void) throws {
      try visitRows(of: collection) { key, value in
        visit(key, try payload(value, of: collection), try StoredRow(value).metadata.map { [UInt8]($0) })
        return true
      }
    }

    func viewRange(_ view: String, group: String, from index: Int, count: Int, _ body: (String, [UInt8]) -> Void) throws
    {
      throw RocksDBError("RocksDB has no views whose rows are looked up by position")
    }

    func count(in collection: String) throws -> Int {
      var count = 0
      try visit(collection) { _ in
        count += 1
        return true
      }
      return count
    }

    /// Returns the payload of the object in a row's stored value.
    private func payload(_ value: UnsafeRawBufferPointer, of collection: String) throws -> [UInt8] {
      try store.objects.payload(StoredRow(value).object, of: collection)
    }

    // MARK: Writing

    func set(_ object: [UInt8], metadata: [UInt8]?, _ key: String, in collection: String) throws {
      let stored = try store.objects.stored(object, of: collection)
      try put(StoredRow.value(object: stored, metadata: metadata), key, in: collection)
    }

    func setMetadata(_ metadata: [UInt8], _ key: String, in collection: String) throws {
      let changed = try value(key, in: collection) { value in
        StoredRow.value(object: try StoredRow(value).object, metadata: metadata)
      }
      if let changed { try put(changed, key, in: collection) }
    }

    func replace(_ object: [UInt8], _ key: String, in collection: String) throws {
      let stored = try store.objects.stored(object, of: collection)
      let changed = try value(key, in: collection) { value in
        StoredRow.value(object: stored, metadata: try StoredRow(value).metadata)
      }
      if let changed { try put(changed, key, in: collection) }
    }

    func touch(_ key: String, in collection: String) throws {
      throw RocksDBError("RocksDB reports no changes of rows, so a touch has no effect")
    }

    func remove(_ key: String, in collection: String) throws {
      let (batch, family) = try (writableBatch(), store.family(collection))
      guard try exists(key, in: collection) else { return }
      var key = key
      key.withUTF8 { bytes in
        let key = UnsafeRawBufferPointer(bytes).bindMemory(to: CChar.self)
        timed { rocksdb_writebatch_wi_delete_cf(batch, family, key.baseAddress, key.count) }
      }
      hasChanged = true
    }

    /// Removes each row by its key, because batches that can be read have no removal of a range.
    func removeAll(in collection: String) throws {
      _ = try writableBatch()
      var keys: [String] = []
      try visitRows(of: collection) { key, _ in
        keys.append(key)
        return true
      }
      for key in keys { try remove(key, in: collection) }
    }

    private func writableBatch() throws(RocksDBError) -> OpaquePointer {
      guard let batch else { throw RocksDBError("a read cannot change rows; use a read-write transaction") }
      return batch
    }

    private func put(_ value: [UInt8], _ key: String, in collection: String) throws {
      let (batch, family) = try (writableBatch(), store.family(collection))
      var key = key
      key.withUTF8 { bytes in
        value.withUnsafeBytes { value in
          let (key, value) = (
            UnsafeRawBufferPointer(bytes).bindMemory(to: CChar.self), value.bindMemory(to: CChar.self)
          )
          timed {
            rocksdb_writebatch_wi_put_cf(batch, family, key.baseAddress, key.count, value.baseAddress, value.count)
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

    /// Returns the result of `take` for a row's stored value, which is valid only within `take`; nil if there is no
    /// row.
    private func value<Result>(
      _ key: String,
      in collection: String,
      _ take: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result? {
      let family = try store.family(collection)
      var key = key
      return try key.withUTF8 { bytes in
        let key = UnsafeRawBufferPointer(bytes).bindMemory(to: CChar.self)
        if let batch, hasChanged { return try changedValue(key, of: family, in: batch, take) }
        let value = try timed {
          try RocksDBError.check {
            rocksdb_get_pinned_cf(store.handle, readOptions, family, key.baseAddress, key.count, $0)
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

    /// Visits rows in the order of their keys, from a key on, until `body` returns false.
    private func visitRows(
      of collection: String,
      from first: String = "",
      _ body: (_ key: String, _ value: UnsafeRawBufferPointer) throws -> Bool
    ) throws {
      try visit(collection, from: first) { iterator in
        var length = 0
        let key = rocksdb_iter_key(iterator, &length)
        let text = String(decoding: UnsafeRawBufferPointer(start: key, count: length), as: UTF8.self)
        let value = rocksdb_iter_value(iterator, &length)
        return try body(text, UnsafeRawBufferPointer(start: value, count: length))
      }
    }

    /// Moves an iterator over rows in the order of their keys, from a key on, until `body` returns false.
    private func visit(
      _ collection: String,
      from first: String = "",
      _ body: (_ iterator: OpaquePointer) throws -> Bool
    ) throws {
      let iterator = try iterator(of: collection)
      defer { rocksdb_iter_destroy(iterator) }
      timed { rocksdb_iter_seek(iterator, first, first.utf8.count) }
      while rocksdb_iter_valid(iterator) != 0 {
        guard try body(iterator) else { break }
        timed { rocksdb_iter_next(iterator) }
      }
      try RocksDBError.check { rocksdb_iter_get_error(iterator, $0) }
    }

    private func iterator(of collection: String) throws -> OpaquePointer {
      let family = try store.family(collection)
      return try timed {
        guard var iterator = rocksdb_create_iterator_cf(store.handle, readOptions, family) else {
          throw RocksDBError("the rows of \"\(collection)\" cannot be visited")
        }
        // The new iterator owns the first one.
        if let batch, hasChanged,
          let merged = rocksdb_writebatch_wi_create_iterator_with_base_cf(batch, iterator, family)
        {
          iterator = merged
        }
        return iterator
      }
    }
  }
#endif
