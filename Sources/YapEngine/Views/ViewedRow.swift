/// A row as a view's closures are given it. Object and metadata are there as far as somebody has asked for them.
struct ViewedRow {
  let rowid: Int64
  let row: RowKey
  let collection: ByteString
  var parts: RowParts = []
  var object: Any?
  var metadata: Any?
  var origin = Origin.stored

  /// Where the values of a row come from.
  enum Origin {
    /// From the file or a cache.
    case stored
    /// At least one of them from the handler of undecodable values.
    case replaced
    /// The handler chose to leave the row out. Values are missing. The error is that of the codec.
    case skipped(YapDatabaseError)
  }

  var isSkipped: Bool {
    if case .skipped = origin { return true }
    return false
  }

  /// Sets the object or the metadata to a value that the handler of undecodable values was asked for.
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

/// What of a row a closure looks at, beside its collection and its key.
struct RowParts: OptionSet, Sendable {
  let rawValue: UInt8

  static let object = RowParts(rawValue: 1)
  static let metadata = RowParts(rawValue: 2)
}
