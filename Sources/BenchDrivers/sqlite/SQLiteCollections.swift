internal import BenchModel
internal import Foundation

/// The tables of the collections and the stored form of their objects.
struct SQLiteCollections: Sendable {
  private let codecs: [String: CodecSetting]
  /// The names in the order of the dataset.
  let names: [String]

  init(_ dataset: [DatasetCollection]) {
    names = dataset.map(\.name)
    codecs = Dictionary(uniqueKeysWithValues: dataset.map { ($0.name, $0.codec) })
  }

  /// Returns the quoted name of a collection's table. Names of collections consist of letters, digits, `-` and `_`.
  static func table(_ collection: String) -> String { "\"collection_\(collection)\"" }

  var schema: String {
    names.map { name in
      "CREATE TABLE IF NOT EXISTS \(Self.table(name))"
        + "(key TEXT NOT NULL PRIMARY KEY, object BLOB NOT NULL, metadata BLOB);"
    }.joined(separator: "\n")
  }

  /// Returns the bytes to store for a payload.
  func stored(_ payload: [UInt8], of collection: String) throws -> [UInt8] {
    guard codecs[collection] == .json else { return payload }
    return [UInt8](try JSONEncoder().encode(DocumentText(Document(payload))))
  }

  /// Returns the payload of stored bytes. Documents are decoded from JSON.
  func payload(_ stored: UnsafeRawBufferPointer, of collection: String) throws -> [UInt8] {
    guard codecs[collection] == .json else { return [UInt8](stored) }
    return try JSONDecoder().decode(DocumentText.self, from: Data(stored)).document().payload
  }
}
