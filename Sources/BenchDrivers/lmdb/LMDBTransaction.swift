#if LMDB
  internal import CLMDB
  internal import ThreadingPrimitives

  /// A transaction within its block.
  final class LMDBTransaction: DriverTransaction {
    let snapshot: UInt64
    /// Whether the transaction has changed a row, so that it has to be committed.
    private(set) var hasChanged = false
    /// The time in LMDB's calls, in nanoseconds. It is counted only in a write transaction.
    private(set) var callNanoseconds: UInt64 = 0
    private let isWriting: Bool
    private let pointer: OpaquePointer
    private let environment: LMDBEnvironment
    private let collections: LMDBCollections

    init(
      snapshot: UInt64,
      isWriting: Bool,
      _ pointer: OpaquePointer,
      in environment: LMDBEnvironment,
      of collections: LMDBCollections
    ) {
      self.snapshot = snapshot
      self.isWriting = isWriting
      self.pointer = pointer
      self.environment = environment
      self.collections = collections
    }

    // MARK: Reading

    func object(_ key: String, in collection: String) throws -> [UInt8]? {
      try found(key, in: collection) { try collections.objects.payload($0.object, of: collection) }
    }

    func metadata(_ key: String, in collection: String) throws -> [UInt8]? {
      try found(key, in: collection) { $0.metadata.map { [UInt8]($0) } } ?? nil
    }

    func row(_ key: String, in collection: String) throws -> (object: [UInt8], metadata: [UInt8]?)? {
      try found(key, in: collection) { row in
        (try collections.objects.payload(row.object, of: collection), row.metadata.map { [UInt8]($0) })
      }
    }

    func exists(_ key: String, in collection: String) throws -> Bool {
      try found(key, in: collection) { _ in true } ?? false
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
      try walk(collection, from: first) { key, row in
        guard !Self.isKey(last, before: key) else { return false }
        // Report missing rows as nil.
        while index < keys.count, Self.isKey(keys[index], before: key) {
          visit(index, nil)
          index += 1
        }
        guard index < keys.count, !Self.isKey(keys[index], after: key) else {
          let text = String(decoding: key, as: UTF8.self)
          throw LMDBError("a scan found the key \"\(text)\"; expected only requested keys, sorted")
        }
        visit(index, try collections.objects.payload(row.object, of: collection))
        index += 1
        return true
      }
      while index < keys.count {
        visit(index, nil)
        index += 1
      }
    }

    func enumerate(_ collection: String, _ visit: (String, [UInt8]) -> Void) throws {
      try walk(collection) { key, row in
        visit(String(decoding: key, as: UTF8.self), try collections.objects.payload(row.object, of: collection))
        return true
      }
    }

    func enumerateRows(_ collection: String, _ visit: (String, [UInt8], [UInt8]?) -> Void) throws {
      try walk(collection) { key, row in
        let object = try collections.objects.payload(row.object, of: collection)
        visit(String(decoding: key, as: UTF8.self), object, row.metadata.map { [UInt8]($0) })
        return true
      }
    }

    func viewRange(
      _ view: String,
      group: String,
      from index: Int,
      count: Int,
      _ body: (String, [UInt8]) -> Void
    ) throws {
      throw LMDBError("LMDB has no views whose rows are looked up by position")
    }

    func count(in collection: String) throws -> Int {
      var stat = MDB_stat()
      let handle = try collections.handle(of: collection)
      try environment.check(call { mdb_stat(pointer, handle, &stat) }, "count rows")
      return stat.ms_entries
    }

    // MARK: Writing

    func set(_ object: [UInt8], metadata: [UInt8]?, _ key: String, in collection: String) throws {
      try checkWriting()
      try put(try collections.objects.stored(object, of: collection), metadata: metadata, key, in: collection)
    }

    func setMetadata(_ metadata: [UInt8], _ key: String, in collection: String) throws {
      try checkWriting()
      // The bytes are copied, because writing a value may move or overwrite the old one.
      guard let object = try found(key, in: collection, { [UInt8]($0.object) }) else { return }
      try put(object, metadata: metadata, key, in: collection)
    }

    func replace(_ object: [UInt8], _ key: String, in collection: String) throws {
      try checkWriting()
      let kept = try found(key, in: collection) { $0.metadata.map { [UInt8]($0) } }
      guard let metadata = kept else { return }
      try put(try collections.objects.stored(object, of: collection), metadata: metadata, key, in: collection)
    }

    func touch(_ key: String, in collection: String) throws {
      throw LMDBError("LMDB reports no changes of rows, so a touch has no effect")
    }

    func remove(_ key: String, in collection: String) throws {
      try checkWriting()
      let handle = try collections.handle(of: collection)
      let code = try withKey(key) { key in call { mdb_del(pointer, handle, key, nil) } }
      if code == MDB_NOTFOUND { return }
      try environment.check(code, "remove a row")
      hasChanged = true
    }

    func removeAll(in collection: String) throws {
      try checkWriting()
      guard try count(in: collection) > 0 else { return }
      let handle = try collections.handle(of: collection)
      try environment.check(call { mdb_drop(pointer, handle, 0) }, "remove all rows")
      hasChanged = true
    }

    private func checkWriting() throws {
      guard isWriting else { throw LMDBError("a read cannot change rows; use a read-write transaction") }
    }

    private func put(_ object: [UInt8], metadata: [UInt8]?, _ key: String, in collection: String) throws {
      let handle = try collections.handle(of: collection)
      let count = StoredRow.byteCount(object: object, metadata: metadata)
      try withKey(key) { key in
        var value = MDB_val(mv_size: count, mv_data: nil)
        try environment.check(call { mdb_put(pointer, handle, key, &value, UInt32(MDB_RESERVE)) }, "store a row")
        let memory = UnsafeMutableRawBufferPointer(start: value.mv_data, count: count)
        StoredRow.write(object: object, metadata: metadata, to: memory)
      }
      hasChanged = true
    }

    // MARK: Calls of LMDB

    /// Returns the result of `take` for the row; nil without such a row. The row is valid only within `take`.
    private func found<Result>(
      _ key: String,
      in collection: String,
      _ take: (StoredRow) throws -> Result
    ) throws -> Result? {
      let handle = try collections.handle(of: collection)
      return try withKey(key) { key in
        var value = MDB_val()
        let code = call { mdb_get(pointer, handle, key, &value) }
        if code == MDB_NOTFOUND { return nil }
        try environment.check(code, "read a row")
        return try take(StoredRow(value.bytes))
      }
    }

    /// Visits the rows from a key on, in the order of keys, until `body` returns false. Key and row are valid only
    /// within `body`.
    /// - Parameter first: The least key to visit; nil for all rows.
    private func walk(
      _ collection: String,
      from first: String? = nil,
      _ body: (UnsafeRawBufferPointer, StoredRow) throws -> Bool
    ) throws {
      var opened: OpaquePointer?
      let handle = try collections.handle(of: collection)
      try environment.check(call { mdb_cursor_open(pointer, handle, &opened) }, "open a cursor")
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
    /// - Throws: `LMDBError` if LMDB does not store keys of this length.
    private func withKey<Result>(
      _ key: String,
      _ body: (UnsafeMutablePointer<MDB_val>) throws -> Result
    ) throws -> Result {
      var key = key
      return try key.withUTF8 { bytes in
        guard 1...environment.longestKeyBytes ~= bytes.count else {
          throw LMDBError(
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

    // MARK: Order of keys

    private static func isKey(_ key: String, before other: UnsafeRawBufferPointer) -> Bool {
      key.utf8.lexicographicallyPrecedes(other)
    }

    private static func isKey(_ key: String, after other: UnsafeRawBufferPointer) -> Bool {
      other.lexicographicallyPrecedes(key.utf8)
    }
  }
#endif
