/// A transaction of a driver that has no caches of objects, no views, and no reports of changed rows. It returns
/// objects only as bytes.
protocol PlainTransaction: DriverTransaction {}

extension PlainTransaction {
  func storedObject(_ key: String, in collection: String) throws -> [UInt8]? { try object(key, in: collection) }
  func storedMetadata(_ key: String, in collection: String) throws -> [UInt8]? { try metadata(key, in: collection) }
  func document(_ key: String, in collection: String) -> Document? { nil }

  func objects(_ keys: [String], in collection: String, _ visit: (Int, [UInt8]?) -> Void) throws {
    for (index, key) in keys.enumerated() { visit(index, try object(key, in: collection)) }
  }

  func viewRange(_ view: String, group: String, from index: Int, count: Int, _ body: (String, [UInt8]) -> Void) {
    preconditionFailure("the loader refuses views of a driver that has none")
  }

  func touch(_ key: String, in collection: String) {
    preconditionFailure("the loader refuses touches of a driver that reports no changes")
  }
}

extension String {
  /// Runs `body` with the text's bytes in UTF-8.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    // Native strings have contiguous bytes and need no copy.
    if let result = try utf8.withContiguousStorageIfAvailable(body) { return result }
    var text = self
    return try text.withUTF8(body)
  }
}
