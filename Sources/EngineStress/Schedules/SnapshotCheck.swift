internal import CommitLedger
internal import YapEngine

/// Checks everything that a transaction sees.
enum SnapshotCheck {
  /// Checks the rows against the ledger, and each row that a program may have written against the enumerated rows, so
  /// that caches and the database must agree.
  /// - Parameter least: A commit that the transaction must see.
  /// - Throws: `WrongResult`, and the engine's errors.
  static func check(_ transaction: YapDatabaseReadTransaction, notBefore least: UInt64) throws {
    let report = try LedgerCheck().check(transaction, acknowledged: least)
    if let error = report.errors.first { throw WrongResult("at commit \(transaction.snapshot): \(error)") }
    let shape = ScheduleWorld.shape
    for collection in shape.collections {
      var stored: [String: (object: [UInt8]?, metadata: [UInt8]?)] = [:]
      try transaction.enumerateRows(inCollection: collection) { key, object, metadata, _ in
        stored[key] = (object as? [UInt8], metadata as? [UInt8])
      }
      for key in (0..<shape.keys).map({ "key-\($0)" }) {
        let object = try transaction.object(forKey: key, inCollection: collection) as? [UInt8]
        let metadata = try transaction.metadata(forKey: key, inCollection: collection) as? [UInt8]
        let parts = [("object", object, stored[key]?.object), ("metadata", metadata, stored[key]?.metadata)]
        for (part, found, expected) in parts where found != expected {
          throw WrongResult(
            "the \(part) of row \"\(collection)\"/\(key) that a read by its key returns at commit "
              + "\(transaction.snapshot) is not the stored one"
          )
        }
      }
    }
  }

  /// Checks that a transaction sees a commit.
  static func checkContains(_ commit: UInt64, _ transaction: YapDatabaseReadTransaction) throws {
    let snapshot = transaction.snapshot
    guard snapshot >= commit else { throw WrongResult("a transaction sees commit \(snapshot), not commit \(commit)") }
    guard commit > 0 else { return }
    let key = LedgerEntry.key(of: commit)
    guard try transaction.hasObject(forKey: key, inCollection: LedgerEntry.collection) else {
      throw WrongResult("commit \(commit) had returned, but has no entry in the ledger at commit \(snapshot)")
    }
  }
}

/// Compares the change set of a commit with the commit's entry in the ledger.
enum ChangeSetCheck {
  /// - Parameters:
  ///   - connection: The connection that has returned the change set.
  ///   - transaction: A transaction of the connection that sees the commit.
  static func check(
    _ modification: YapDatabaseModification,
    of connection: YapDatabaseConnection,
    in transaction: YapDatabaseReadTransaction
  ) throws {
    let commit = modification.snapshot
    guard let entry = try transaction.ledgerEntry(of: commit)?.entry else {
      throw WrongResult("a jump returned commit \(commit), which has no entry in the ledger")
    }
    for write in entry.writes where write.change == .row {
      let isReported = connection.hasChange(forKey: write.key, inCollection: write.collection, in: [modification])
      if !isReported {
        throw WrongResult("commit \(commit) changed \(write.key), which its change set does not contain")
      }
    }
    for collection in ScheduleWorld.shape.collections {
      let writes = entry.writes.filter { $0.collection == collection }
      let written = Set(writes.map(\.key))
      var unwritten: String?
      connection.enumerateChangedKeys(inCollection: collection, in: [modification]) { key, _ in
        if !written.contains(key) { unwritten = key }
      }
      if let unwritten {
        throw WrongResult("the change set of commit \(commit) contains \(unwritten), which the commit did not change")
      }
      let isCleared = connection.didClearCollection(collection, in: [modification])
      if isCleared, !writes.contains(where: { $0.change == .clearing }) {
        throw WrongResult("the change set of commit \(commit) clears \"\(collection)\", which the commit did not")
      }
    }
  }
}
