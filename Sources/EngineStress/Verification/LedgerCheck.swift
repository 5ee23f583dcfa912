internal import CommitLedger
public import YapEngine

/// Compares a database with its ledger.
public struct LedgerCheck: Sendable {
  /// The most errors that are described; all are counted.
  public static let shownErrors = 10

  /// The result of a comparison.
  public struct Report: Sendable {
    /// The number of the newest commit, as the engine has stored it.
    public var commit: UInt64 = 0
    public var entries = 0
    public var rows = 0
    /// The first errors. Each names the key, the commit or the count.
    public var errors: [String] = []
    /// The number of all errors.
    public var errorCount = 0

    public init() {}

    public mutating func add(_ error: String) {
      errorCount += 1
      if errors.count < LedgerCheck.shownErrors { errors.append(error) }
    }
  }

  /// Returns the payload of a stored object, whose digest the ledger contains; throws if the object is damaged.
  public typealias Payload = @Sendable (_ object: [UInt8], _ collection: String) throws -> [UInt8]

  private let payload: Payload

  public init(payload: @escaping Payload = { object, _ in object }) {
    self.payload = payload
  }

  /// Checks everything that one snapshot contains.
  /// - Parameter acknowledged: The newest commit that was acknowledged; 0 if that is not known.
  /// - Throws: The engine's errors.
  public func check(_ transaction: YapDatabaseReadTransaction, acknowledged: UInt64 = 0) throws -> Report {
    var report = Report()
    var replay = LedgerReplay()
    report.commit = transaction.snapshot
    try transaction.enumerateKeysAndObjects(inCollection: LedgerEntry.collection) { key, object, _ in
      guard let bytes = object as? [UInt8] else { return report.add("the ledger entry \(key) is not bytes") }
      if let error = replay.apply(bytes, storedUnder: key) { report.add(error) }
    }
    report.entries = replay.entryCount
    if replay.commit != transaction.snapshot {
      report.add(
        "the newest ledger entry is that of commit \(replay.commit), but the stored number of the newest commit is "
          + "\(transaction.snapshot)"
      )
    }
    if acknowledged > replay.commit {
      report.add(
        "commit \(acknowledged) was acknowledged, but the newest in the file is \(replay.commit): "
          + "\(acknowledged - replay.commit) acknowledged commits are lost"
      )
    }
    for collection in try transaction.allCollections() where collection != LedgerEntry.collection {
      try transaction.enumerateRows(inCollection: collection) { key, object, metadata, _ in
        report.rows += 1
        let name = LedgerReplay.RowName(key, in: collection)
        guard let stored = object as? [UInt8], let bytes = try? payload(stored, collection) else {
          return report.add("the object of row \"\(collection)\"/\(key) is damaged")
        }
        let digest = (metadata as? [UInt8]).map { LedgerDigest.of($0) } ?? 0
        if let error = replay.check(name, object: LedgerDigest.of(bytes), metadata: digest) { report.add(error) }
      }
    }
    for error in replay.missingRows(limit: Self.shownErrors) { report.add(error) }
    return report
  }
}
