/// The comparison of one snapshot of a database with its ledger: all entries are added in the order of their keys, and
/// then all rows of the other collections.
public struct LedgerComparison: Sendable {
  /// The most errors that are described unless another number is given; all are counted.
  public static let shownErrors = 10

  /// The result of a comparison.
  public struct Report: Sendable {
    /// The number of the newest commit, as the engine has stored it.
    public var commit: UInt64 = 0
    /// The number of the commit of the newest entry; 0 without entries.
    public var newestEntry: UInt64 = 0
    public var entries = 0
    public var rows = 0
    /// The first errors. Each names the key, the commit or the count.
    public var errors: [String] = []
    /// The number of all errors.
    public var errorCount = 0

    fileprivate let shownErrors: Int

    /// - Parameter shownErrors: The most errors that are described.
    public init(shownErrors: Int = LedgerComparison.shownErrors) { self.shownErrors = shownErrors }

    public mutating func add(_ error: String) {
      errorCount += 1
      if errors.count < shownErrors { errors.append(error) }
    }
  }

  private var replay = LedgerReplay()
  private var report: Report

  /// - Parameter shownErrors: The most errors that are described.
  public init(shownErrors: Int = Self.shownErrors) { report = Report(shownErrors: shownErrors) }

  /// The number of the commit of the newest entry so far; 0 before the first.
  public var newestEntry: UInt64 { replay.commit }
  /// The digest of the newest entry; 0 before the first.
  public var digest: UInt64 { replay.digest }

  /// Adds the next entry.
  /// - Parameter bytes: nil if the stored value is not bytes, or has metadata.
  public mutating func addEntry(_ bytes: [UInt8]?, storedUnder key: String) {
    guard let bytes else { return report.add("the ledger entry \(key) is not bytes without metadata") }
    if let error = replay.apply(bytes, storedUnder: key) { report.add(error) }
  }

  /// Ends the entries.
  /// - Parameters:
  ///   - snapshot: The number of the newest commit that the snapshot contains, as the engine has stored it.
  ///   - unrecorded: The number of commits after the newest entry that have no entry, such as registrations of views.
  ///   - acknowledged: The newest commit that was acknowledged; 0 if that is not known.
  public mutating func endEntries(at snapshot: UInt64, unrecorded: UInt64 = 0, acknowledged: UInt64) {
    report.commit = snapshot
    report.newestEntry = replay.commit
    report.entries = replay.entryCount
    if replay.commit + unrecorded != snapshot {
      report.add(
        "the newest ledger entry is that of commit \(replay.commit), but the stored number of the newest commit is "
          + "\(snapshot)" + (unrecorded > 0 ? ", of which \(unrecorded) have no entry" : "")
      )
    }
    let newest = replay.commit + unrecorded
    if acknowledged > newest {
      report.add(
        "commit \(acknowledged) was acknowledged, but the newest in the file is \(newest) "
          + "(lost acknowledged commits: \(acknowledged - newest))"
      )
    }
  }

  /// Adds a row.
  /// - Parameters:
  ///   - object: The payload of its object; nil if the object is damaged.
  ///   - metadata: nil for a row without metadata.
  public mutating func addRow(_ key: String, in collection: String, object: [UInt8]?, metadata: [UInt8]?) {
    report.rows += 1
    let name = LedgerReplay.RowName(key, in: collection)
    guard let object else {
      replay.skip(name)
      return report.add("the object of row \"\(collection)\"/\(key) is damaged")
    }
    let digest = metadata.map { LedgerDigest.of($0) } ?? 0
    if let error = replay.check(name, object: LedgerDigest.of(object), metadata: digest) { report.add(error) }
  }

  /// Ends the rows, and returns the result.
  public mutating func finish() -> Report {
    let missing = replay.missingRows(limit: report.shownErrors)
    for error in missing { report.add(error) }
    report.errorCount += replay.rowCount - missing.count
    return report
  }
}
