internal import BenchModel
internal import Foundation
internal import YapEngine

/// What the objects of each collection are to the engine: bytes, or documents.
struct CollectionCodecs: Sendable {
  private let documents: Set<String>

  init(_ dataset: [DatasetCollection]) {
    documents = Set(dataset.filter { $0.codec == .json }.map(\.name))
  }

  /// The codecs of the collections that do not hold plain bytes.
  var engineCodecs: [String: YapDatabaseCodec] {
    Dictionary(uniqueKeysWithValues: documents.map { ($0, .documents) })
  }

  @inline(__always)
  func hasDocuments(_ collection: String) -> Bool { !documents.isEmpty && documents.contains(collection) }

  /// What the engine is given for a payload.
  @inline(__always)
  func object(_ payload: [UInt8], of collection: String) -> Any {
    hasDocuments(collection) ? Document(payload) : payload
  }

  /// The payload of what the engine has handed out.
  @inline(__always)
  func bytes(_ object: Any, of collection: String) -> [UInt8]? {
    hasDocuments(collection) ? (object as? Document)?.payload : object as? [UInt8]
  }

  /// The payload of what the file holds.
  func payload(ofStored bytes: [UInt8], of collection: String) throws -> [UInt8] {
    guard hasDocuments(collection) else { return bytes }
    return try JSONDecoder().decode(DocumentText.self, from: Data(bytes)).document().payload
  }
}

extension YapDatabaseCodec {
  /// JSON of documents.
  fileprivate static let documents = YapDatabaseCodec { object, _, _, write in
    guard let document = object as? Document else {
      throw DamagedDocument(description: "\(type(of: object)) is no document")
    }
    try JSONEncoder().encode(DocumentText(document)).withUnsafeBytes(write)
  } decode: { bytes, _, _ in
    try JSONDecoder().decode(DocumentText.self, from: Data(bytes)).document()
  }
}
