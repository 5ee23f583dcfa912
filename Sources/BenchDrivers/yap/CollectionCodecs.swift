internal import BenchResults
internal import BenchScenario
internal import Foundation
internal import Synchronization
public import YapEngine

/// An object of a collection with the codec `json`: a class instance that is costly to decode, as in applications.
///
/// Marks show whether two connections share an instance. Code that receives an instance may mark it, which stands for
/// any mutation by an application.
public final class Document: Sendable {
  /// The bytes that the harness reads and writes.
  public let payload: [UInt8]
  private let holder = Atomic<UInt64>(0)

  public init(_ payload: [UInt8]) {
    self.payload = payload
  }

  /// The mark of the instance; 0 if it is unmarked.
  public var markedBy: UInt64 { holder.load(ordering: .acquiring) }

  /// Marks the instance if it is unmarked.
  /// - Parameter mark: Any number except 0.
  /// - Returns: The instance's mark after the call.
  public func mark(by mark: UInt64) -> UInt64 {
    let (exchanged, original) = holder.compareExchange(expected: 0, desired: mark, ordering: .acquiringAndReleasing)
    return exchanged ? mark : original
  }
}

extension Document: DatabaseCopyable {
  /// Returns an unmarked copy.
  public func databaseCopy() -> Document { Document(payload) }
}

extension Document {
  /// Returns the payload of an object as any scenario's collection stores it: a document's JSON gives its payload, and
  /// other bytes are unchanged.
  /// - Throws: `DriverError` if a field of a document does not fit its payload.
  public static func payload(ofStored bytes: [UInt8]) throws -> [UInt8] {
    guard bytes.first == UInt8(ascii: "{"),
      let text = try? JSONDecoder().decode(DocumentText.self, from: Data(bytes))
    else { return bytes }
    let document = try text.document()
    guard DocumentText(document) == text else {
      throw DriverError("a field of the document \"\(text.title)\" does not fit its body")
    }
    return document.payload
  }
}

/// The JSON form of a document: ten fields, one of which contains the payload.
struct DocumentText: Codable, Equatable {
  var identifier: String
  var title: String
  var author: String
  var createdAt: Double
  var changedAt: Double
  var isUnread: Bool
  var isPinned: Bool
  var size: Int
  var labels: [String]
  var body: String

  init(_ document: Document) {
    let payload = document.payload
    // A hash of the first bytes, so that equal payloads have equal texts.
    let number = payload.prefix(16).reduce(0) { ($0 &* 31 &+ Int($1)) & 0xffff_ffff }
    identifier = String(number, radix: 16)
    title = "Document \(number) about what a cache policy costs"
    author = "writer-\(number % 1_000)@example.org"
    createdAt = 1_700_000_000 + Double(number % 1_000_000)
    changedAt = createdAt + 60
    isUnread = number & 1 == 0
    isPinned = number & 2 == 0
    size = payload.count
    labels = ["inbox", "label-\(number % 10)"]
    body = Data(payload).base64EncodedString()
  }

  /// - Throws: `DriverError` if the body is not the base64 form of `size` bytes.
  func document() throws -> Document {
    guard let data = Data(base64Encoded: body), data.count == size else {
      throw DriverError("the body of the document \"\(title)\" is not base64 of \(size) bytes")
    }
    return Document([UInt8](data))
  }
}

/// The types of the collections' objects in the engine: bytes or documents.
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

  /// Returns the payload of an object that the engine returned; nil if it is not of the collection's type.
  @inline(__always)
  func bytes(_ object: Any, of collection: String) -> [UInt8]? {
    hasDocuments(collection) ? (object as? Document)?.payload : object as? [UInt8]
  }

  /// Returns the payload of an object whose encoded form is `bytes`.
  func payload(ofStored bytes: [UInt8], of collection: String) throws -> [UInt8] {
    guard hasDocuments(collection) else { return bytes }
    return try JSONDecoder().decode(DocumentText.self, from: Data(bytes)).document().payload
  }
}

extension YapDatabaseCodec {
  /// A codec for documents as JSON.
  fileprivate static let documents = YapDatabaseCodec { object, _, _, write in
    guard let document = object as? Document else {
      throw DriverError("expected a document, found \(type(of: object))")
    }
    try JSONEncoder().encode(DocumentText(document)).withUnsafeBytes(write)
  } decode: { bytes, _, _ in
    try JSONDecoder().decode(DocumentText.self, from: Data(bytes)).document()
  }
}
