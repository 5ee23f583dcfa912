/// One figure of a row, by its name in `run.json`.
struct PackedFigure<Row>: Sendable {
  let name: String
  let get: @Sendable (Row) -> Int?
  let set: @Sendable (inout Row, Int) -> Void
}

extension PackedFigure {
  init(_ name: String, _ path: any WritableKeyPath<Row, Int> & Sendable) {
    self.init(name: name, get: { $0[keyPath: path] }) { $0[keyPath: path] = $1 }
  }

  init(_ name: String, _ path: any WritableKeyPath<Row, UInt64> & Sendable) {
    self.init(name: name, get: { Int(clamping: $0[keyPath: path]) }) { $0[keyPath: path] = UInt64(clamping: $1) }
  }
}
