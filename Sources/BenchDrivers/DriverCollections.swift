internal import BenchScenario
internal import Foundation

/// A collection as a driver that stores bytes uses it. `Handle` is the engine's reference to the collection's rows.
struct DriverCollection<Handle> {
  let name: String
  let handle: Handle
  /// Whether objects are stored as JSON. Otherwise the stored bytes are the payload.
  fileprivate let hasDocuments: Bool

  /// Returns the bytes to store for a payload.
  func stored(_ payload: [UInt8]) throws -> [UInt8] {
    guard hasDocuments else { return payload }
    return [UInt8](try JSONEncoder().encode(DocumentText(Document(payload))))
  }

  /// Returns the payload of stored bytes.
  func payload(_ stored: UnsafeRawBufferPointer) throws -> [UInt8] {
    guard hasDocuments else { return [UInt8](stored) }
    return try JSONDecoder().decode(DocumentText.self, from: Data(stored)).document().payload
  }
}

/// The collections of a database, by name.
struct DriverCollections<Handle> {
  let all: [DriverCollection<Handle>]

  /// - Parameter handle: Returns the handle of the collection with a name.
  init(_ dataset: [DatasetCollection], handle: (String) throws -> Handle) rethrows {
    all = try dataset.map {
      DriverCollection(name: $0.name, handle: try handle($0.name), hasDocuments: $0.codec == .json)
    }
  }

  /// - Throws: `DriverError` if there is no collection with the name.
  @inline(__always)
  func named(_ name: String) throws -> DriverCollection<Handle> {
    // A dataset has few collections, so comparing names is faster than hashing one.
    for collection in all where collection.name == name { return collection }
    throw DriverError("the dataset has no collection \"\(name)\"")
  }
}

extension DriverCollections: Sendable where Handle: Sendable {}
extension DriverCollection: Sendable where Handle: Sendable {}

/// An error of a driver itself.
struct DriverError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }

  static func unexpectedKey(_ key: String) -> DriverError {
    DriverError("a scan found the key \"\(key)\"; expected only requested keys, sorted")
  }

  static let writeInRead = DriverError("a read cannot change rows; use a read-write transaction")
}
