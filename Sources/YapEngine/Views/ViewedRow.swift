internal import SQLiteBinding

/// A row as it is passed to a view's closures. It contains the object and the metadata only if they were requested.
struct ViewedRow {
  let rowid: Int64
  let row: RowKey
  let collection: ByteString
  var parts: RowPart = []
  var object: Any?
  var metadata: Any?
  var origin = Origin.stored

  /// The source of a row's values.
  enum Origin {
    /// The file or a cache.
    case stored
    /// The handler of undecodable values, for at least one of the values.
    case replaced
    /// None: the handler skipped the row, and at least one value is missing. The codec has thrown the error.
    case skipped(YapDatabaseError)
  }

  /// The use of the caches by the read of a row.
  enum Caching {
    /// The caches answer the read, and keep the values.
    case full
    /// The same for a row that is read only on the way to another. Its values evict nothing from the caches.
    case passing
    /// The values are read from the file, and are not cached instances.
    case bypass
  }

  var isSkipped: Bool {
    if case .skipped = origin { return true }
    return false
  }

  /// Sets the object or the metadata to the handler's replacement, or marks the row as skipped.
  mutating func set(_ part: WritableKeyPath<ViewedRow, Any?>, _ handled: Handled<Any?>) {
    switch handled {
    case .value(let value):
      self[keyPath: part] = value
      if !isSkipped { origin = .replaced }
    case .skipped(let error): origin = .skipped(error)
    }
  }

  var key: String { row.key.text }

  /// Returns the object, for a reader that has requested it.
  /// - Throws: `corrupt` if there is none.
  func requestedObject() throws -> Any {
    guard let object else { throw ViewState.lost(rowid) }
    return object
  }
}

extension ViewState {
  /// The error for a row that a view names but the data table does not contain.
  static func lost(_ rowid: Int64) -> YapDatabaseError {
    YapDatabaseError(
      .corrupt,
      "a view names row \(rowid) of the data table, which does not exist: another program has written to the file. "
        + "Register the view with another version tag, which rebuilds it."
    )
  }
}

// MARK: Reading

extension YapDatabaseReadTransaction {
  /// Returns a row of the data table with its key and the requested parts. The rowid has to be from the state of a view
  /// at the same snapshot.
  /// - Throws: Among others `corrupt` if there is no such row.
  final func viewedRow(_ rowid: Int64, _ parts: RowPart, caching: ViewedRow.Caching = .full) throws -> ViewedRow {
    try handle().with(Self.statement(for: parts)) { statement in
      try statement.bind(rowid, at: 1)
      guard try statement.step() else { throw ViewState.lost(rowid) }
      let collection = try caches.collection(numbered: statement.integer(at: 0))
      let row = try viewedRow(rowid, in: collection, from: statement, parts: parts, caching: caching)
      if caching == .full { caches.noteRowid(rowid, of: row.row) }
      return row
    }
  }

  /// Calls `body` with each row of a collection, in no particular order.
  final func enumerateViewedRows(
    inCollection name: ByteString,
    _ parts: RowPart,
    _ body: (ViewedRow) throws -> Void
  ) throws {
    guard let collection = caches.collection(named: name.text) else { return }
    try handle().with(parts.isEmpty ? .numberedKeys : .numberedRows) { statement in
      try statement.bind(collection.number, at: 1)
      while try statement.step() {
        try body(viewedRow(statement.integer(at: 4), in: collection, from: statement, parts: parts, caching: .passing))
      }
    }
  }

  /// Returns the row with the requested parts added.
  final func completed(_ row: ViewedRow, _ parts: RowPart) throws -> ViewedRow {
    var row = row
    let missing = parts.subtracting(row.parts)
    row.parts.formUnion(missing)
    if missing.contains(.object) {
      switch try handledObject(forKey: row.key, inCollection: row.collection.text) {
      case .value(let object): row.object = object
      case .skipped(let error): row.origin = .skipped(error)
      }
    }
    if missing.contains(.metadata), !row.isSkipped {
      switch try handledMetadata(forKey: row.key, inCollection: row.collection.text) {
      case .value(let metadata): row.metadata = metadata
      case .skipped(let error): row.origin = .skipped(error)
      }
    }
    return row
  }

  /// Returns the rowid of a row; nil if the row does not exist.
  final func rowid(of row: RowKey) throws -> Int64? {
    try handle().with(.rowidByKey, collection: row.collection, key: row.key.text) { statement in
      try statement.step() ? statement.integer(at: 0) : nil
    }
  }

  private static func statement(for parts: RowPart) -> Statement {
    switch (parts.contains(.object), parts.contains(.metadata)) {
    case (false, false): .keyAt
    case (true, false): .objectAt
    case (false, true): .metadataAt
    case (true, true): .rowAt
    }
  }

  /// Makes a row from a statement that has the key, the object and the metadata in its columns 1 to 3.
  private final func viewedRow(
    _ rowid: Int64,
    in collection: CollectionName,
    from statement: SQLiteStatement,
    parts: RowPart,
    caching: ViewedRow.Caching
  ) throws -> ViewedRow {
    let key = RowKey(collection: collection.number, key: ByteString(statement.text(at: 1)))
    var row = ViewedRow(rowid: rowid, row: key, collection: collection.name, parts: parts)
    if parts.contains(.object) {
      if caching != .bypass, let object = caches.objects.findObject(key) {
        row.object = object
      } else {
        do {
          let object = try decodeObject(statement.bytes(at: 2), in: collection, key: row.key)
          if caching == .full || caching == .passing && caches.objects.hasRoom {
            caches.objects.set(object, for: key)
          }
          row.object = object
        } catch { try replace(.object, of: &row, from: statement, after: error) }
      }
    }
    if parts.contains(.metadata), !row.isSkipped {
      if caching != .bypass, let metadata = caches.metadata.findMetadata(key) {
        row.metadata = metadata
      } else {
        do {
          let metadata = try decodeMetadata(statement, at: 3, in: collection, key: row.key)
          if caching == .full || caching == .passing && caches.metadata.hasRoom {
            caches.metadata.set(metadata, for: key)
          }
          row.metadata = metadata
        } catch { try replace(.metadata, of: &row, from: statement, after: error) }
      }
    }
    return row
  }

  /// Passes an undecodable part of a row to the handler of undecodable values, and applies the answer to the row.
  /// Columns 2 and 3 of the statement contain the object and the metadata.
  private final func replace(
    _ part: YapDatabaseUndecodableValue.Part,
    of row: inout ViewedRow,
    from statement: SQLiteStatement,
    after error: any Error
  ) throws {
    let column: Int32 = part == .object ? 2 : 3
    let handled = try handled(error, part, key: row.key, in: row.collection.text) {
      [UInt8](statement.bytes(at: column))
    }
    row.set(part == .object ? \.object : \.metadata, handled)
  }
}
