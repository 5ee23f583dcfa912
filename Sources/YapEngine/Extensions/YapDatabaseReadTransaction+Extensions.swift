internal import SQLiteBinding
internal import ThreadingPrimitives

/// What a transaction sees of an extension: for a view a `YapDatabaseViewTransaction`. It ends with its transaction.
public protocol YapDatabaseExtensionTransaction {
  /// The name under which the extension is registered.
  var name: String { get }
}

extension YapDatabaseReadTransaction {
  /// The extension of that name, as it is at the transaction's snapshot.
  ///
  ///     let view = try transaction.ext("view") as? YapDatabaseViewTransaction
  /// - Returns: nil if at that snapshot none was registered under the name; so a connection in a long-lived read, which
  ///   was begun before, has to move its bookmark first.
  /// - Throws: `transactionEnded`.
  public final func ext(_ name: String) throws -> (any YapDatabaseExtensionTransaction)? {
    _ = try handle()
    guard viewState(named: ByteString(name)) != nil else { return nil }
    return YapDatabaseViewTransaction(transaction: self, name: name)
  }

  /// What a view holds, as this transaction sees it.
  final func viewState(named name: ByteString) -> ViewState? {
    if let upkeep { return upkeep.state(named: name) }
    let adopted =
      database.options.testHooks.has(.showsTheNewestView)
      ? database.registry.withLock { $0.newest.extensions }?.states : connection.adopted?.states
    return adopted?.find(name)?.state
  }

  // MARK: Rows by their rowids

  /// A row of the data table with its key and, where asked for, object and metadata, through the caches.
  ///
  /// Rowids are those of a view's state, which is of the same snapshot.
  /// - Parameter isPassing: it is looked at on the way to another; what is decoded pushes nothing out of the caches.
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

  /// The same past the caches: nobody else has the instances.
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
        do { row.object = try decodeObject(statement.bytes(at: 2), collection, key.text) } catch {
          try replace(.object, of: &row, error, statement)
        }
      }
      if parts.contains(.metadata), !row.isSkipped {
        do { row.metadata = try decodeMetadata(statement, at: 3, collection, key.text) } catch {
          try replace(.metadata, of: &row, error, statement)
        }
      }
      return row
    }
  }

  /// Calls `body` with each row of a collection, in no order.
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

  /// The row with the parts that are asked for.
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

  /// The rowid of a row; nil if there is none.
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

  /// From a statement that gives the key, the object and the metadata in its columns 1 to 3.
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
          let object = try decodeObject(statement.bytes(at: 2), collection, row.key)
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
          let metadata = try decodeMetadata(statement, at: 3, collection, row.key)
          if !isPassing || caches.metadata.hasRoom { caches.metadata.set(metadata, for: place) }
          row.metadata = metadata
        } catch { try replace(.metadata, of: &row, error, statement) }
      }
    }
    return row
  }

  /// Asks the handler of undecodable values about a part of a row. Columns 2 and 3 of the statement hold the object and
  /// the metadata.
  private final func replace(
    _ part: YapDatabaseUndecodableValue.Part,
    of row: inout ViewedRow,
    _ error: any Error,
    _ statement: SQLiteStatement
  ) throws {
    let column: Int32 = part == .object ? 2 : 3
    let handled = try handled(error, part, row.collection.text, row.key) { [UInt8](statement.bytes(at: column)) }
    row.set(part == .object ? \.object : \.metadata, handled)
  }
}
