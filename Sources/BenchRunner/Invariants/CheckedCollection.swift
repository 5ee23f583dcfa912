internal import BenchDrivers
internal import BenchScenario

/// A collection of the dataset, with the shape and the expected contents of its values.
final class CheckedCollection: Sendable {
  let name: String
  /// The collection's number, which stands for its name in every value.
  let number: UInt32
  let rows: RowNumbers
  let keys: RowKeys
  let valueSize: SizeSource
  let metadataSize: SizeSource?
  /// nil where the driver keeps nothing.
  let oracle: AnswerOracle?
  /// The balance of each row before the first phase; nil if no actor transfers balances in this collection.
  let firstBalance: Int64?
  /// Rows that were written together recently.
  let groups = CommitGroups()
  /// nil if no actor scans the collection.
  private let order: KeyOrder?

  /// - Parameters:
  ///   - isScanned: whether an actor scans the collection.
  ///   - hasBalances: whether an actor transfers balances between rows of this collection.
  ///   - undone: keeps the earlier marks of rows; nil if no commit can be lost and no transaction is rolled back.
  ///   - keepsVersions: whether all versions of the rows are kept, for a run with a ledger.
  init(
    _ settings: DatasetCollection,
    number: Int,
    keepsData: Bool,
    isScanned: Bool = false,
    hasBalances: Bool = false,
    undone: UndoneMarks? = nil,
    keepsVersions: Bool = false
  ) {
    name = settings.name
    self.number = UInt32(number)
    rows = RowNumbers(loaded: settings.rows, inserts: settings.inserts)
    keys = RowKeys(settings.key, rows: rows.limit)
    valueSize = SizeSource(settings.value, hasBalance: hasBalances)
    metadataSize = settings.metadata.map { SizeSource($0) }
    firstBalance = hasBalances ? 1_000 : nil
    order = isScanned ? KeyOrder(keys, limit: rows.limit) : nil
    oracle =
      keepsData
      ? AnswerOracle(rows: rows.limit, undone: undone, versions: keepsVersions ? RowVersions() : nil) : nil
  }

  /// All versions of the rows; nil without a ledger.
  var versions: RowVersions? { oracle?.versions }

  /// The number of rows that are present; nil where the driver keeps nothing. Only valid while there are no writers.
  var presentRows: Int? { oracle?.presentRows(below: rows.count) }

  /// Returns the rows of up to `count` consecutive keys from the key of `row` on, as `snapshot` contains them if none
  /// were removed.
  func rowsToScan(from row: Int, count: Int, at snapshot: UInt64) -> [Int] {
    guard let order else { preconditionFailure("the collection \(name) was prepared for no scan") }
    return order.rows(from: row, wanted: count, below: rows.count(at: snapshot))
  }

  /// Returns the row that a value names; nil if the key is not that row's. The key alone is not enough, because a
  /// hashed key cannot be converted back.
  func row(ofKey key: String, with value: [UInt8]) -> Int? {
    guard let row = GeneratedFields(value)?.row, (0..<rows.limit).contains(row), keys.key(row) == key else {
      return nil
    }
    return row
  }

  /// Records the drawn rows whose objects the open transaction has written and not removed, if there are several.
  func addGroup(of drawn: [Int], commit: UInt64) {
    guard let oracle, drawn.count > 1 else { return }
    let written = AnswerOracle.Mark(commit: commit, isAbsent: false)
    let rows = Set(drawn).filter { oracle.mark(of: .object, row: $0) == written }
    if rows.count > 1 { groups.add(CommitGroups.Group(commit: commit, rows: rows.sorted())) }
  }

  /// Returns the error in a value that was read; nil if the value is correct.
  /// - Parameters:
  ///   - value: nil if none was found.
  ///   - snapshot: the number of the commit that the reader sees, or that a read-write transaction makes.
  ///   - mark: the row's mark at the time of the read; nil uses the current mark.
  func objection(
    to value: [UInt8]?,
    of part: RowPart,
    row: Int,
    at snapshot: UInt64,
    mark: AnswerOracle.Mark? = nil
  ) -> String? {
    guard let value else { return oracle?.objection(to: nil, of: part, row: row, at: snapshot, mark: mark) }
    guard let label = Payload.read(value) else {
      return "has \(value.count) bytes that are not a value of this run, or are damaged"
    }
    guard label.row == row, label.collection == number, label.part == part else {
      return "carries the \(label.part) of row \(label.row) of collection number \(label.collection)"
    }
    return oracle?.objection(to: label.commit, of: part, row: row, at: snapshot, mark: mark)
  }

  /// Returns the error if a snapshot cannot show the row as present, or as missing; nil if it can.
  func objection(
    toPresence isPresent: Bool,
    ofRow row: Int,
    at snapshot: UInt64,
    mark: AnswerOracle.Mark? = nil
  ) -> String? {
    let commit = rows.commit(ofRow: row)
    if oracle != nil, isPresent, commit > snapshot { return "is present, but commit \(commit) inserted it later" }
    return oracle?.objection(toPresence: isPresent, ofRow: row, at: snapshot, mark: mark)
  }

  /// Returns the error in the balances that a transaction sees: a wrong sum, or rows without a balance. nil if there is
  /// no error, or if no actor transfers balances in this collection.
  func objectionToSum(in transaction: any DriverTransaction) throws -> String? {
    guard let firstBalance else { return nil }
    var sum: Int64 = 0
    var unread = 0
    try transaction.objects((0..<rows.loaded).map(keys.key), in: name) { _, object in
      if let balance = object.flatMap(Payload.balance) { sum &+= balance } else { unread += 1 }
    }
    let expected = Int64(rows.loaded) * firstBalance
    guard sum != expected || unread > 0 else { return nil }
    let rest = unread > 0 ? ", and \(unread) rows have no balance" : ""
    return "the balances in \"\(name)\" add up to \(sum) instead of \(expected)\(rest)"
  }
}

/// Checks that an enumeration of a collection shows each row that must be there, no row twice, and no unknown key.
struct EnumerationCheck {
  private let collection: CheckedCollection
  private let snapshot: UInt64
  private var isVisited: [Bool]

  /// - Parameter snapshot: the number of the commit that the enumeration sees.
  init(_ collection: CheckedCollection, at snapshot: UInt64) {
    self.collection = collection
    self.snapshot = snapshot
    isVisited = Array(repeating: false, count: collection.rows.count(at: snapshot))
  }

  /// Records a key that the enumeration shows, with its object.
  /// - Returns: the key's row; nil with an objection if the snapshot cannot contain the key, or it was shown before.
  mutating func visit(_ key: String, _ object: [UInt8]) -> (row: Int?, objection: String?) {
    guard let row = collection.row(ofKey: key, with: object) else {
      return (nil, "\"\(collection.name)\" contains the key \"\(key)\" with an object that is not of its row")
    }
    guard row < isVisited.count else {
      let commit = collection.rows.commit(ofRow: row)
      return (
        nil, "\"\(collection.name)\" shows \(key) at snapshot \(snapshot), but commit \(commit) inserted it later"
      )
    }
    defer { isVisited[row] = true }
    return isVisited[row] ? (nil, "\"\(collection.name)\" shows \(key) twice in one enumeration") : (row, nil)
  }

  /// Returns the error for the first row that must be there and was not shown; nil if there is no such row.
  func objectionToMissing() -> String? {
    guard let oracle = collection.oracle else { return nil }
    for row in isVisited.indices where !isVisited[row] {
      if let objection = oracle.objection(toPresence: false, ofRow: row, at: snapshot) {
        return "\"\(collection.name)\"/\(collection.keys.key(row)) \(objection)"
      }
    }
    return nil
  }
}
