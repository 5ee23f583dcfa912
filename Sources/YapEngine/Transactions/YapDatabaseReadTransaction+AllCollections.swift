/// Enumerations of all rows, collection by collection. The order of the collections, and of the keys within them, is
/// not specified.
///
/// As in an enumeration of one collection, a block that changes the database must end the enumeration.
extension YapDatabaseReadTransaction {
  public final func enumerateCollections(using block: (_ collection: String, _ stop: inout Bool) throws -> Void) throws
  {
    var stop = false
    for collection in try allCollections() where !stop { try block(collection, &stop) }
  }

  public final func enumerateKeysInAllCollections(
    using block: (_ collection: String, _ key: String, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerateCollections { collection, stop in
      try enumerateKeys(inCollection: collection) { key, isEnd in
        try block(collection, key, &isEnd)
        stop = isEnd
      }
    }
  }

  /// The `filter` receives collection and key first; an object that it rejects is neither read nor decoded.
  public final func enumerateKeysAndObjectsInAllCollections(
    filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true },
    using block: (_ collection: String, _ key: String, _ object: Any, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerateCollections { collection, stop in
      try enumerateKeysAndObjects(inCollection: collection, filter: { try filter(collection, $0) }) {
        key,
        object,
        isEnd in
        try block(collection, key, object, &isEnd)
        stop = isEnd
      }
    }
  }

  public final func enumerateKeysAndMetadataInAllCollections(
    filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true },
    using block: (_ collection: String, _ key: String, _ metadata: Any?, _ stop: inout Bool) throws -> Void
  ) throws {
    try enumerateCollections { collection, stop in
      try enumerateKeysAndMetadata(inCollection: collection, filter: { try filter(collection, $0) }) {
        key,
        metadata,
        isEnd in
        try block(collection, key, metadata, &isEnd)
        stop = isEnd
      }
    }
  }

  public final func enumerateRowsInAllCollections(
    filter: (_ collection: String, _ key: String) throws -> Bool = { _, _ in true },
    using block: (_ collection: String, _ key: String, _ object: Any, _ metadata: Any?, _ stop: inout Bool) throws ->
      Void
  ) throws {
    try enumerateCollections { collection, stop in
      try enumerateRows(inCollection: collection, filter: { try filter(collection, $0) }) {
        key,
        object,
        metadata,
        isEnd in
        try block(collection, key, object, metadata, &isEnd)
        stop = isEnd
      }
    }
  }
}
