/// Finds values that were mutated after they had been stored.
///
/// Their bytes then differ from those on disk, while the writer's cache, and under share the caches of all connections,
/// return the mutated value. A value can change if it is, or holds, an instance of a class, so every value is watched
/// unless its type is known to be immutable.
struct MutationWatch {
  private struct Stored {
    let value: Any
    let bytes: [UInt8]
    let collection: ByteString
  }

  private let codecs: CodecTable
  private let noun: String
  private var stored: [RowKey: Stored] = [:]

  /// - Parameter noun: the word for the values in errors.
  init(_ codecs: CodecTable, noun: String) {
    self.codecs = codecs
    self.noun = noun
  }

  mutating func note(_ value: Any, _ bytes: UnsafeRawBufferPointer, _ row: RowKey, in collection: CollectionName) {
    guard !DeclaredTypes.areImmutable(type(of: value)) else { return stored[row] = nil }
    stored[row] = Stored(value: value, bytes: [UInt8](bytes), collection: collection.name)
  }

  mutating func forget(_ row: RowKey) { stored[row] = nil }

  /// Encodes again every watched value that is to be committed, and compares the bytes.
  /// - Parameter change: the watched part of a row, as `changes` records it.
  /// - Throws: `mutatedAfterSet` if the bytes of a value differ from those that were stored; the error of its codec.
  func check(_ changes: ChangeSet, _ change: KeyChange) throws {
    for (row, stored) in stored {
      guard changes.collections[stored.collection]?.keys[row.key]?.contains(change) == true else { continue }
      var isSame = false
      try codecs.encode(stored.value, forKey: row.key.text, in: stored.collection) {
        isSame = $0.elementsEqual(stored.bytes)
      }
      if isSame { continue }
      throw YapDatabaseError(
        .mutatedAfterSet,
        "the \(noun) for key \"\(row.key.text)\" in collection \"\(stored.collection.text)\", of type "
          + "\(type(of: stored.value)), was mutated after it had been stored, or its codec returns other bytes each "
          + "time: mutate a copy, and store the copy; the transaction was rolled back"
      )
    }
  }
}
