import Foundation
import HarnessPrimitives
import SQLiteBinding
import TestSupport
import Testing

@testable import YapEngine

@Suite struct CodableCodecTests {
  /// Encodes and decodes a value with the codec of its type.
  private func roundTrip<Value: Codable & Sendable>(
    _ value: Value,
    as format: YapDatabaseCodableFormat = .binary
  ) throws -> Value {
    let codec = YapDatabaseCodec.codable(Value.self, as: format)
    return try #require(try decoded(encoded(value, by: codec), by: codec) as? Value)
  }

  @Test func `random values are decoded as by JSON, and equal values have equal bytes`() throws {
    let seed = Seed.announce(for: "CodableCodecTests")
    var generator = EverythingGenerator(random: RandomStream(seed: seed, "codable"))
    let codec = YapDatabaseCodec.codable(Everything.self)
    for _ in 0..<TestScale.count(2_000) {
      var value = generator.value()
      let bytes = try encoded(value, by: codec)
      #expect(try decoded(bytes, by: codec) as? Everything == value)
      #expect(try roundTrip(value, as: .json) == value)
      // The order of a set, and of a dictionary whose keys are no strings, is encoded.
      (value.set, value.keyed) = ([], [:])
      let expected = try encoded(value, by: codec)
      value.named = Dictionary(uniqueKeysWithValues: value.named.shuffled())
      value.named.reserveCapacity(100)
      #expect(try encoded(value, by: codec) == expected)
    }
  }

  @Test func `changed and truncated bytes are decoded or rejected`() throws {
    let seed = Seed.announce(for: "CodableCodecTests")
    var generator = EverythingGenerator(random: RandomStream(seed: seed, "values"))
    var random = RandomStream(seed: seed, "changes")
    let codec = YapDatabaseCodec.codable(Everything.self)
    for _ in 0..<TestScale.count(500) {
      let bytes = try encoded(generator.value(), by: codec)
      #expect(throws: (any Error).self) { try decoded(bytes.dropLast(), by: codec) }
      #expect(throws: UndecodableBasicValue.self) { try decoded(bytes + [0], by: codec) }
      #expect(throws: (any Error).self) { try decoded(Array(bytes.prefix(random.below(bytes.count))), by: codec) }
      for _ in 0..<20 {
        var changed = bytes
        changed[2 + random.below(bytes.count - 2)] = UInt8(random.below(256))
        _ = try? decoded(changed, by: codec)
      }
    }
  }

  @Test func `values that JSON cannot store are exact`() throws {
    for value in [0.1, -0.0, .infinity, .leastNonzeroMagnitude, 1e300] { #expect(try roundTrip(value) == value) }
    #expect(try roundTrip(Double.nan).isNaN)
    #expect(try roundTrip([Float.infinity, 0.1]) == [.infinity, 0.1])
    let date = Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)
    #expect(try roundTrip([date]) == [date])
  }

  @Test func `requested containers, superclasses and values without properties are decoded`() throws {
    #expect(try roundTrip(Interleaved()) == Interleaved())
    #expect(try roundTrip(Everything.Nothing()) == Everything.Nothing())
    #expect(try roundTrip(String?.none) == nil)
    #expect(try roundTrip([[]] as [[Int]]) == [[]])
    #expect(try roundTrip(["b": 1, "": 2, "a": 3]) == ["b": 1, "": 2, "a": 3])
    let truck = Truck()
    (truck.wheels, truck.load) = (6, 9)
    let bytes = try CodableValueEncoder.bytes(of: truck)
    let found = try bytes.withUnsafeBytes { try CodableValueDecoder.value(Truck.self, of: $0) }
    #expect(found.wheels == 6 && found.load == 9)
  }

  @Test func `the codec basic reads an object as a dictionary`() throws {
    struct Note: Codable {
      var title: String, stars: UInt8, date: Date, data: Data, none: Int?
    }
    let note = Note(title: "tea", stars: 5, date: Date(timeIntervalSinceReferenceDate: 7), data: Data([1]), none: nil)
    let dictionary: [String: Any] = ["title": "tea", "stars": 5 as UInt8, "date": note.date, "data": note.data]
    #expect(try CodableValueEncoder.bytes(of: note) == encoded(dictionary))
  }

  @Test func `a property may change to another type of number`() throws {
    func read<Value: Decodable, Other: Encodable>(_ other: Other, as type: Value.Type) throws -> Value {
      try CodableValueEncoder.bytes(of: ["k": other]).withUnsafeBytes { bytes in
        try CodableValueDecoder.value([String: Value].self, of: bytes)["k"].unsafelyUnwrapped
      }
    }
    try #expect(read(7, as: UInt8.self) == 7)
    try #expect(read(UInt64.max, as: UInt.self) == .max)
    try #expect(read(-7 as Int8, as: Double.self) == -7)
    try #expect(read(7.0, as: Int.self) == 7)
    try #expect(read(0.5, as: Float.self) == 0.5)
    try #expect(read(Date(timeIntervalSinceReferenceDate: 7), as: Double.self) == 7)
    try #expect(read(7, as: Date.self) == Date(timeIntervalSinceReferenceDate: 7))
    #expect(throws: DecodingError.self) { try read(256, as: UInt8.self) }
    #expect(throws: DecodingError.self) { try read(-1, as: UInt8.self) }
    #expect(throws: DecodingError.self) { try read(0.5, as: UInt8.self) }
  }

  @Test func `an error names the type, the tag and the path`() throws {
    struct Inner: Codable { var sizes: [Int] }
    struct Outer: Codable { var inner: Inner }
    let bytes = try CodableValueEncoder.bytes(of: ["inner": ["sizes": ["7"]]])
    let found = #expect(throws: DecodingError.self) {
      try bytes.withUnsafeBytes { try CodableValueDecoder.value(Outer.self, of: $0) }
    }
    guard case .typeMismatch(let type, let context) = found else {
      Issue.record("\(String(describing: found))")
      return
    }
    #expect("\(type)" == "Int")
    #expect(context.codingPath.map(\.stringValue) == ["inner", "sizes", "0"])
    #expect(context.debugDescription == "found a value with the tag text")
    let empty = try CodableValueEncoder.bytes(of: ["inner": Everything.Nothing()])
    #expect(throws: DecodingError.self) {
      try empty.withUnsafeBytes { try CodableValueDecoder.value(Outer.self, of: $0) }
    }
  }

  @Test func `values that are nested too deep are rejected`() throws {
    final class Chain: Codable {
      var next: Chain?

      init(length: Int) {
        var chain: Chain?
        for _ in 1..<length { chain = Chain(chain) }
        next = chain
      }

      private init(_ next: Chain?) { self.next = next }
    }
    let whole = try CodableValueEncoder.bytes(of: Chain(length: 250))
    var count = 0
    var link: Chain? = try whole.withUnsafeBytes { try CodableValueDecoder.value(Chain.self, of: $0) }
    while let next = link { (count, link) = (count + 1, next.next) }
    #expect(count == 250)
    #expect(throws: NestedTooDeep.self) { try CodableValueEncoder.bytes(of: Chain(length: 600)) }
    let arrays = [UInt8](repeating: 0, count: 100_000).flatMap { _ in [0x40, 0x01] as [UInt8] }
    #expect(throws: UndecodableBasicValue.self) {
      try decoded(BasicFormat.header + arrays, by: .codable([Int].self))
    }
  }
}

extension CodingUserInfoKey {
  fileprivate static let locale = CodingUserInfoKey(rawValue: "locale").unsafelyUnwrapped
}

/// The format of a file's values.
@Suite struct CodableFormatTests {
  private static func options(_ codec: YapDatabaseCodec = .codable([Int].self)) -> YapDatabaseOptions {
    var options = YapDatabaseOptions.quick
    options.defaultObjectCodec = codec
    options.defaultMetadataCodec = .codable(String.self)
    return options
  }

  private func store(_ value: [Int], _ key: String, in database: YapDatabase) throws -> (object: UInt8?, Bool) {
    let connection = try database.newConnection()
    try connection.readWrite { try $0.setObject(value, forKey: key, withMetadata: "m") }
    return try connection.read { transaction in
      (try transaction.serializedObject(forKey: key)?.first, try transaction.metadata(forKey: key) as? String == "m")
    }
  }

  private func values(_ database: YapDatabase) throws -> [String: [Int]] {
    let connection = try database.newConnection()
    return try connection.read { transaction in
      var found: [String: [Int]] = [:]
      try transaction.enumerateKeysAndObjects { key, object, _ in found[key] = object as? [Int] }
      return found
    }
  }

  @Test func `values are binary or, if the codec names it, JSON, and every codec reads both`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let codecs: [(key: String, YapDatabaseCodec, firstByte: UInt8)] = [
        ("default", .codable([Int].self), 0xf9),
        ("binary", .codable([Int].self, as: .binary), 0xf9),
        ("json", .codable([Int].self, as: .json), UInt8(ascii: "[")),
      ]
      for (key, codec, firstByte) in codecs {
        let database = try YapDatabase(path: path, options: Self.options(codec))
        try #expect(store([1], key, in: database) == (firstByte, true))
        try database.close()
      }
      for (_, codec, _) in codecs {
        let database = try YapDatabase(path: path, options: Self.options(codec))
        try #expect(values(database) == ["default": [1], "binary": [1], "json": [1]])
        try database.close()
      }
    }
  }

  @Test(arguments: YapDatabaseCodableFormat.allCases)
  func `a type finds the codec's userInfo when it is encoded and when it is decoded`(
    format: YapDatabaseCodableFormat
  ) throws {
    struct Inner: Codable, Sendable, Equatable {
      var encodedFor: String
      var decodedFor: String?

      init() { encodedFor = "" }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(encoder.userInfo[.locale] as? String)
      }

      init(from decoder: any Decoder) throws {
        encodedFor = try decoder.singleValueContainer().decode(String.self)
        decodedFor = decoder.userInfo[.locale] as? String
      }
    }
    var options = YapDatabaseOptions.quick
    options.defaultObjectCodec = .codable([[String: Inner]].self, as: format, userInfo: [.locale: "de"])
    try withDatabase(options) { database in
      try database.newConnection().readWrite { try $0.setObject([["a": Inner()]], forKey: "k") }
      let found = try database.newConnection().read { try $0.object([[String: Inner]].self, forKey: "k") }
      #expect(found?.first?["a"]?.encodedFor == "de" && found?.first?["a"]?.decodedFor == "de")
    }
  }

  @Test func `a value of another type is an error of the codec in both formats`() throws {
    for format in YapDatabaseCodableFormat.allCases {
      try withTemporaryFolder { folder in
        let path = folder + "/test.sqlite"
        var database = try YapDatabase(path: path, options: Self.options(.codable(String.self, as: format)))
        try database.newConnection().readWrite { try $0.setObject("text", forKey: "k") }
        try database.close()
        var options = Self.options()
        options.undecodableValueHandler = { _ in .skip }
        database = try YapDatabase(path: path, options: options)
        try database.newConnection().read { transaction in
          #expect(code { _ = try transaction.object(forKey: "k") } == .codec)
          try transaction.enumerateKeysAndObjects { key, _, _ in Issue.record("\(key) is not skipped") }
        }
        #expect(database.statistics.undecodableValues.skipped == 1)
        try database.close()
      }
    }
  }
}
