internal import SQLiteBinding
internal import ThreadingPrimitives

/// A transaction's access to an extension; for a view, a `YapDatabaseViewTransaction`. It is valid until the
/// transaction ends.
public protocol YapDatabaseExtensionTransaction {
  /// The name under which the extension is registered.
  var name: String { get }
}

extension YapDatabaseReadTransaction {
  /// Returns the extension with the given name as of the transaction's snapshot.
  ///
  ///     let view = try transaction.ext("view") as? YapDatabaseViewTransaction
  /// - Returns: nil if no extension was registered under the name at that snapshot. A connection whose long-lived read
  ///   began before the registration has to move its bookmark first.
  /// - Throws: `transactionEnded`.
  public final func ext(_ name: String) throws -> (any YapDatabaseExtensionTransaction)? {
    _ = try handle()
    guard viewState(named: ByteString(name)) != nil else { return nil }
    return YapDatabaseViewTransaction(transaction: self, name: name)
  }

  /// Returns the state of a view as this transaction sees it.
  final func viewState(named name: ByteString) -> ViewState? {
    if let upkeep { return upkeep.state(named: name) }
    let adopted =
      omissions.has(.showsTheNewestView)
      ? database.registry.withLock { $0.newest.extensions }?.states : connection.follower.adopted?.states
    return adopted?.find(name)?.state
  }

  // MARK: Rows by their rowids

  /// Returns a row of the data table with its key and the requested parts, read through the caches; nil if there is
  /// none.
  ///
  /// The rowid has to be from the state of a view at the same snapshot.
  /// - Parameter isPassing: Whether the row is read only on the way to another. Its values then evict nothing from the
  ///   caches.
  final func viewedRow(_ rowid: Int64, _ parts: RowParts, isPassing: Bool = false) throws -> ViewedRow? {
    try handle().with(Self.statement(for: parts)) { statement in
      try statement.bind(rowid, at: 1)
      guard try statement.step() else { return nil }
      let collection = try connection.collection(numbered: statement.integer(at: 0))
      let row = try viewedRow(rowid, collection, statement, parts, isPassing: isPassing)
      if !isPassing { caches.noteRowid(rowid, of: row.row) }
      return row
    }
  }

  /// Returns a row without using the caches, so the instances are not shared with clients.
  final func freshRow(_ rowid: Int64, _ parts: RowParts) throws -> ViewedRow? {
    try handle().with(Self.statement(for: parts)) { statement in
      try statement.bind(rowid, at: 1)
      guard try statement.step() else { return nil }
      let collection = try connection.collection(numbered: statement.integer(at: 0))
      let key = ByteString(statement.text(at: 1))
      var row = ViewedRow(
        rowid: rowid,
        row: RowKey(collection: collection.number, key: key),
        collection: collection.name,
        parts: parts
      )
      if parts.contains(.object) {
        do { row.object = try decodeObject(statement.bytes(at: 2), in: collection, key: key.text) } catch {
          try replace(.object, of: &row, error, statement)
        }
      }
      if parts.contains(.metadata), !row.isSkipped {
        do { row.metadata = try decodeMetadata(statement, at: 3, in: collection, key: key.text) } catch {
          try replace(.metadata, of: &row, error, statement)
        }
      }
      return row
    }
  }

  /// Calls `body` with each row of a collection, in no particular order.
  final func enumerateViewedRows(
    inCollection name: ByteString,
    _ parts: RowParts,
    _ body: (ViewedRow) throws -> Void
  ) throws {
    guard let collection = connection.collection(named: name.text) else { return }
    try handle().with(parts.isEmpty ? .numberedKeys : .numberedRows) { statement in
      try statement.bind(collection.number, at: 1)
      while try statement.step() {
        try body(viewedRow(statement.integer(at: 4), collection, statement, parts, isPassing: true))
      }
    }
  }

  /// Returns the row with the requested parts added.
  final func completed(_ row: ViewedRow, _ parts: RowParts) throws -> ViewedRow {
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

  private static func statement(for parts: RowParts) -> Statement {
    switch (parts.contains(.object), parts.contains(.metadata)) {
    case (false, false): .keyAt
    case (true, false): .objectAt
    case (false, true): .metadataAt
    case (true, true): .rowAt
    }
  }

  /// Makes a row from a statement that has the key, the object and the metadata in its columns 1 to 3. Uses the caches.
  private final func viewedRow(
    _ rowid: Int64,
    _ collection: CollectionName,
    _ statement: SQLiteStatement,
    _ parts: RowParts,
    isPassing: Bool
  ) throws -> ViewedRow {
    let place = RowKey(collection: collection.number, key: ByteString(statement.text(at: 1)))
    var row = ViewedRow(rowid: rowid, row: place, collection: collection.name, parts: parts)
    if parts.contains(.object) {
      if let object = caches.objects.findObject(place) {
        row.object = object
      } else {
        do {
          let object = try decodeObject(statement.bytes(at: 2), in: collection, key: row.key)
          if !isPassing || caches.objects.hasRoom { caches.objects.set(object, for: place) }
          row.object = object
        } catch { try replace(.object, of: &row, error, statement) }
      }
    }
    if parts.contains(.metadata), !row.isSkipped {
      if let metadata = caches.metadata.findMetadata(place) {
        row.metadata = metadata
      } else {
        do {
          let metadata = try decodeMetadata(statement, at: 3, in: collection, key: row.key)
          if !isPassing || caches.metadata.hasRoom { caches.metadata.set(metadata, for: place) }
          row.metadata = metadata
        } catch { try replace(.metadata, of: &row, error, statement) }
      }
    }
    return row
  }

  /// Passes an undecodable part of a row to the handler of undecodable values, and sets the part to the answer. Columns
  /// 2 and 3 of the statement contain the object and the metadata.
  private final func replace(
    _ part: YapDatabaseUndecodableValue.Part,
    of row: inout ViewedRow,
    _ error: any Error,
    _ statement: SQLiteStatement
  ) throws {
    let column: Int32 = part == .object ? 2 : 3
    let handled = try handled(error, part, key: row.key, in: row.collection.text) {
      [UInt8](statement.bytes(at: column))
    }
    row.set(part == .object ? \.object : \.metadata, handled)
  }
}
