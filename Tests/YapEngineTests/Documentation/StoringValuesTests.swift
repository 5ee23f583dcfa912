import Foundation
import TestSupport
import Testing
import YapEngine

extension CodingUserInfoKey {
  fileprivate static let currency = CodingUserInfoKey(rawValue: "currency").unsafelyUnwrapped
}

@Suite("Storing values")
struct StoringValuesTests {
  struct Person: Codable, Sendable, Equatable {
    var name: String
  }

  /// A price in the currency of the collection.
  struct Price: Codable, Sendable {
    var cents: Int
    var currency: String

    init(cents: Int) { (self.cents, currency) = (cents, "") }

    init(from decoder: any Decoder) throws {
      cents = try decoder.singleValueContainer().decode(Int.self)
      currency = decoder.userInfo[.currency] as? String ?? ""
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(cents)
    }
  }

  struct NotACount: Error {}
  struct NotAText: Error {}

  final class Style {
    var size = 12
  }

  struct Draft: DatabaseCopyable {
    var style = Style()

    func databaseCopy() -> Draft {
      let copy = Draft()
      copy.style.size = style.size
      return copy
    }
  }

  @Test("stores basic values without options")
  func basicValues() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/app.sqlite"

      let database = try YapDatabase(path: path)
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        try transaction.setObject("Ada", forKey: "name", inCollection: "settings")
        try transaction.setObject(["sizes": [9, 12], "bold": true], forKey: "font", inCollection: "settings")
      }
      let name = try connection.read { try $0.object(String.self, forKey: "name", inCollection: "settings") }
      let font = try connection.read { try $0.object(forKey: "font", inCollection: "settings") as? [String: Any] }
      let sizes = font?["sizes"] as? [Int]  // [9, 12]

      #expect(name == "Ada")
      #expect(sizes == [9, 12])
      #expect(font?["bold"] as? Bool == true)
      try database.close()
    }
  }

  @Test("stores types of a program with codecs")
  func codecs() throws {
    var options = YapDatabaseOptions()
    options.objectCodecs["people"] = .codable(Person.self)
    options.objectCodecs["thumbnails"] = .data
    options.metadataCodecs["thumbnails"] = .codable(Date.self)
    options.objectCodecs["counters"] = YapDatabaseCodec { object, _, _, write in
      guard let count = object as? UInt32 else { throw NotACount() }
      try withUnsafeBytes(of: count.littleEndian, write)
    } decode: { bytes, _, _ in
      guard bytes.count == 4 else { throw NotACount() }
      return UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
    }
    options.objectCodecs["prices"] = .codable(Price.self, userInfo: [.currency: "EUR"])
    options.objectCodecs["notes"] = YapDatabaseCodec { object, _, _, write in
      guard let text = object as? String else { throw NotAText() }
      try Data(text.utf8).withUnsafeBytes(write)
    } decode: { bytes, _, _ in
      String(decoding: bytes, as: UTF8.self)
    } normalize: { object, _, _ in
      guard let text = object as? String ?? (object as? Substring).map(String.init) else { throw NotAText() }
      return text
    }
    try withTemporaryFolder { folder in
      let database = try YapDatabase(path: folder + "/app.sqlite", options: options)
      let writer = try database.newConnection()
      let date = Date(timeIntervalSinceReferenceDate: 1)
      try writer.readWrite { transaction in
        try transaction.setObject(Person(name: "Ada"), forKey: "k", inCollection: "people")
        try transaction.setObject([1] as [UInt8], forKey: "k", inCollection: "thumbnails", withMetadata: date)
        try transaction.setObject(UInt32(7), forKey: "k", inCollection: "counters")
        try transaction.setObject(Price(cents: 250), forKey: "k", inCollection: "prices")
        try transaction.setObject("some text".prefix(4), forKey: "k", inCollection: "notes")
      }
      let price = try database.newConnection().read { try $0.object(Price.self, forKey: "k", inCollection: "prices") }
      #expect(price?.cents == 250 && price?.currency == "EUR")
      for connection in [writer, try database.newConnection()] {
        try connection.read { transaction in
          try #expect(transaction.object(Person.self, forKey: "k", inCollection: "people")?.name == "Ada")
          try #expect(transaction.object(Data.self, forKey: "k", inCollection: "thumbnails") == Data([1]))
          try #expect(transaction.metadata(Date.self, forKey: "k", inCollection: "thumbnails") == date)
          try #expect(transaction.object(UInt32.self, forKey: "k", inCollection: "counters") == 7)
          try #expect(transaction.object(String.self, forKey: "k", inCollection: "notes") == "some")
        }

        var total = 0
        try connection.read { transaction in
          try transaction.enumerateKeysAndSerializedObjects(inCollection: "counters") { _, object, _ in
            total += Int(UInt32(littleEndian: object.unsafeLoadUnaligned(as: UInt32.self)))
          }
        }
        #expect(total == 7)
      }
      try database.close()
    }
  }

  @Test("copies a struct that implements copying")
  func copies() {
    let draft = Draft()
    draft.style.size = 20
    let copy = draft.databaseCopy()
    #expect(copy.style !== draft.style && copy.style.size == 20)
  }
}
