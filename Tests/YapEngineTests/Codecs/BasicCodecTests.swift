import Foundation
import HarnessPrimitives
import TestSupport
import Testing

@testable import YapEngine

/// The values that the codec `basic` stores, and their bytes.
@Suite struct BasicCodecTests {
  private static let uuid = "6F9619FF-8B86-D011-B42D-00CF4FC964FF"

  /// Values and their stored bytes after the header. The bytes are part of the file format.
  private static var layouts: [(value: Any, bytes: [UInt8])] {
    [
      (NSNull(), [0x00]),
      (false, [0x01]),
      (true, [0x02]),
      (0, [0x10, 0x00]),
      (-1, [0x10, 0x01]),
      (64, [0x10, 0x80, 0x01]),
      (Int.min, [0x10] + [UInt8](repeating: 0xff, count: 9) + [0x01]),
      (Int8(-128), [0x11, 0xff, 0x01]),
      (Int16(1), [0x12, 0x02]),
      (Int32(1), [0x13, 0x02]),
      (Int64(1), [0x14, 0x02]),
      (UInt(1), [0x18, 0x01]),
      (UInt8(200), [0x19, 0xc8, 0x01]),
      (UInt16(1), [0x1a, 0x01]),
      (UInt32(1), [0x1b, 0x01]),
      (UInt64.max, [0x1c] + [UInt8](repeating: 0xff, count: 9) + [0x01]),
      (Float(1), [0x20, 0, 0, 0x80, 0x3f]),
      (1.0, [0x21, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f]),
      (Date(timeIntervalSinceReferenceDate: 1), [0x22, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f]),
      ("", [0x30, 0x00]),
      ("\u{e9}", [0x30, 0x02, 0xc3, 0xa9]),
      (Data([7]), [0x31, 0x01, 0x07]),
      ([7] as [UInt8], [0x32, 0x01, 0x07]),
      (URL(string: "a:b") as Any, [0x33, 0x03] + bytes("a:b")),
      (UUID(uuidString: uuid) as Any, [0x34, 0x6f, 0x96, 0x19, 0xff, 0x8b, 0x86, 0xd0, 0x11] + uuidTail),
      ([] as [Any], [0x40, 0x00]),
      ([true, "a"] as [Any], [0x40, 0x02, 0x02, 0x30, 0x01, 0x61]),
      (["b": true, "a": false] as [String: Any], [0x41, 0x02, 0x01, 0x61, 0x01, 0x01, 0x62, 0x02]),
    ]
  }

  private static let uuidTail: [UInt8] = [0xb4, 0x2d, 0x00, 0xcf, 0x4f, 0xc9, 0x64, 0xff]

  @Test func `every type is encoded to the documented bytes and decoded from them`() throws {
    for (value, expected) in Self.layouts {
      let value = try normalized(value)
      let found = try encoded(value)
      #expect(found == [0xf9, 0x01] + expected, "\(value)")
      #expect(areIdentical(try decoded(found), value), "\(value)")
    }
  }

  @Test func `random values are decoded with their types and bits, and equal dictionaries have equal bytes`() throws {
    let seed = Seed.announce(for: "BasicCodecTests")
    var generator = BasicValueGenerator(random: RandomStream(seed: seed))
    for _ in 0..<TestScale.count(3_000) {
      let value = generator.value()
      #expect(areIdentical(try normalized(value), value), "with seed \(seed)")
      let stored = try encoded(value)
      let again = try decoded(stored)
      #expect(areIdentical(again, value), "with seed \(seed)")
      // Decoded dictionaries have other hash tables, and so another order.
      #expect(try encoded(again) == stored, "with seed \(seed)")
    }
  }

  @Test func `the default options store basic values and return their types`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 12.5)
    let values: [String: Any] = [
      "text": "tea", "flag": true, "int": 3, "byte": UInt8(3), "double": 1.5, "float": Float(1.5), "date": date,
      "data": Data([1]), "bytes": [1, 2] as [UInt8], "ints": [1, 2, 3], "nested": ["a": [1.5, "x", ["b": false]]],
    ]
    try withDatabase { database in
      let writer = try database.newConnection()
      try writer.readWrite { transaction in
        for (key, value) in values { try transaction.setObject(value, forKey: key, withMetadata: value) }
      }
      for connection in [writer, try database.newConnection()] {
        try connection.read { transaction in
          try #expect(transaction.object(String.self, forKey: "text") == "tea")
          try #expect(transaction.object(Bool.self, forKey: "flag") == true)
          try #expect(transaction.object(Int.self, forKey: "int") == 3)
          try #expect(transaction.object(Date.self, forKey: "date") == date)
          try #expect(transaction.object([Int].self, forKey: "ints") == [1, 2, 3])
          try #expect(transaction.metadata([UInt8].self, forKey: "bytes") == [1, 2])
          #expect(code { _ = try transaction.object(Int.self, forKey: "byte") } == .typeMismatch)
          #expect(code { _ = try transaction.object(Bool.self, forKey: "int") } == .typeMismatch)
          for (key, value) in values {
            let row = try #require(try transaction.row(forKey: key))
            let expected = try normalized(value)
            #expect(areIdentical(row.object, expected), "\(key)")
            #expect(areIdentical(try #require(row.metadata), expected), "\(key)")
          }
        }
      }
    }
  }

  @Test func `a type that is not basic is rejected with its name, its position and the remedy`() throws {
    struct Own {}
    let deep = (0..<65).reduce("core" as Any) { inner, _ in [inner] as [Any] }
    let refused: [(value: Any, words: [String])] = [
      (Set([1]), ["Set<Int>", "store an array of its elements, or give"]),
      (Own(), ["Own"]),
      (Decimal(1), ["Decimal", "store its `description`"]),
      (1..<3, ["Range<Int>", "store an array"]),
      (ComparisonResult.orderedSame, ["ComparisonResult", "store its `rawValue`"]),
      (NSDecimalNumber(string: "1.1"), ["NSDecimalNumber", "store its `description`"]),
      ([Substring("a"): 1], ["Dictionary<Substring, Int>"]),
      ([Set(["a"])][...], ["Set<String>", "[0]"]),
      (NSObject(), ["NSObject"]),
      ([1, [Own()]] as [Any], ["Own", "[1][0]"]),
      (["a": ["b": Own()]] as [String: Any], ["Own", "[\"a\"][\"b\"]"]),
      ([1, nil] as [Int?], ["nil", "Optional<Int>", "[1]"]),
      ([1: "a"], ["Dictionary<Int, String>"]),
      (NSDictionary(dictionary: [1: "a"]), ["key of type NS"]),
      (deep, ["nested more than 64 deep"]),
    ]
    try withDatabase { database in
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        try transaction.setObject("old", forKey: "k", withMetadata: "m")
        for (value, words) in refused {
          for error in [
            failure { try transaction.setObject(value, forKey: "k") },
            failure { try transaction.setObject("new", forKey: "k", withMetadata: value) },
            failure { try transaction.replaceObject(value, forKey: "k") },
            failure { try transaction.replaceMetadata(value, forKey: "k") },
          ] {
            #expect(error?.code == .codec)
            for word in words + [".codable(", "\"k\"", "could not be encoded"] {
              #expect(error?.message.contains(word) == true, "\(word) in \(error?.message ?? "none")")
            }
          }
        }
      }
      try connection.read { transaction in
        try #expect(transaction.object(String.self, forKey: "k") == "old")
        try #expect(transaction.metadata(String.self, forKey: "k") == "m")
      }
    }
  }

  @Test func `containers may be nested 64 levels deep`() throws {
    func nested(_ depth: Int) -> Any { (0..<depth).reduce("core" as Any) { inner, _ in [inner] as [Any] } }
    let deep = nested(64)
    #expect(areIdentical(try decoded(encoded(normalized(deep))), deep))
    #expect(throws: UnsupportedBasicValue.self) { try normalized(nested(65)) }
  }

  @Test func `rows of the codec bytes are rejected with the remedy`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      var raw = YapDatabaseOptions.quick
      raw.defaultObjectCodec = .bytes
      raw.defaultMetadataCodec = .bytes
      let stored: [[UInt8]] = [
        [], bytes("text"), bytes("{\"a\":1}"), [0xf9], [0xf9, 0x01], [0xf9, 0x01, 0x77], [0x02],
      ]
      let old = try YapDatabase(path: path, options: raw)
      try old.newConnection().readWrite { transaction in
        for (index, content) in stored.enumerated() {
          try transaction.setObject(content, forKey: "\(index)", withMetadata: content)
        }
      }
      try old.close()
      let database = try YapDatabase(path: path, options: .quick)
      try database.newConnection().read { transaction in
        for index in stored.indices {
          for error in [
            failure { _ = try transaction.object(forKey: "\(index)") },
            failure { _ = try transaction.metadata(forKey: "\(index)") },
          ] {
            #expect(error?.code == .codec)
            #expect(error?.message.contains("could not be decoded") == true)
          }
        }
        let message = failure { _ = try transaction.object(forKey: "1") }?.message ?? ""
        for word in ["basic", "f9 01", "74 65 78 74", ".bytes"] { #expect(message.contains(word), "\(message)") }
      }
      try database.close()
    }
  }
}
