#if LMDB
  internal import CLMDB
  internal import ThreadingPrimitives

  /// A transaction within its block. A connection has one object for all its reads and one for all its writes.
  final class LMDBTransaction: StoredRowTransaction {
    private(set) var snapshot: UInt64 = 0
    /// Whether the transaction has changed a row, so that it has to be committed.
    private(set) var hasChanged = false
    /// The time in LMDB's calls, in nanoseconds. It is counted only in a write transaction.
    private(set) var callNanoseconds: UInt64 = 0
    private let isWriting: Bool
    private let environment: LMDBEnvironment
    let collections: DriverCollections<MDB_dbi>
    /// LMDB's transaction; nil before the first one begins.
    private var pointer: OpaquePointer?

    init(in database: LMDBDriverDatabase, isWriting: Bool) {
      self.isWriting = isWriting
      environment = database.environment
      collections = database.databases.collections
    }

    func begin(_ pointer: OpaquePointer, snapshot: UInt64) {
      self.pointer = pointer
      self.snapshot = snapshot
      hasChanged = false
      callNanoseconds = 0
    }

    // MARK: Reading

    func exists(_ key: String, in collection: String) throws -> Bool {
      try found(key, in: collections.named(collection)) { _ in true } ?? false
    }

    func count(in collection: String) throws -> Int {
      var stat = MDB_stat()
      let handle = try collections.named(collection).handle
      try environment.check(call { mdb_stat(pointer, handle, &stat) }, "count rows")
      return stat.ms_entries
    }

    // MARK: Writing

    func set(_ object: [UInt8], metadata: [UInt8]?, _ key: String, in collection: String) throws {
      try checkWriting()
      let rows = try collections.named(collection)
      try put(try rows.stored(object), metadata: metadata, key, in: rows)
    }

    func setMetadata(_ metadata: [UInt8], _ key: String, in collection: String) throws {
      try checkWriting()
      let rows = try collections.named(collection)
      // The bytes are copied, because writing a value may move or overwrite the old one.
      guard let object = try found(key, in: rows, { [UInt8]($0.object) }) else { return }
      try put(object, metadata: metadata, key, in: rows)
    }

    func replace(_ object: [UInt8], _ key: String, in collection: String) throws {
      try checkWriting()
      let rows = try collections.named(collection)
      let kept = try found(key, in: rows) { $0.metadata.map { [UInt8]($0) } }
      guard let metadata = kept else { return }
      try put(try rows.stored(object), metadata: metadata, key, in: rows)
    }

    func remove(_ key: String, in collection: String) throws {
      try checkWriting()
      let handle = try collections.named(collection).handle
      let code = try withKey(key) { key in call { mdb_del(pointer, handle, key, nil) } }
      if code == MDB_NOTFOUND { return }
      try environment.check(code, "remove a row")
      hasChanged = true
    }

    func removeAll(in collection: String) throws {
      try checkWriting()
      guard try count(in: collection) > 0 else { return }
      let handle = try collections.named(collection).handle
      try environment.check(call { mdb_drop(pointer, handle, 0) }, "remove all rows")
      hasChanged = true
    }

    private func checkWriting() throws {
      guard isWriting else { throw DriverError.writeInRead }
    }

    private func put(
      _ object: [UInt8],
      metadata: [UInt8]?,
      _ key: String,
      in rows: DriverCollection<MDB_dbi>
    ) throws {
      let count = StoredRow.byteCount(object: object, metadata: metadata)
      try withKey(key) { key in
        var value = MDB_val(mv_size: count, mv_data: nil)
        try environment.check(call { mdb_put(pointer, rows.handle, key, &value, UInt32(MDB_RESERVE)) }, "store a row")
        let memory = UnsafeMutableRawBufferPointer(start: value.mv_data, count: count)
        StoredRow.write(object: object, metadata: metadata, to: memory)
      }
      hasChanged = true
    }

    // MARK: Calls of LMDB

    func found<Result>(
      _ key: String,
      in rows: DriverCollection<MDB_dbi>,
      _ take: (StoredRow) throws -> Result
    ) throws -> Result? {
      try withKey(key) { key in
        var value = MDB_val()
        let code = call { mdb_get(pointer, rows.handle, key, &value) }
        if code == MDB_NOTFOUND { return nil }
        try environment.check(code, "read a row")
        return try take(StoredRow(value.bytes))
      }
    }

    func walk(
      _ rows: DriverCollection<MDB_dbi>,
      from first: String?,
      _ body: (UnsafeRawBufferPointer, StoredRow) throws -> Bool
    ) throws {
      var opened: OpaquePointer?
      try environment.check(call { mdb_cursor_open(pointer, rows.handle, &opened) }, "open a cursor")
      defer { mdb_cursor_close(opened) }
      let cursor = opened
      var key = MDB_val()
      var value = MDB_val()
      var code: Int32 = 0
      if let first {
        code = try withKey(first) { start in
          key = start.pointee
          return call { mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE) }
        }
      } else {
        code = call { mdb_cursor_get(cursor, &key, &value, MDB_FIRST) }
      }
      while code == 0 {
        guard try body(key.bytes, try StoredRow(value.bytes)) else { return }
        code = call { mdb_cursor_get(cursor, &key, &value, MDB_NEXT) }
      }
      if code != MDB_NOTFOUND { try environment.check(code, "read rows in order") }
    }

    /// Runs `body` with the key's bytes.
    /// - Throws: `DriverError` if LMDB does not store keys of this length.
    private func withKey<Result>(
      _ key: String,
      _ body: (UnsafeMutablePointer<MDB_val>) throws -> Result
    ) throws -> Result {
      try key.withBytes { bytes in
        guard 1...environment.longestKeyBytes ~= bytes.count else {
          throw DriverError(
            "a key has \(bytes.count) bytes; LMDB stores keys of 1 to \(environment.longestKeyBytes) bytes. "
              + "Choose other keys, or another driver."
          )
        }
        var value = MDB_val(UnsafeRawBufferPointer(bytes))
        return try body(&value)
      }
    }

    /// Runs `body`, which calls LMDB.
    private func call(_ body: () -> Int32) -> Int32 {
      guard isWriting else { return body() }
      let began = MonotonicClock.now
      defer { callNanoseconds += MonotonicClock.now - began }
      return body()
    }
  }
#endif
