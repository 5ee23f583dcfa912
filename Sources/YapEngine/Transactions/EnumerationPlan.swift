internal import SQLiteBinding

/// Decides whether an enumeration of a collection continues by the index or by a scan of the table. A pure state
/// machine.
///
/// By the index, each row is searched for in the table, which costs a dozen times as much as passing one row in a scan.
/// But a scan passes the rows of all collections. The size of the collection is not known, so the enumeration begins by
/// the index and checks the size after some rows. For a small collection there is no check, and the checks of a large
/// one cost less than the rows enumerated before them. The index returns rows by key, so the scan takes the rows with
/// higher keys.
struct EnumerationPlan {
  /// The number of rows before the first check.
  static let firstLook = 512
  /// The largest number of index entries that a check counts, for each row enumerated so far.
  static let lookAhead = 64
  /// A scan pays off, whatever the sizes of rows, if at least one in this many rows of the table is in the collection.
  static let leastShare = 4

  /// The number of visited rows at which the next check is made; nil for no further check.
  private(set) var nextLook: Int?

  init(firstLook: Int = firstLook) {
    nextLook = firstLook
  }

  /// Begins a check. If it returns nil, the check has ended, and the next one is determined.
  /// - Parameters:
  ///   - visited: the number of rows of the collection so far.
  ///   - tableRows: an upper bound of the number of rows in the table.
  /// - Returns: the number of further rows that the collection must have for a scan; nil to continue by the index.
  mutating func rowsToFind(visited: Int, tableRows: Int) -> Int? {
    let needed = max((tableRows + Self.leastShare - 1) / Self.leastShare - visited, 0)
    if needed <= visited * Self.lookAhead { return needed }
    nextLook = visited * 4
    return nil
  }

  /// Records that the collection has fewer rows than a scan needs.
  mutating func recordTooSmall() {
    nextLook = nil
  }
}

/// The columns that an enumeration reads. The first is the key.
enum EnumeratedColumns {
  case keys, objects, metadatas, rows

  /// All rows by the index.
  var byIndex: Statement {
    switch self {
    case .keys: .keys
    case .objects: .objects
    case .metadatas: .metadatas
    case .rows: .rows
    }
  }

  /// All rows by a scan of the table; nil if the index has all the columns.
  var byScan: Statement? {
    switch self {
    case .keys: nil
    case .objects: .objectsByScan
    case .metadatas: .metadatasByScan
    case .rows: .rowsByScan
    }
  }

  /// The rows from a key on, in the order of the keys or in the reversed one.
  func from(reversed: Bool) -> Statement {
    switch self {
    case .keys: reversed ? .keysBackFrom : .keysFrom
    case .objects: reversed ? .objectsBackFrom : .objectsFrom
    case .metadatas: reversed ? .metadatasBackFrom : .metadatasFrom
    case .rows: reversed ? .rowsBackFrom : .rowsFrom
    }
  }
}

/// The implementation of enumerations.
extension YapDatabaseReadTransaction {
  /// Receives the UTF-8 of a key, and the row as the columns of a statement. The first column is the key.
  typealias RowVisit = (
    _ key: UnsafeRawBufferPointer, _ row: SQLiteStatement, _ collection: CollectionName, _ stop: inout Bool
  ) throws -> Void

  /// Enumerates rows of a collection.
  final func enumerate(
    _ columns: EnumeratedColumns,
    keys: YapDatabaseKeyRange,
    inCollection collection: String,
    _ visit: RowVisit
  ) throws {
    let handle = try handle()
    guard let collection = caches.collection(named: collection) else { return }
    keys.isSorted
      ? try enumerateSorted(columns, keys: keys, in: collection, on: handle, visit)
      : try enumerateAll(columns, in: collection, on: handle, visit)
  }

  private final func enumerateSorted(
    _ columns: EnumeratedColumns,
    keys: YapDatabaseKeyRange,
    in collection: CollectionName,
    on handle: EngineHandle,
    _ visit: RowVisit
  ) throws {
    guard keys.limit > 0 else { return }
    var left = keys.limit
    try handle.with(columns.from(reversed: keys.isReversed)) { statement in
      try statement.bind(collection.number, at: 1)
      func run() throws {
        try visitRows(of: statement, in: collection) { key, row, collection, stop in
          if keys.skips(key) { return }
          if keys.ends(before: key) { return stop = true }
          try visit(key, row, collection, &stop)
          left -= 1
          if left == 0 { stop = true }
        } isEnough: {
          false
        }
      }
      if let first = keys.first {
        try first.key.withUTF8Bytes { bytes in
          try statement.bindText(bytes, at: 2)
          try run()
        }
      } else if keys.isReversed {
        // Every text is before every blob: https://sqlite.org/datatype3.html#comparison_expressions
        try statement.bindBlob(UnsafeRawBufferPointer(start: nil, count: 0), at: 2)
        try run()
      } else {
        try statement.bindText(UnsafeBufferPointer(start: nil, count: 0), at: 2)
        try run()
      }
    }
  }

  /// Enumerates a collection by its index, and perhaps continues by a scan: see `EnumerationPlan`.
  private final func enumerateAll(
    _ columns: EnumeratedColumns,
    in collection: CollectionName,
    on handle: EngineHandle,
    _ visit: RowVisit
  ) throws {
    var plan = EnumerationPlan(
      firstLook: TestHooks.areBuiltIn ? database.options.testHooks.enumerationsLookAfter : EnumerationPlan.firstLook
    )
    var visited = 0
    // The key after which a scan continues.
    var last: String?
    try handle.with(columns.byIndex) { statement in
      try statement.bind(collection.number, at: 1)
      try visitRows(of: statement, in: collection, visit: visit) {
        visited += 1
        guard visited == plan.nextLook, columns.byScan != nil else { return false }
        let key = statement.text(at: 0)
        guard try scanPays(&plan, visited: visited, after: key, in: collection, on: handle) else { return false }
        last = key
        return true
      }
    }
    guard let byScan = columns.byScan, let last else { return }
    // The rows before the scan are skipped here. In SQL, the comparison would take a third of the time of a row.
    var skipped = 0
    try handle.with(byScan) { statement in
      try statement.bind(collection.number, at: 1)
      let visitNew: RowVisit = { key, row, collection, stop in
        if skipped < visited, last.isAtOrAfter(key) { skipped += 1 } else { try visit(key, row, collection, &stop) }
      }
      try visitRows(of: statement, in: collection, visit: visitNew) { false }
    }
  }

  /// - Parameter isEnough: called after each row, unless `visit` has set `stop`; true ends the visits.
  @inline(__always)
  private final func visitRows(
    of statement: SQLiteStatement,
    in collection: CollectionName,
    visit: RowVisit,
    isEnough: () throws -> Bool
  ) throws {
    let mutationsBefore = mutations
    var stop = false
    while !stop, try statement.step() {
      try visit(statement.utf8(at: 0), statement, collection, &stop)
      if stop { return }
      if mutations != mutationsBefore {
        throw YapDatabaseError(
          .mutatedDuringEnumeration,
          "the database was changed inside an enumeration of collection \"\(collection.name.text)\": collect the "
            + "keys first, or set stop"
        )
      }
      if try isEnough() { return }
    }
  }

  /// Whether a scan of the table finds the rows with higher keys faster than the index does.
  private final func scanPays(
    _ plan: inout EnumerationPlan,
    visited: Int,
    after key: String,
    in collection: CollectionName,
    on handle: EngineHandle
  ) throws -> Bool {
    let tableRows = try handle.with(.rowidRange) { try $0.step() ? Int($0.integer(at: 0)) : 0 }
    guard let needed = plan.rowsToFind(visited: visited, tableRows: tableRows) else { return false }
    let found = try handle.with(.countAfter, collection: collection.number, key: key) { statement in
      try statement.bind(Int64(needed), at: 3)
      return try statement.step() ? Int(statement.integer(at: 0)) : 0
    }
    if found == needed { return true }
    plan.recordTooSmall()
    return false
  }

  /// Returns the object of an enumerated row. A cached object is used; a decoded one is cached if there is room, and
  /// evicts nothing. A value from the handler of undecodable values is not cached.
  /// - Parameters:
  ///   - utf8: the bytes of `key`.
  ///   - decode: the decoder of the collection's objects.
  ///   - hasRoom: whether the cache may have room. It gets none during an enumeration.
  /// - Returns: nil for a row that the handler of undecodable values skips.
  final func enumeratedObject(
    _ statement: SQLiteStatement,
    utf8: UnsafeRawBufferPointer,
    key: String,
    in collection: CollectionName,
    decode: YapDatabaseCodec.Decode,
    hasRoom: inout Bool
  ) throws -> Any? {
    if let object = caches.objects.findObject(utf8, in: collection.number, text: key) { return object }
    let object: Any
    do {
      caches.counters.objects.decoded.add(1)
      object = try decode(statement.bytes(at: 1), collection.name.text, key)
    } catch {
      let error = database.objectCodecs.decodingError(error, forKey: key, in: collection.name)
      let handled = try handled(error, .object, key: key, in: collection.name.text) { [UInt8](statement.bytes(at: 1)) }
      guard case .value(let replacement?) = handled else { return nil }
      return replacement
    }
    if hasRoom { hasRoom = caches.objects.offer(object, for: rowKey(key, in: collection)) }
    return object
  }

  private final func rowKey(_ key: String, in collection: CollectionName) -> RowKey {
    RowKey(collection: collection.number, key: ByteString(key))
  }

  final func enumeratedMetadata(
    _ statement: SQLiteStatement,
    at column: Int32,
    key: String,
    in collection: CollectionName
  ) throws -> Handled<Any?> {
    let row = rowKey(key, in: collection)
    if let metadata = caches.metadata.findMetadata(row) { return .value(metadata) }
    let metadata: Any?
    do { metadata = try decodeMetadata(statement, at: column, in: collection, key: key) } catch {
      return try handled(error, .metadata, key: key, in: collection.name.text) { [UInt8](statement.bytes(at: column)) }
    }
    caches.metadata.offer(metadata, for: row)
    return .value(metadata)
  }
}
