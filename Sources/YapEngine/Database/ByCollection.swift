/// A setting of the database that individual collections can override.
struct ByCollection<Setting: Sendable>: Sendable {
  private let own: [ByteString: Setting]
  private let otherwise: Setting

  init(_ own: [String: Setting], otherwise: Setting) {
    self.own = Dictionary(own.map { (ByteString($0.key), $0.value) }) { first, _ in first }
    self.otherwise = otherwise
  }

  subscript(collection: ByteString) -> Setting {
    own.isEmpty ? otherwise : own[collection] ?? otherwise
  }
}
