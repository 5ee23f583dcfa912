import Foundation
import Testing

@testable import YapEngine

@Suite struct CodecTests {
  private struct Note: Codable, Equatable {
    var title: String
    var stars: Int
  }

  private struct Refusal: Error {}

  @Test func `a collection's own codec stores and returns its type`() throws {
    var options = YapDatabaseOptions.quick
    options.objectCodecs = ["notes": .codable(Note.self), "raw": .data]
    options.metadataCodecs = ["notes": .codable([String: Int].self)]
    try withDatabase(options) { database in
      let writer = try database.newConnection()
      let note = Note(title: "tea", stars: 5)
      try writer.readWrite { transaction in
        try transaction.setObject(note, forKey: "n", inCollection: "notes", withMetadata: ["a": 1])
        try transaction.setObject(bytes("x"), forKey: "n", inCollection: "raw")
        try transaction.setObject(Data("y".utf8), forKey: "n", inCollection: "other")
      }
      try database.newConnection().read { transaction in
        try #expect(transaction.object(forKey: "n", inCollection: "notes") as? Note == note)
        try #expect(transaction.metadata(forKey: "n", inCollection: "notes") as? [String: Int] == ["a": 1])
        try #expect(transaction.object(forKey: "n", inCollection: "raw") as? Data == Data("x".utf8))
        try #expect(transaction.object(forKey: "n", inCollection: "other") as? Data == Data("y".utf8))
      }
    }
  }

  @Test func `a value that cannot be encoded is rejected, and the transaction continues`() throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectCodec = .bytes
    options.defaultMetadataCodec = .bytes
    try withDatabase(options) { database in
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        try transaction.setObject(bytes("1"), forKey: "a")
        #expect(code { try transaction.setObject("text", forKey: "b") } == .codec)
        #expect(code { try transaction.setObject(bytes("2"), forKey: "b", withMetadata: 7) } == .codec)
        #expect(code { try transaction.replaceObject(3.5, forKey: "a") } == .codec)
        #expect(code { try transaction.replaceMetadata(3.5, forKey: "a") } == .codec)
        try #expect(transaction.allKeys() == ["a"])
      }
      #expect(database.snapshot == 1)
      for reader in [connection, try database.newConnection()] {
        try reader.read { transaction in
          try #expect(transaction.object(forKey: "a") as? [UInt8] == bytes("1"))
          try #expect(transaction.object(forKey: "b") == nil)
          try #expect(transaction.metadata(forKey: "a") == nil)
        }
      }
    }
  }

  @Test func `a row that cannot be decoded is an error, not an absent row`() throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectCodec = YapDatabaseCodec(
      encode: { _, _, _, write in try bytes("x").withUnsafeBytes(write) },
      decode: { _, _, _ in throw Refusal() }
    )
    try withDatabase(options) { database in
      try database.newConnection().readWrite { try $0.setObject(1, forKey: "a") }
      try database.newConnection().read { transaction in
        #expect(code { _ = try transaction.object(forKey: "a") } == .codec)
        #expect(code { _ = try transaction.row(forKey: "a") } == .codec)
        #expect(code { try transaction.enumerateRows { _, _, _, _ in } } == .codec)
        try #expect(transaction.hasObject(forKey: "a"))
        try #expect(transaction.allKeys() == ["a"])
      }
    }
  }

  /// Codecs that break the promise to write their bytes exactly once.
  enum Misbehaviour: String, CaseIterable {
    case givesNothing, givesTwice, givesTwiceAndHidesIt, failsAfterGiving
  }

  @Test(arguments: Misbehaviour.allCases)
  func `a codec that breaks its promise stores nothing`(_ misbehaviour: Misbehaviour) throws {
    var options = YapDatabaseOptions.quick
    options.objectCodecs["bad"] = YapDatabaseCodec(
      encode: { _, _, _, write in
        switch misbehaviour {
        case .givesNothing: break
        case .givesTwice: for _ in 0..<2 { try bytes("x").withUnsafeBytes(write) }
        case .givesTwiceAndHidesIt: for _ in 0..<2 { try? bytes("x").withUnsafeBytes(write) }
        case .failsAfterGiving:
          try bytes("x").withUnsafeBytes(write)
          throw Refusal()
        }
      },
      decode: { bytes, _, _ in [UInt8](bytes) }
    )
    try withDatabase(options) { database in
      let connection = try database.newConnection()
      try? connection.readWrite { transaction in
        try transaction.setObject(bytes("good"), forKey: "a")
        #expect(code { try transaction.setObject(1, forKey: "b", inCollection: "bad") } == .codec)
      }
      for reader in [connection, try database.newConnection()] {
        try reader.read { transaction in
          try #expect(!transaction.hasObject(forKey: "b", inCollection: "bad"))
          try #expect(transaction.object(forKey: "b", inCollection: "bad") == nil)
          // If bytes had reached the database, the whole transaction is rolled back.
          try #expect(transaction.hasObject(forKey: "a") == (misbehaviour == .givesNothing))
        }
      }
      #expect(database.snapshot == (misbehaviour == .givesNothing ? 1 : 0))
    }
  }

  @Test func `a copy that a decoder makes stays unchanged when the statement steps`() throws {
    try withDatabase { database in
      let expected = (0..<40).map { [UInt8](repeating: UInt8($0), count: 3_000) }
      try database.newConnection().readWrite { transaction in
        for (index, object) in expected.enumerated() {
          try transaction.setObject(object, forKey: "\(index)", withMetadata: object)
        }
      }
      var found: [String: [UInt8]] = [:]
      var metadata: [String: [UInt8]] = [:]
      let reader = try database.newConnection()
      reader.objectCacheEnabled = false
      try reader.read { transaction in
        try transaction.enumerateRows { key, object, value, _ in
          found[key] = object as? [UInt8]
          metadata[key] = value as? [UInt8]
        }
      }
      for (index, object) in expected.enumerated() {
        #expect(found["\(index)"] == object)
        #expect(metadata["\(index)"] == object)
      }
    }
  }

  @Test func `a decoder may read from the connection's transaction`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        for key in ["a", "b", "c"] { try transaction.setObject(bytes(key), forKey: key) }
      }
      try database.newConnection().read { transaction in
        var seen: [String] = []
        try transaction.enumerateKeysAndObjects(
          filter: { try transaction.hasObject(forKey: $0) },
          using: { key, object, _ in
            try #expect(transaction.object(forKey: key) as? [UInt8] == object as? [UInt8])
            seen.append(key)
          }
        )
        #expect(seen.sorted() == ["a", "b", "c"])
      }
    }
  }
}
