internal import BenchResults
internal import Dispatch
internal import YapEngine

final class YapDriverConnection: DriverConnection {
  private let connection: YapDatabaseConnection
  private let codecs: CollectionCodecs

  init(_ connection: YapDatabaseConnection, _ codecs: CollectionCodecs) {
    self.connection = connection
    self.codecs = codecs
  }

  var name: String { connection.name }

  /// Does not use `timedRead`: reading its clocks would take as long as reading a cached row.
  func read(_ body: (any DriverTransaction) throws -> Void) throws -> UInt64? {
    try connection.read { transaction in
      try body(YapReading(transaction: transaction, codecs: codecs))
      return transaction.laneWaitNanoseconds
    }
  }

  func readWrite(_ body: (any DriverTransaction) throws -> Void) throws -> CommitTimes? {
    let timed = try connection.timedReadWrite { try body(YapWriting(transaction: $0, codecs: codecs)) }
    return CommitTimes(timed.times)
  }

  func asyncRead(_ body: (any DriverTransaction) throws -> Void) throws {
    try withAwaitedCall(of: body) { [connection, codecs] body, end in
      connection.asyncRead({ try body.call(YapReading(transaction: $0, codecs: codecs)) }, completion: { end($0) })
    }
  }

  func asyncReadWrite(_ body: (any DriverTransaction) throws -> Void) throws {
    try withAwaitedCall(of: body) { [connection, codecs] body, end in
      connection.asyncReadWrite(
        { try body.call(YapWriting(transaction: $0, codecs: codecs)) },
        completion: { outcome in if case .failed(let error) = outcome { end(error) } else { end(nil) } }
      )
    }
  }

  func advance(changesIn collection: String?) throws -> DriverAdvance {
    let jumped = try connection.beginLongLivedReadTransaction()
    var advance = DriverAdvance(snapshot: connection.snapshot, jumped: jumped.map(\.snapshot))
    guard let collection else { return advance }
    for modification in jumped {
      let modifications = [modification]
      var keys: [String] = []
      connection.enumerateChangedKeys(inCollection: collection, in: modifications) { key, _ in keys.append(key) }
      let isCleared = connection.didClearCollection(collection, in: modifications)
      guard isCleared || !keys.isEmpty else { continue }
      advance.changes.append(
        DriverAdvance.Changes(
          commit: modification.snapshot,
          writtenAt: modification.writtenAtNanoseconds,
          keys: keys,
          isCleared: isCleared
        )
      )
    }
    return advance
  }

  func endLongLivedRead() throws {
    try connection.endLongLivedReadTransaction()
  }

  func flushMemory() {
    connection.flushMemory()
    let flushed = DispatchSemaphore(value: 0)
    connection.flushTransactions(completionQueue: .global()) { flushed.signal() }
    flushed.wait()
  }
}

extension CommitTimes {
  init(_ times: YapDatabaseTransactionTimes) {
    self = .zero
    laneWait = times.laneWaitNanoseconds
    writeLaneWait = times.writeLaneWaitNanoseconds
    checkpointWait = times.checkpointWaitNanoseconds
    begin = times.beginNanoseconds
    block = times.blockNanoseconds
    statements = times.statementNanoseconds
    commit = times.commitNanoseconds
    jointWait = times.jointWaitNanoseconds
    rest = times.restNanoseconds
  }
}

/// The reading part of a transaction, shared by read and read-write transactions.
private protocol YapTransaction: DriverTransaction {
  associatedtype Transaction: YapDatabaseReadTransaction
  var transaction: Transaction { get }
  var codecs: CollectionCodecs { get }
}

extension YapTransaction {
  var snapshot: UInt64 { transaction.snapshot }

  var cacheMisses: CacheMisses? {
    let misses = transaction.cacheMisses
    return CacheMisses(count: misses.count, readAgain: misses.readAgain)
  }

  func object(_ key: String, in collection: String) throws -> [UInt8]? {
    let object = try transaction.object(forKey: key, inCollection: collection)
    return codecs.hasDocuments(collection) ? (object as? Document)?.payload : object as? [UInt8]
  }

  func metadata(_ key: String, in collection: String) throws -> [UInt8]? {
    try transaction.metadata(forKey: key, inCollection: collection) as? [UInt8]
  }

  func row(_ key: String, in collection: String) throws -> (object: [UInt8], metadata: [UInt8]?)? {
    guard let row = try transaction.row(forKey: key, inCollection: collection),
      let object = codecs.bytes(row.object, of: collection)
    else { return nil }
    return (object, row.metadata as? [UInt8])
  }

  func exists(_ key: String, in collection: String) throws -> Bool {
    try transaction.hasObject(forKey: key, inCollection: collection)
  }

  func objects(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws {
    try transaction.enumerateObjects(forKeys: keys, inCollection: collection) { index, object, _ in
      visit(index, object.flatMap { codecs.bytes($0, of: collection) })
    }
  }

  func scan(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws {
    guard let first = keys.first, let last = keys.last else { return }
    var merge = ScanMerge(keys)
    try transaction.enumerateKeysAndObjects(inCollection: collection, keys: .range(first...last)) { key, object, _ in
      try merge.take(key, object: codecs.bytes(object, of: collection), visit)
    }
    merge.end(visit)
  }

  func enumerate(_ collection: String, _ visit: (String, [UInt8]) -> Void) throws {
    try transaction.enumerateKeysAndObjects(inCollection: collection) { key, object, _ in
      if let object = codecs.bytes(object, of: collection) { visit(key, object) }
    }
  }

  func enumerateRows(_ collection: String, _ visit: (String, [UInt8], [UInt8]?) -> Void) throws {
    try transaction.enumerateRows(inCollection: collection) { key, object, metadata, _ in
      if let object = codecs.bytes(object, of: collection) { visit(key, object, metadata as? [UInt8]) }
    }
  }

  func storedObject(_ key: String, in collection: String) throws -> [UInt8]? {
    let stored = try transaction.serializedObject(forKey: key, inCollection: collection)
    return try stored.flatMap { try codecs.payload(ofStored: $0, of: collection) }
  }

  func storedMetadata(_ key: String, in collection: String) throws -> [UInt8]? {
    try transaction.serializedMetadata(forKey: key, inCollection: collection)
  }

  func document(_ key: String, in collection: String) throws -> Document? {
    guard codecs.hasDocuments(collection) else { return nil }
    return try transaction.object(forKey: key, inCollection: collection) as? Document
  }

  func hasView(_ view: String) throws -> Bool { try transaction.ext(view) != nil }

  func viewRange(_ view: String, group: String, from index: Int, count: Int, _ body: (String, [UInt8]) -> Void) throws {
    guard let found = try transaction.ext(view) as? YapDatabaseViewTransaction else {
      throw YapDatabaseError(.invalidArgument, "there is no view \"\(view)\" at snapshot \(snapshot)")
    }
    try found.enumerateKeysAndObjects(inGroup: group, range: index..<index + count) { collection, key, object, _, _ in
      if let object = codecs.bytes(object, of: collection) { body(key, object) }
    }
  }

  func count(in collection: String) throws -> Int {
    try transaction.numberOfKeys(inCollection: collection)
  }
}

private struct YapReading: YapTransaction {
  let transaction: YapDatabaseReadTransaction
  let codecs: CollectionCodecs

  private var refusal: YapDatabaseError {
    YapDatabaseError(.invalidArgument, "a read transaction cannot change anything: use a read-write transaction")
  }

  func set(_ object: [UInt8], metadata: [UInt8]?, _ key: String, in collection: String) throws { throw refusal }
  func setMetadata(_ metadata: [UInt8], _ key: String, in collection: String) throws { throw refusal }
  func replace(_ object: [UInt8], _ key: String, in collection: String) throws { throw refusal }
  func touch(_ key: String, in collection: String) throws { throw refusal }
  func remove(_ key: String, in collection: String) throws { throw refusal }
  func removeAll(in collection: String) throws { throw refusal }
}

private struct YapWriting: YapTransaction {
  let transaction: YapDatabaseReadWriteTransaction
  let codecs: CollectionCodecs

  func set(_ object: [UInt8], metadata: [UInt8]?, _ key: String, in collection: String) throws {
    try transaction.setObject(
      codecs.object(object, of: collection),
      forKey: key,
      inCollection: collection,
      withMetadata: metadata
    )
  }

  func setMetadata(_ metadata: [UInt8], _ key: String, in collection: String) throws {
    try transaction.replaceMetadata(metadata, forKey: key, inCollection: collection)
  }

  func replace(_ object: [UInt8], _ key: String, in collection: String) throws {
    try transaction.replaceObject(codecs.object(object, of: collection), forKey: key, inCollection: collection)
  }

  func touch(_ key: String, in collection: String) throws {
    try transaction.touchRow(forKey: key, inCollection: collection)
  }

  func remove(_ key: String, in collection: String) throws {
    try transaction.removeObject(forKey: key, inCollection: collection)
  }

  func removeAll(in collection: String) throws {
    try transaction.removeAllObjects(inCollection: collection)
  }
}

/// A body that another thread calls while the thread that passed it waits.
// The waiting thread accesses the properties only before it starts the call, and after the semaphore reports its end.
final class AwaitedBody: @unchecked Sendable {
  fileprivate var body: ((any DriverTransaction) throws -> Void)?
  fileprivate var failure: (any Error)?

  func call(_ transaction: any DriverTransaction) throws { try body?(transaction) }
}

/// Passes a body to an asynchronous call and waits until the call reports its end.
/// - Throws: The error with which the call ended.
func withAwaitedCall(
  of body: (any DriverTransaction) throws -> Void,
  _ start: (_ body: AwaitedBody, _ end: @escaping @Sendable ((any Error)?) -> Void) -> Void
) throws {
  try withoutActuallyEscaping(body) { body in
    let awaited = AwaitedBody()
    let ended = DispatchSemaphore(value: 0)
    awaited.body = body
    start(awaited) { failure in
      awaited.failure = failure
      ended.signal()
    }
    ended.wait()
    // The engine may keep its closure for a while after the end, but the body must not outlive this call.
    awaited.body = nil
    if let failure = awaited.failure { throw failure }
  }
}
