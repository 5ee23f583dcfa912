/// The identity of a row: its collection's number and its key.
struct RowKey: Hashable, Sendable {
  let collection: Int64
  let key: ByteString

  /// The hash of the collection's number and the key.
  var rowHash: UInt64 { Self.hash(of: key.hash, in: collection) }

  static func hash(of keyHash: UInt64, in collection: Int64) -> UInt64 {
    keyHash &+ UInt64(bitPattern: collection) &* 0x9e37_79b9_7f4a_7c15
  }

  func hash(into hasher: inout Hasher) {
    key.hash(into: &hasher)
    hasher.combine(collection)
  }
}
