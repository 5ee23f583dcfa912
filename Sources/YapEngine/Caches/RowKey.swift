/// A row's place: its collection's number and its key.
struct RowKey: Hashable, Sendable {
  let collection: Int64
  let key: ByteString

  /// Of both.
  var rowHash: UInt64 { key.hash &+ UInt64(bitPattern: collection) &* 0x9e37_79b9_7f4a_7c15 }

  func hash(into hasher: inout Hasher) {
    key.hash(into: &hasher)
    hasher.combine(collection)
  }
}
