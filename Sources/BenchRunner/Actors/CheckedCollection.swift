internal import BenchDrivers
internal import BenchModel

/// A collection of the dataset, what its values look like, and what they must be.
struct CheckedCollection: Sendable {
  let name: String
  /// Stands for the name in every value.
  let number: UInt32
  let rows: Int
  let keys: RowKeys
  let valueSize: SizeSource
  let metadataSize: SizeSource?
  /// nil where the driver keeps nothing.
  let oracle: AnswerOracle?
  /// What each row's balance is at first; nil where nobody transfers any.
  let firstBalance: Int64?
  /// Who was written together lately.
  let groups = CommitGroups()
  private let order: KeyOrder

  /// - Parameters:
  ///   - hasBalances: somebody transfers balances from row to row.
  ///   - undone: keeps what commits have marked that may be lost.
  init(
    _ settings: DatasetCollection,
    number: Int,
    keepsData: Bool,
    hasBalances: Bool = false,
    undone: UndoneMarks? = nil
  ) {
    name = settings.name
    self.number = UInt32(number)
    rows = settings.rows
    keys = RowKeys(settings.key)
    valueSize = SizeSource(settings.value)
    metadataSize = settings.metadata.map(SizeSource.init)
    firstBalance = hasBalances ? 1_000 : nil
    order = KeyOrder(keys, count: rows)
    oracle = keepsData ? AnswerOracle(rows: settings.rows, undone: undone) : nil
  }

  /// The rows of up to so many keys that follow one another, from that of a row on.
  func rows(from row: Int, count: Int) -> [Int] { order.rows(from: row, count: count) }

  /// What is wrong with a value that was read.
  /// - Parameters:
  ///   - value: nil where none was found.
  ///   - snapshot: the number of the commit that the reader sees.
  ///   - mark: what was known of the row when it was read, if that was noted.
  func objection(
    to value: [UInt8]?,
    _ row: Int,
    _ half: AnswerOracle.Half,
    at snapshot: UInt64,
    known mark: AnswerOracle.Mark? = nil
  ) -> String? {
    guard let value else { return oracle?.objection(to: nil, at: snapshot, row, half, known: mark) }
    guard let label = Payload.read(value) else {
      return "has \(value.count) bytes that are no value of this run, or a damaged one"
    }
    let kind: Payload.Kind = half == .object ? .object : .metadata
    guard label.row == row, label.collection == number, label.kind == kind else {
      return "carries the \(label.kind) of row \(label.row) of collection number \(label.collection)"
    }
    return oracle?.objection(to: label.commit, at: snapshot, row, half, known: mark)
  }

  /// What is wrong with the sum of all balances, as a transaction sees them; nil if nothing is, or nobody moves any.
  func objectionToSum(in transaction: any DriverTransaction) throws -> String? {
    guard let firstBalance else { return nil }
    var sum: Int64 = 0
    var unread = 0
    try transaction.objects((0..<rows).map(keys.key), in: name) { _, object in
      if let balance = object.flatMap(Payload.balance) { sum &+= balance } else { unread += 1 }
    }
    let expected = Int64(rows) * firstBalance
    guard sum != expected || unread > 0 else { return nil }
    let rest = unread > 0 ? ", and \(unread) rows have none" : ""
    return "the balances in \"\(name)\" add up to \(sum) instead of \(expected)\(rest)"
  }
}
