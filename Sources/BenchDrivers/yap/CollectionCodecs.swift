internal import BenchModel
internal import Foundation
internal import YapEngine

/// The type of each collection's objects in the engine: bytes or documents.
struct CollectionCodecs: Sendable {
  private let documents: Set<String>

  init(_ dataset: [DatasetCollection]) {
    documents = Set(dataset.filter { $0.codec == .json }.map(\.name))
  }

  /// The codecs of collections that do not store plain bytes.
  var engineCodecs: [String: YapDatabaseCodec] {
    Dictionary(uniqueKeysWithValues: documents.map { ($0, .documents) })
  }

  @inline(__always)
  func hasDocuments(_ collection: String) -> Bool { !documents.isEmpty && documents.contains(collection) }

  /// Returns the object to store for a payload.
  @inline(__always)
  func object(_ payload: [UInt8], of collection: String) -> Any {
    hasDocuments(collection) ? Document(payload) : payload
  }

  /// Returns the payload of an object that the engine returned.
  @inline(__always)
  func bytes(_ object: Any, of collection: String) -> [UInt8]? {
    hasDocuments(collection) ? (object as? Document)?.payload : object as? [UInt8]
  }

  /// Returns the payload of bytes stored in the file.
  func payload(ofStored bytes: [UInt8], of collection: String) throws -> [UInt8] {
    guard hasDocuments(collection) else { return bytes }
    return try JSONDecoder().decode(DocumentText.self, from: Data(bytes)).document().payload
  }
}

extension YapDatabaseCodec {
  /// A codec for documents as JSON.
  fileprivate static let documents = YapDatabaseCodec { object, _, _, write in
    guard let document = object as? Document else {
      throw DamagedDocument(description: "expected a document, found \(type(of: object))")
    }
    try JSONEncoder().encode(DocumentText(document)).withUnsafeBytes(write)
  } decode: { bytes, _, _ in
    try JSONDecoder().decode(DocumentText.self, from: Data(bytes)).document()
  }
}
