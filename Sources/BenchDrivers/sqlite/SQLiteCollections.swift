internal import BenchModel
internal import Foundation

/// The tables of the collections, and what their objects are stored as.
struct SQLiteCollections: Sendable {
  private let codecs: [String: CodecSetting]
  /// In the dataset's order.
  let names: [String]

  init(_ dataset: [DatasetCollection]) {
    names = dataset.map(\.name)
    codecs = Dictionary(uniqueKeysWithValues: dataset.map { ($0.name, $0.codec) })
  }

  /// Names of collections are letters, digits, `-` and `_`.
  static func table(_ collection: String) -> String { "\"collection_\(collection)\"" }

  var schema: String {
    names.map { name in
      "CREATE TABLE IF NOT EXISTS \(Self.table(name))"
        + "(key TEXT NOT NULL PRIMARY KEY, object BLOB NOT NULL, metadata BLOB);"
    }.joined(separator: "\n")
  }

  /// The bytes that are stored for a payload.
  func stored(_ payload: [UInt8], of collection: String) throws -> [UInt8] {
    guard codecs[collection] == .json else { return payload }
    return [UInt8](try JSONEncoder().encode(DocumentText(Document(payload))))
  }

  /// The payload of what is stored, which is a real decode where it is a document.
  func payload(_ stored: UnsafeRawBufferPointer, of collection: String) throws -> [UInt8] {
    guard codecs[collection] == .json else { return [UInt8](stored) }
    return try JSONDecoder().decode(DocumentText.self, from: Data(stored)).document().payload
  }
}
