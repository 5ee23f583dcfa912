/// A row's place: its collection's number and its key.
struct RowKey: Hashable, Sendable {
  let collection: Int64
  let key: ByteString

  func hash(into hasher: inout Hasher) {
    key.hash(into: &hasher)
    hasher.combine(collection)
  }
}
