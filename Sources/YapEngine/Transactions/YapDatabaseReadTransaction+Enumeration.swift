internal import SQLiteBinding

/// Lists and enumerations. Within a collection the order is not specified.
///
/// Each enumeration passes a flag to its block, with which the block can end it early. Enumerations may be nested. A
/// block that changes the database must end the enumeration; otherwise it ends with `mutatedDuringEnumeration`.
/// Touching is not a change in this sense.
///
/// An object or metadata that cannot be decoded ends an enumeration with the error `codec`, unless
/// `YapDatabaseOptions.undecodableValueHandler` skips the row or replaces the value. Only values that the enumeration
/// passes to its block are decoded.
extension YapDatabaseReadTransaction {
  /// The number of collections that have rows.
  public final func numberOfCollections() throws -> Int { try allCollections().count }

  public final func numberOfKeys(inCollection collection: String = "") throws -> Int {
    let handle = try handle()
    guard let collection = self.collection(named: collection) else { return 0 }
    return try handle.with(.count) { statement in
      try statement.bind(collection.number, at: 1)
      return try statement.step() ? Int(statement.integer(at: 0)) : 0
    }
  }

  public final func numberOfKeysInAllCollections() throws -> Int {
    try handle().with(.countAll) { try $0.step() ? Int($0.integer(at: 0)) : 0 }
  }

  /// The names of all collections that have rows.
  public final func allCollections() throws -> [String] {
    try handle().with(.collections) { try collectionNames($0) }
  }

  /// The names of all collections that have a row for `key`.
  public final func collections(withKey key: String) throws -> [String] {
    let handle = try handle()
    return try handle.with(.collectionsWithKey) { statement in
      try key.withUTF8Bytes { bytes in
        try statement.bindText(bytes, at: 1)
        return try collectionNames(statement)
      }
    }
  }

  public final func allKeys(inCollection collection: String = "") throws -> [String] {
    var keys: [String] = []
    try enumerateKeys(inCollection: collection) { key, _ in keys.append(key) }
    return keys
  }

  public final func enumerateKeys(
    inCollection collection: String = "",
    using block: (_ key: String, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerate(.keys, collection) { key, _, _, stop in try block(key, &stop) }
  }

  /// The `filter` receives the key first; the object of a key that it rejects is neither read nor decoded.
  public final func enumerateKeysAndObjects(
    inCollection collection: String = "",
    filter: (String) throws -> Bool = { _ in true },
    using block: (_ key: String, _ object: Any, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerate(.objects, orBy: .objectsByScan, collection) { key, collection, statement, stop in
      guard try filter(key), let object = try enumeratedObject(statement, key, collection) else { return }
      try block(key, object, &stop)
    }
  }

  public final func enumerateKeysAndMetadata(
    inCollection collection: String = "",
    filter: (String) throws -> Bool = { _ in true },
    using block: (_ key: String, _ metadata: Any?, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerate(.metadatas, orBy: .metadatasByScan, collection) { key, collection, statement, stop in
      guard try filter(key), case .value(let metadata) = try enumeratedMetadata(statement, at: 1, key, collection)
      else { return }
      try block(key, metadata, &stop)
    }
  }

  public final func enumerateRows(
    inCollection collection: String = "",
    filter: (String) throws -> Bool = { _ in true },
    using block: (_ key: String, _ object: Any, _ metadata: Any?, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerate(.rows, orBy: .rowsByScan, collection) { key, collection, statement, stop in
      guard try filter(key), let object = try enumeratedObject(statement, key, collection),
        case .value(let metadata) = try enumeratedMetadata(statement, at: 2, key, collection)
      else { return }
      try block(key, object, metadata, &stop)
    }
  }

  /// Objects for several keys, in the keys' order; nil for a key without a row. Keys may repeat. `block` is not called
  /// for a row that `YapDatabaseOptions.undecodableValueHandler` skips.
  public final func enumerateObjects(
    forKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    using block: (_ index: Int, _ object: Any?, _ stop: inout Bool) throws -> Void
  ) throws {
    _ = try handle()
    // Each key is read individually. With a cached statement, this is as fast as one statement with many parameters,
    // and needs no limit on their number.
    var stop = false
    for (index, key) in keys.enumerated() where !stop {
      guard case .value(let object) = try handledObject(forKey: key, inCollection: collection) else { continue }
      try block(index, object, &stop)
    }
  }

  public final func enumerateMetadata(
    forKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    using block: (_ index: Int, _ metadata: Any?, _ stop: inout Bool) throws -> Void
  ) throws {
    _ = try handle()
    var stop = false
    for (index, key) in keys.enumerated() where !stop {
      guard case .value(let metadata) = try handledMetadata(forKey: key, inCollection: collection) else { continue }
      try block(index, metadata, &stop)
    }
  }

  /// Rows for several keys. See `enumerateObjects(forKeys:inCollection:using:)`.
  public final func enumerateRows(
    forKeys keys: some Sequence<String>,
    inCollection collection: String = "",
    using block: (_ index: Int, _ row: (object: Any, metadata: Any?)?, _ stop: inout Bool) throws -> Void
  ) throws {
    _ = try handle()
    var stop = false
    for (index, key) in keys.enumerated() where !stop {
      guard case .value(let row) = try handledRow(forKey: key, inCollection: collection) else { continue }
      try block(index, row, &stop)
    }
  }

  // MARK: Implementation

  private typealias Visit = (
    _ key: String, _ collection: CollectionName, _ statement: SQLiteStatement, _ stop: inout Bool
  ) throws -> Void

  /// Enumerates a collection by its index, and perhaps continues by a scan: see `EnumerationPlan`.
  /// - Parameters:
  ///   - byIndex: returns the rows by key.
  ///   - byScan: returns the rows whose keys are higher than a given one; nil if the index has all the columns.
  private final func enumerate(
    _ byIndex: Statement,
    orBy byScan: Statement? = nil,
    _ collection: String,
    _ visit: Visit
  ) throws {
    let handle = try handle()
    guard let collection = self.collection(named: collection) else { return }
    var plan = EnumerationPlan(
      firstLook: TestHooks.areBuiltIn ? database.options.testHooks.enumerationsLookAfter : EnumerationPlan.firstLook
    )
    var visited = 0
    // The key after which a scan continues.
    var last: String?
    try handle.with(byIndex) { statement in
      try statement.bind(collection.number, at: 1)
      try visitRows(of: statement, collection, visit) { key in
        visited += 1
        guard visited == plan.nextLook, byScan != nil,
          try scanPays(&plan, visited, after: key, collection, handle)
        else { return false }
        last = key
        return true
      }
    }
    guard let byScan, let last else { return }
    let place = omissions.has(.scansFromTheBeginning) ? "" : last
    try handle.with(byScan, collection: collection.number, key: place) { statement in
      try visitRows(of: statement, collection, visit) { _ in false }
    }
  }

  /// - Parameter isEnough: called after each row, unless `visit` has set `stop`; true ends the visits.
  @inline(__always)
  private final func visitRows(
    of statement: SQLiteStatement,
    _ collection: CollectionName,
    _ visit: Visit,
    isEnough: (_ key: String) throws -> Bool
  ) throws {
    let mutationsBefore = mutations
    var stop = false
    while !stop, try statement.step() {
      let key = statement.text(at: 0)
      try visit(key, collection, statement, &stop)
      if stop { return }
      if mutations != mutationsBefore {
        throw YapDatabaseError(
          .mutatedDuringEnumeration,
          "the database was changed inside an enumeration of collection \"\(collection.name.text)\": collect the "
            + "keys first, or set stop"
        )
      }
      if try isEnough(key) { return }
    }
  }

  /// Whether a scan of the table finds the rows with higher keys faster.
  private final func scanPays(
    _ plan: inout EnumerationPlan,
    _ visited: Int,
    after key: String,
    _ collection: CollectionName,
    _ handle: EngineHandle
  ) throws -> Bool {
    let tableRows = try handle.with(.rowidRange) { try $0.step() ? Int($0.integer(at: 0)) : 0 }
    guard let needed = plan.rowsToFind(visited: visited, tableRows: tableRows) else { return false }
    let found = try handle.with(.countAfter, collection: collection.number, key: key) { statement in
      try statement.bind(Int64(needed), at: 3)
      return try statement.step() ? Int(statement.integer(at: 0)) : 0
    }
    if found == needed { return true }
    plan.isTooSmall()
    return false
  }

  /// The object of an enumerated row. A cached object is used; a decoded one is cached if there is room, and evicts
  /// nothing.
  /// - Returns: nil for a row that the handler of undecodable values skips.
  private final func enumeratedObject(
    _ statement: SQLiteStatement,
    _ key: String,
    _ collection: CollectionName
  ) throws -> Any? {
    let row = RowKey(collection: collection.number, key: ByteString(key))
    if let object = caches.objects.findObject(row) { return object }
    let object: Any
    do { object = try decodeObject(statement.bytes(at: 1), collection, key) } catch {
      let handled = try handled(error, .object, collection.name.text, key) { [UInt8](statement.bytes(at: 1)) }
      guard case .value(let replacement?) = handled else { return nil }
      if omissions.has(.cachesReplacements) { caches.objects.set(replacement, for: row) }
      return replacement
    }
    caches.objects.offer(object, for: row)
    return object
  }

  private final func enumeratedMetadata(
    _ statement: SQLiteStatement,
    at column: Int32,
    _ key: String,
    _ collection: CollectionName
  ) throws -> Handled<Any?> {
    let row = RowKey(collection: collection.number, key: ByteString(key))
    if let metadata = caches.metadata.findMetadata(row) { return .value(metadata) }
    let metadata: Any?
    do { metadata = try decodeMetadata(statement, at: column, collection, key) } catch {
      return try handled(error, .metadata, collection.name.text, key) { [UInt8](statement.bytes(at: column)) }
    }
    caches.metadata.offer(metadata, for: row)
    return .value(metadata)
  }

  private final func collectionNames(_ statement: SQLiteStatement) throws -> [String] {
    var names: [String] = []
    while try statement.step() {
      if let name = database.names.name(of: statement.integer(at: 0)) { names.append(name.text) }
    }
    return names
  }
}
