/// A view at its transaction's snapshot: `try transaction.ext("view") as? YapDatabaseViewTransaction`.
///
/// In a read-write transaction it shows what the transaction has changed so far. An index out of range, and a group
/// that is not there, give nil. It ends with its transaction: every call throws `transactionEnded` afterwards.
///
/// Every call that reads objects or metadata asks `YapDatabaseOptions.undecodableValueHandler` about those that cannot
/// be decoded. Enumerations leave out a row that is skipped; calls for one row, and `findRange`, throw its error.
public final class YapDatabaseViewTransaction: YapDatabaseExtensionTransaction {
  public let name: String
  let transaction: YapDatabaseReadTransaction
  private let key: ByteString

  init(transaction: YapDatabaseReadTransaction, name: String) {
    self.transaction = transaction
    self.name = name
    key = ByteString(name)
  }

  /// - Throws: `transactionEnded`; `notRegistered` where the view was unregistered in this very transaction.
  var state: ViewState {
    get throws {
      _ = try transaction.handle()
      if let state = transaction.viewState(named: key) { return state }
      throw YapDatabaseError(.notRegistered, "no view is registered as \"\(name)\" at this snapshot")
    }
  }

  // MARK: Groups and counts

  public func numberOfGroups() throws -> Int { try state.groupCount }

  /// The names of all groups, in no order. A group is there as long as it has rows.
  public func allGroups() throws -> [String] { try state.groupNames.map(\.text) }

  public func hasGroup(_ group: String) throws -> Bool { try state.group(named: ByteString(group)) != nil }

  /// 0 for a group that is not there.
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

  /// nil also for a row without metadata.
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

  // MARK: Places of rows

  /// The group of a row; nil if the view does not have it.
  public func group(forKey key: String, inCollection collection: String = "") throws -> String? {
    let state = try state
    return try rowid(key, collection).flatMap { state.group(ofRow: $0) }?.text
  }

  /// The group of a row and its index there; nil if the view does not have it.
  public func position(
    forKey key: String,
    inCollection collection: String = ""
  ) throws -> (group: String, index: Int)? {
    let state = try state
    guard let position = try rowid(key, collection).flatMap({ state.position(ofRow: $0) }) else { return nil }
    return (position.group.text, position.index)
  }

  // MARK: How it is done

  func rowid(_ key: String, _ collection: String) throws -> Int64? {
    _ = try transaction.handle()
    guard let collection = transaction.connection.collection(named: collection) else { return nil }
    return try transaction.rowid(of: RowKey(collection: collection.number, key: ByteString(key)))
  }

  func row(at index: Int, inGroup group: String, _ parts: RowParts) throws -> ViewedRow? {
    guard let rowid = try state.rowid(at: index, inGroup: ByteString(group)) else { return nil }
    return try row(rowid, parts)
  }

  /// A row of the view's state.
  /// - Throws: also the error of a row that the handler of undecodable values skips.
  func row(_ rowid: Int64, _ parts: RowParts) throws -> ViewedRow {
    let row = try anyRow(rowid, parts)
    if case .skipped(let error) = row.origin { throw error }
    return row
  }

  /// The same for an enumeration, which leaves out rows that are skipped.
  func anyRow(_ rowid: Int64, _ parts: RowParts) throws -> ViewedRow {
    guard let row = try transaction.viewedRow(rowid, parts) else { throw ViewState.lost(rowid) }
    return row
  }
}
