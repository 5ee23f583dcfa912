/// A row as a view's closures are given it. Object and metadata are there as far as somebody has asked for them.
struct ViewedRow {
  let rowid: Int64
  let row: RowKey
  let collection: ByteString
  var parts: RowParts = []
  var object: Any?
  var metadata: Any?

  var key: String { row.key.text }
}

/// What of a row a closure looks at, beside its collection and its key.
struct RowParts: OptionSet, Sendable {
  let rawValue: UInt8

  static let object = RowParts(rawValue: 1)
  static let metadata = RowParts(rawValue: 2)
}
