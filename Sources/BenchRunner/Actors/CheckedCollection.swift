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

  init(_ settings: DatasetCollection, number: Int, keepsData: Bool) {
    name = settings.name
    self.number = UInt32(number)
    rows = settings.rows
    keys = RowKeys(settings.key)
    valueSize = SizeSource(settings.value)
    metadataSize = settings.metadata.map(SizeSource.init)
    oracle = keepsData ? AnswerOracle(rows: settings.rows) : nil
  }

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
}
