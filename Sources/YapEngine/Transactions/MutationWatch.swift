/// Finds instances that were mutated after they had been stored.
///
/// Their bytes are then other than those on disk, while the writer's cache, and under share everybody's, hands out the
/// mutated instance. Only classes can be mutated behind the engine's back.
struct MutationWatch {
  private struct Stored {
    let value: Any
    let bytes: [UInt8]
    let collection: ByteString
  }

  private let codecs: CodecTable
  private let noun: String
  private var stored: [RowKey: Stored] = [:]

  /// - Parameter noun: what errors call the values.
  init(_ codecs: CodecTable, noun: String) {
    self.codecs = codecs
    self.noun = noun
  }

  mutating func note(_ value: Any, _ bytes: UnsafeRawBufferPointer, _ row: RowKey, in collection: CollectionName) {
    guard type(of: value) is AnyClass else { return stored[row] = nil }
    stored[row] = Stored(value: value, bytes: [UInt8](bytes), collection: collection.name)
  }

  mutating func forget(_ row: RowKey) { stored[row] = nil }

  /// Encodes every instance again that is to be committed.
  /// - Parameter change: what `changes` says of a row whose instance counts.
  /// - Throws: `mutatedAfterSet` for one that has other bytes than when it was stored; what its codec throws.
  func check(_ changes: ChangeSet, _ change: KeyChange) throws {
    for (row, stored) in stored {
      guard changes.collections[stored.collection]?.keys[row.key]?.contains(change) == true else { continue }
      var isSame = false
      try codecs.encode(stored.value, stored.collection, row.key.text) { isSame = $0.elementsEqual(stored.bytes) }
      if isSame { continue }
      throw YapDatabaseError(
        .mutatedAfterSet,
        "the \(noun) for key \"\(row.key.text)\" in collection \"\(stored.collection.text)\" was mutated after it had "
          + "been stored: mutate a copy, and store that; nothing of the transaction was kept"
      )
    }
  }
}
