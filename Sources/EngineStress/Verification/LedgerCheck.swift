internal import CommitLedger
internal import YapEngine

/// Compares a database with its ledger.
package struct LedgerCheck: Sendable {
  typealias Report = LedgerComparison.Report

  /// Returns the payload of a stored object, whose digest the ledger contains; throws if the object is damaged.
  package typealias Payload = @Sendable (_ object: [UInt8], _ collection: String) throws -> [UInt8]

  /// The most errors that are described.
  var shownErrors = LedgerComparison.shownErrors
  var payload: Payload = { object, _ in object }

  /// Checks everything that one snapshot contains.
  /// - Parameters:
  ///   - acknowledged: The newest commit that was acknowledged; 0 if that is not known.
  ///   - unrecorded: The most commits after the newest entry that may have no entry, such as registrations of views.
  /// - Throws: The engine's errors.
  func check(
    _ transaction: YapDatabaseReadTransaction,
    acknowledged: UInt64 = 0,
    unrecorded: UInt64 = 0
  ) throws -> Report {
    var comparison = LedgerComparison(shownErrors: shownErrors)
    try transaction.enumerateRows(inCollection: LedgerEntry.collection) { key, object, metadata, _ in
      comparison.addEntry(metadata == nil ? object as? [UInt8] : nil, storedUnder: key)
    }
    let later = transaction.snapshot - min(comparison.newestEntry, transaction.snapshot)
    comparison.endEntries(
      at: transaction.snapshot,
      unrecorded: later <= unrecorded ? later : 0,
      acknowledged: acknowledged
    )
    for collection in try transaction.allCollections() where collection != LedgerEntry.collection {
      try transaction.enumerateRows(inCollection: collection) { key, object, metadata, _ in
        let bytes = (object as? [UInt8]).flatMap { try? payload($0, collection) }
        comparison.addRow(key, in: collection, object: bytes, metadata: metadata as? [UInt8])
      }
    }
    return comparison.finish()
  }
}
