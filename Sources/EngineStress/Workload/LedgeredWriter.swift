internal import CommitLedger
internal import HarnessPrimitives
internal import ThreadingPrimitives
internal import YapEngine

/// Writes transactions on one connection, each of which stores its ledger entry.
///
/// Databases must store objects and metadata with the codec `bytes`, which `LedgeredDatabase.options` select.
final class LedgeredWriter: Sendable {
  /// The shape of the transactions.
  struct Shape: Sendable {
    var collections = ["accounts", "messages"]
    /// The number of different keys in each collection.
    var keys = 64
    /// The number of writes in a transaction.
    var writes = 1...4
    /// The size of an object in bytes.
    var objectSize = 32...400
  }

  let connection: YapDatabaseConnection
  private let number: UInt32
  private let shape: Shape
  /// The number of entries that this writer has committed.
  private let sequence = Guarded<UInt64>(0)

  /// - Parameters:
  ///   - number: The writer's number in the ledger. No other writer of the file may have it, including the writers of
  ///     earlier processes.
  init(_ connection: YapDatabaseConnection, number: UInt32, shape: Shape = Shape()) {
    self.connection = connection
    self.number = number
    self.shape = shape
  }

  /// Commits one transaction of random writes.
  ///
  /// Only one thread may call a writer.
  /// - Parameters:
  ///   - unrecorded: The number of commits directly before this one that have no entry, such as registrations of views.
  ///     Before the first entry it need not be known.
  ///   - whileOpen: Called inside the transaction after its writes; it may throw to roll it back.
  /// - Returns: The number of the commit.
  /// - Throws: The errors of the engine, and of `whileOpen`.
  @discardableResult
  func commit(
    _ random: inout RandomStream,
    unrecorded: UInt64 = 0,
    whileOpen: (YapDatabaseReadWriteTransaction) throws -> Void = { _ in }
  ) throws -> UInt64 {
    let entryNumber = sequence.withLock { $0 } + 1
    let commit = try connection.readWrite { transaction in
      let commit = transaction.snapshot
      let writes = try write(commit, in: transaction, &random)
      let next = commit &- unrecorded
      // If the commit before is lost, the new entry does not continue the chain, which `LedgerCheck` finds.
      let previous = next > 1 ? try transaction.ledgerEntry(of: next - 1) : nil
      let entry = LedgerEntry(
        commit: commit,
        unrecorded: UInt32(truncatingIfNeeded: commit - 1 - (previous?.entry.commit ?? 0)),
        connection: number,
        sequence: entryNumber,
        previous: previous?.digest ?? 0,
        writes: writes
      )
      try transaction.setObject(
        entry.encoded().bytes,
        forKey: LedgerEntry.key(of: commit),
        inCollection: LedgerEntry.collection
      )
      try whileOpen(transaction)
      return commit
    }
    sequence.withLock { $0 = entryNumber }
    return commit
  }

  /// Makes the writes of one transaction, and rolls it back.
  func rollBack(_ random: inout RandomStream) throws {
    do { try commit(&random) { _ in throw RolledBack() } } catch is RolledBack {}
  }

  private func write(
    _ commit: UInt64,
    in transaction: YapDatabaseReadWriteTransaction,
    _ random: inout RandomStream
  ) throws -> [LedgerEntry.Write] {
    let count = shape.writes.lowerBound + random.below(shape.writes.count)
    var writes: [LedgerEntry.Write] = []
    for index in 0..<count {
      let collection = shape.collections[random.below(shape.collections.count)]
      let key = "key-\(random.below(shape.keys))"
      switch random.below(20) {
      case 0:
        try transaction.removeAllObjects(inCollection: collection)
        writes.append(LedgerEntry.Write(.clearing, "", in: collection))
      case 1...3:
        try transaction.removeObject(forKey: key, inCollection: collection)
        writes.append(LedgerEntry.Write(.removal, key, in: collection))
      default:
        let size = shape.objectSize.lowerBound + random.below(shape.objectSize.count)
        func value(_ size: Int) -> [UInt8] {
          LedgeredValue.make(
            commit: commit,
            index: UInt32(index),
            key: key,
            collection: collection,
            size: max(size, LedgeredValue.minimumSize),
            &random
          )
        }
        let object = value(size)
        let metadata = random.below(2) == 0 ? nil : value(LedgeredValue.minimumSize)
        try transaction.setObject(object, forKey: key, inCollection: collection, withMetadata: metadata)
        writes.append(
          LedgerEntry.Write(
            .row,
            key,
            in: collection,
            object: LedgerDigest.of(object),
            metadata: metadata.map { LedgerDigest.of($0) } ?? 0
          )
        )
      }
    }
    return writes
  }
}

/// The error that a block throws to roll its transaction back.
struct RolledBack: Error {}

extension YapDatabaseReadTransaction {
  /// Returns the ledger entry of a commit, with its digest; nil if it is missing or damaged.
  func ledgerEntry(of commit: UInt64) throws -> (entry: LedgerEntry, digest: UInt64)? {
    let stored = try object(forKey: LedgerEntry.key(of: commit), inCollection: LedgerEntry.collection)
    return (stored as? [UInt8]).flatMap(LedgerEntry.decode)
  }
}

/// The databases in which commits have ledger entries.
enum LedgeredDatabase {
  /// The options of such a database: values are stored as bytes.
  static func options(synchronous: YapDatabaseOptions.Synchronous = .full) -> YapDatabaseOptions {
    var options = YapDatabaseOptions()
    options.synchronous = synchronous
    options.defaultObjectCodec = .bytes
    options.defaultMetadataCodec = .bytes
    options.corruptAction = .fail
    return options
  }
}
