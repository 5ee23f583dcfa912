/// The state of a database that its ledger implies. Entries are applied in the order of their commits; afterwards every
/// row of the database is compared.
public struct LedgerReplay: Sendable {
  /// The name of a row. Names are equal if their bytes are, unlike strings.
  public struct RowName: Hashable, Sendable {
    let collection: [UInt8]
    let key: [UInt8]

    public init(_ key: String, in collection: String) {
      self.collection = Array(collection.utf8)
      self.key = Array(key.utf8)
    }

    var text: String { "\"\(String(decoding: collection, as: UTF8.self))\"/\(String(decoding: key, as: UTF8.self))" }
  }

  private struct Row {
    var object: UInt64
    var metadata: UInt64
    /// The commit that has changed the row last.
    var commit: UInt64
  }

  /// The number of the newest entry; 0 before the first.
  public private(set) var commit: UInt64 = 0
  /// The digest of the newest entry, which the next one must contain; 0 before the first.
  public private(set) var digest: UInt64 = 0
  /// The number of entries so far.
  public private(set) var entryCount = 0
  private var sequences: [UInt32: UInt64] = [:]
  private var rows: [RowName: Row] = [:]

  public init() {}

  /// The number of rows that must exist, without the ledger's.
  public var rowCount: Int { rows.count }

  /// Applies the entry that is stored under a key.
  /// - Returns: The error in the entry, with the number of its commit; nil if it follows the previous one. After an
  ///   error, the replay continues from this entry.
  public mutating func apply(_ bytes: [UInt8], storedUnder key: String) -> String? {
    guard let (entry, digest) = LedgerEntry.decode(bytes) else { return "the ledger entry \(key) is damaged" }
    guard LedgerEntry.key(of: entry.commit) == key else {
      return "the ledger entry \(key) is that of commit \(entry.commit)"
    }
    return apply(entry, digest: digest)
  }

  /// Applies an entry whose digest is known.
  public mutating func apply(_ entry: LedgerEntry, digest: UInt64) -> String? {
    let objection = objection(to: entry)
    commit = entry.commit
    self.digest = digest
    entryCount += 1
    sequences[entry.connection] = entry.sequence
    for write in entry.writes { apply(write, of: entry.commit) }
    return objection
  }

  private func objection(to entry: LedgerEntry) -> String? {
    let first = entry.commit - min(UInt64(entry.unrecorded), entry.commit)
    if first != commit + 1 {
      let missing = first == commit + 2 ? "commit \(commit + 1) is" : "commits \(commit + 1) to \(first &- 1) are"
      return first > commit
        ? "\(missing) missing from the ledger: the entry after commit \(commit) is that of commit \(entry.commit)"
        : "the ledger has commit \(entry.commit) after commit \(commit)"
    }
    if entry.previous != digest {
      return "the ledger entry of commit \(entry.commit) does not follow the entry of commit \(commit)"
    }
    let sequence = sequences[entry.connection, default: 0] + 1
    if entry.sequence != sequence {
      return
        "commit \(entry.commit) is number \(entry.sequence) of connection \(entry.connection); expected \(sequence)"
    }
    return nil
  }

  private mutating func apply(_ write: LedgerEntry.Write, of commit: UInt64) {
    let name = RowName(write.key, in: write.collection)
    switch write.change {
    case .row: rows[name] = Row(object: write.object, metadata: write.metadata, commit: commit)
    case .removal: rows[name] = nil
    case .clearing: rows = rows.filter { $0.key.collection != name.collection }
    case .object:
      rows[name]?.object = write.object
      rows[name]?.commit = commit
    case .metadata:
      rows[name]?.metadata = write.metadata
      rows[name]?.commit = commit
    }
  }

  /// Compares a row of the database with the ledger, and removes it from the rows that must exist.
  /// - Parameters:
  ///   - object: the digest of its object.
  ///   - metadata: the digest of its metadata; 0 without metadata.
  /// - Returns: the error in the row, with its name and commit; nil if the ledger implies this row.
  public mutating func check(_ name: RowName, object: UInt64, metadata: UInt64) -> String? {
    guard let row = rows.removeValue(forKey: name) else {
      return "row \(name.text) exists, but no commit has written it, or it was removed or visited before"
    }
    if row.object != object { return "the object of row \(name.text) is not the one that commit \(row.commit) wrote" }
    if row.metadata != metadata {
      return "the metadata of row \(name.text) are not those that commit \(row.commit) wrote"
    }
    return nil
  }

  /// Removes a row that exists, but cannot be compared, from the rows that must exist.
  public mutating func skip(_ name: RowName) { rows[name] = nil }

  /// Returns the errors for rows that must exist and were not compared, at most `limit`, in the order of their commits.
  public func missingRows(limit: Int) -> [String] {
    rows.sorted { ($0.value.commit, $0.key.text) < ($1.value.commit, $1.key.text) }.prefix(limit).map { name, row in
      "row \(name.text) is missing, but commit \(row.commit) wrote it"
    }
  }
}
