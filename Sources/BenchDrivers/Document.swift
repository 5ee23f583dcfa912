internal import Foundation
internal import Synchronization
public import YapEngine

/// What an object of a collection with the codec `json` is: an instance of a class that costs something to decode, as
/// applications have them.
///
/// It can be told whether the instance that one connection was handed shows on another: whoever is handed one may mark
/// it, which is a change like any other that an application makes.
public final class Document: Sendable {
  /// What the harness reads and writes.
  public let payload: [UInt8]
  private let holder = Atomic<UInt64>(0)

  public init(_ payload: [UInt8]) {
    self.payload = payload
  }

  /// Who has marked the instance; 0 for nobody.
  public var markedBy: UInt64 { holder.load(ordering: .acquiring) }

  /// Marks the instance, unless somebody has.
  /// - Parameter mark: not 0.
  /// - Returns: who has marked it.
  public func mark(by mark: UInt64) -> UInt64 {
    let (exchanged, original) = holder.compareExchange(expected: 0, desired: mark, ordering: .acquiringAndReleasing)
    return exchanged ? mark : original
  }
}

extension Document: DatabaseCopyable {
  /// A copy that nobody has marked.
  public func databaseCopy() -> Document { Document(payload) }
}

/// A document as JSON: ten fields, of which one carries the payload.
struct DocumentText: Codable {
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
    // Different in each document, and the same for the same payload.
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

  /// - Throws: where the text is JSON, and no document of ours.
  func document() throws -> Document {
    guard let data = Data(base64Encoded: body), data.count == size else {
      throw DamagedDocument(description: "the document \"\(title)\" has lost its body")
    }
    return Document([UInt8](data))
  }
}

struct DamagedDocument: Error, CustomStringConvertible {
  let description: String
}
