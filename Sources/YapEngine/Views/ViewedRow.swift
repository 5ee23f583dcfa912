/// A row as it is passed to a view's closures. It contains the object and the metadata only if they were requested.
struct ViewedRow {
  let rowid: Int64
  let row: RowKey
  let collection: ByteString
  var parts: RowParts = []
  var object: Any?
  var metadata: Any?
  var origin = Origin.stored

  /// The source of a row's values.
  enum Origin {
    /// The file or a cache.
    case stored
    /// The handler of undecodable values, for at least one of them.
    case replaced
    /// None: the handler chose to leave the row out, and values are missing. The error is that of the codec.
    case skipped(YapDatabaseError)
  }

  var isSkipped: Bool {
    if case .skipped = origin { return true }
    return false
  }

  /// Sets the object or the metadata to the answer of the handler of undecodable values.
  mutating func set(_ part: WritableKeyPath<ViewedRow, Any?>, _ handled: Handled<Any?>) {
    switch handled {
    case .value(let value):
      self[keyPath: part] = value
      if !isSkipped { origin = .replaced }
    case .skipped(let error): origin = .skipped(error)
    }
  }

  var key: String { row.key.text }
}

/// The parts of a row that a closure reads in addition to the collection and the key.
struct RowParts: OptionSet, Sendable {
  let rawValue: UInt8

  static let object = RowParts(rawValue: 1)
  static let metadata = RowParts(rawValue: 2)
}
