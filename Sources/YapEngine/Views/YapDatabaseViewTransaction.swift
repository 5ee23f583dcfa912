/// A view at its transaction's snapshot: `try transaction.ext("view") as? YapDatabaseViewTransaction`.
///
/// In a read-write transaction it includes the transaction's changes so far. Calls for a row return nil if the index is
/// out of range or the group does not exist. After the transaction's end, every call throws `transactionEnded`.
///
/// Every call that reads objects or metadata passes those that cannot be decoded to
/// `YapDatabaseOptions.undecodableValueHandler`. If the handler skips a row, enumerations leave it out; calls for one
/// row, and `findRange`, throw the codec's error.
public final class YapDatabaseViewTransaction: YapDatabaseExtensionTransaction {
  public let name: String
  let transaction: YapDatabaseReadTransaction
  private let key: ByteString

  init(transaction: YapDatabaseReadTransaction, name: String) {
    self.transaction = transaction
    self.name = name
    key = ByteString(name)
  }

  /// The state of the view as the transaction sees it.
  /// - Throws: `transactionEnded`; `notRegistered` if no view has the name at the transaction's snapshot.
  var state: ViewState {
    get throws {
      try transaction.checkMayBeUsed()
      if let state = transaction.viewState(named: key) { return state }
      throw notRegistered
    }
  }

  var notRegistered: YapDatabaseError {
    YapDatabaseError(.notRegistered, "no view is registered as \"\(name)\" at this snapshot")
  }

  // MARK: Groups and counts

  public func numberOfGroups() throws -> Int { try state.groupCount }

  /// The names of all groups, in no particular order. A group exists as long as it has rows.
  public func allGroups() throws -> [String] { try state.groupNames.map(\.text) }

  /// Calls `block` with the name of each group, in no particular order, until it sets `stop`. The groups are those at
  /// the time of the call: `block` may change rows.
  public func enumerateGroups(using block: (_ group: String, _ stop: inout Bool) throws -> Void) throws {
    var stop = false
    for group in try allGroups() where !stop { try block(group, &stop) }
  }

  public func hasGroup(_ group: String) throws -> Bool { try state.group(named: ByteString(group)) != nil }

  /// The number of rows in a group; 0 if the group does not exist.
  public func numberOfItems(inGroup group: String) throws -> Int {
    try state.group(named: ByteString(group))?.count ?? 0
  }

  public func numberOfItemsInAllGroups() throws -> Int { try state.count }

  public func isEmpty() throws -> Bool { try state.count == 0 }

  public func isEmpty(group: String) throws -> Bool { try !hasGroup(group) }

  // MARK: Rows by their index

  /// Collection and key of a row.
  public func collectionKey(atIndex index: Int, inGroup group: String) throws -> (collection: String, key: String)? {
    try row(at: index, inGroup: group, []).map { ($0.collection.text, $0.key) }
  }

  public func key(atIndex index: Int, inGroup group: String) throws -> String? {
    try row(at: index, inGroup: group, [])?.key
  }

  public func collection(atIndex index: Int, inGroup group: String) throws -> String? {
    try row(at: index, inGroup: group, [])?.collection.text
  }

  public func object(atIndex index: Int, inGroup group: String) throws -> Any? {
    try row(at: index, inGroup: group, .object)?.object
  }

  /// Returns the metadata of a row; nil also for a row without metadata.
  public func metadata(atIndex index: Int, inGroup group: String) throws -> Any? {
    try row(at: index, inGroup: group, .metadata)?.metadata
  }

  /// Collection, key, object and metadata of a row.
  public func row(
    atIndex index: Int,
    inGroup group: String
  ) throws -> (collection: String, key: String, object: Any, metadata: Any?)? {
    guard let row = try row(at: index, inGroup: group, [.object, .metadata]), let object = row.object else {
      return nil
    }
    return (row.collection.text, row.key, object, row.metadata)
  }

  public func firstCollectionKey(inGroup group: String) throws -> (collection: String, key: String)? {
    try collectionKey(atIndex: 0, inGroup: group)
  }

  public func lastCollectionKey(inGroup group: String) throws -> (collection: String, key: String)? {
    try collectionKey(atIndex: numberOfItems(inGroup: group) - 1, inGroup: group)
  }

  public func firstObject(inGroup group: String) throws -> Any? { try object(atIndex: 0, inGroup: group) }

  public func lastObject(inGroup group: String) throws -> Any? {
    try object(atIndex: numberOfItems(inGroup: group) - 1, inGroup: group)
  }

  // MARK: Positions of rows

  /// The group of a row; nil if the view does not contain it.
  public func group(forKey key: String, inCollection collection: String = "") throws -> String? {
    let state = try state
    return try rowid(key, collection).flatMap { state.group(ofRow: $0) }?.text
  }

  /// The group of a row and its index in the group; nil if the view does not contain it.
  public func position(
    forKey key: String,
    inCollection collection: String = ""
  ) throws -> (group: String, index: Int)? {
    let state = try state
    guard let position = try rowid(key, collection).flatMap({ state.position(ofRow: $0) }) else { return nil }
    return (position.group.text, position.index)
  }

  // MARK: Implementation

  func rowid(_ key: String, _ collection: String) throws -> Int64? {
    try transaction.checkMayBeUsed()
    guard let collection = transaction.caches.collection(named: collection) else { return nil }
    return try transaction.rowid(of: RowKey(collection: collection.number, key: ByteString(key)))
  }

  func row(at index: Int, inGroup group: String, _ parts: RowPart) throws -> ViewedRow? {
    guard let rowid = try state.rowid(at: index, inGroup: ByteString(group)) else { return nil }
    return try row(rowid, parts)
  }

  /// Returns a row of the view's state.
  /// - Throws: Among others the codec's error for the row, if the handler of undecodable values skips the row.
  func row(_ rowid: Int64, _ parts: RowPart) throws -> ViewedRow {
    let row = try transaction.viewedRow(rowid, parts)
    if case .skipped(let error) = row.origin { throw error }
    return row
  }
}
