internal import BenchScenario
internal import Foundation

/// The stored form of the collections' objects, for drivers that store bytes.
struct StoredObjects: Sendable {
  private let documents: Set<String>

  init(_ dataset: [DatasetCollection]) {
    documents = Set(dataset.filter { $0.codec == .json }.map(\.name))
  }

  /// Whether the objects of a collection are stored as JSON. Otherwise the stored bytes are the payload.
  func areDocuments(in collection: String) -> Bool { documents.contains(collection) }

  /// Returns the bytes to store for a payload: the JSON of a document, or the payload itself.
  func stored(_ payload: [UInt8], of collection: String) throws -> [UInt8] {
    guard documents.contains(collection) else { return payload }
    return [UInt8](try JSONEncoder().encode(DocumentText(Document(payload))))
  }

  /// Returns the payload of stored bytes. Documents are decoded from JSON.
  func payload(_ stored: UnsafeRawBufferPointer, of collection: String) throws -> [UInt8] {
    guard documents.contains(collection) else { return [UInt8](stored) }
    return try JSONDecoder().decode(DocumentText.self, from: Data(stored)).document().payload
  }
}
