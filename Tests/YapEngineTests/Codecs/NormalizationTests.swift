import Foundation
import TestSupport
import Testing

@testable import YapEngine

/// A value has the type that its codec returns, whether it is read from a cache or from the file.
@Suite struct NormalizationTests {
  // The tests do not mutate an instance.
  class Animal: Codable, @unchecked Sendable {
    var name = "animal"
  }

  // As above.
  final class Derived: Animal, @unchecked Sendable {}

  /// Values that a caller passes in another type than their codec returns.
  enum Passed: String, CaseIterable {
    case dataUnderBytes, mutableDataUnderBytes
    case bytesUnderData, sliceUnderData, mutableDataUnderData
    case stringUnderString, mutableStringUnderString, numberUnderDouble, arrayUnderArray, dictionaryUnderDictionary
    case dateUnderDate, stringUnderOptional
    case mutableStringUnderBasic, integerUnderBasic, booleanUnderBasic, fractionUnderBasic, hugeIntegerUnderBasic
    case dateUnderBasic, dataUnderBasic, sliceUnderBasic, uuidUnderBasic, urlUnderBasic, relativeURLUnderBasic
    case arrayUnderBasic, intsUnderBasic, dictionaryUnderBasic, nestedUnderBasic, optionalUnderBasic, hashableUnderBasic
    case substringUnderBasic, characterUnderBasic, sliceOfTextsUnderBasic, contiguousUnderBasic, byteSliceUnderBasic

    private static let date = Date(timeIntervalSinceReferenceDate: 1_000.25)
    private static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    private static let url = URL(fileURLWithPath: "/tmp/a b")

    var codec: YapDatabaseCodec {
      switch self {
      case .dataUnderBytes, .mutableDataUnderBytes: .bytes
      case .bytesUnderData, .sliceUnderData, .mutableDataUnderData: .data
      case .stringUnderString, .mutableStringUnderString: .codable(String.self)
      case .numberUnderDouble: .codable(Double.self)
      case .arrayUnderArray: .codable([Int].self)
      case .dictionaryUnderDictionary: .codable([String: Double].self)
      case .dateUnderDate: .codable(Date.self)
      case .stringUnderOptional: .codable(String?.self)
      default: .basic
      }
    }

    var value: Any {
      switch self {
      case .dataUnderBytes: Data([1, 2])
      case .mutableDataUnderBytes, .mutableDataUnderData: NSMutableData(data: Data([1, 2]))
      case .bytesUnderData: [1, 2] as [UInt8]
      case .sliceUnderData, .sliceUnderBasic: Data([0, 1, 2])[1...]
      case .stringUnderString, .stringUnderOptional: NSString(string: "text")
      case .mutableStringUnderString, .mutableStringUnderBasic: NSMutableString(string: "text")
      case .numberUnderDouble, .fractionUnderBasic: NSNumber(value: 1.5)
      case .arrayUnderArray: NSMutableArray(array: [NSNumber(value: 1), NSNumber(value: 2)])
      case .dictionaryUnderDictionary: NSDictionary(dictionary: ["a": NSNumber(value: 1.5)])
      case .dateUnderDate, .dateUnderBasic: NSDate(timeIntervalSinceReferenceDate: 1_000.25)
      case .integerUnderBasic: NSNumber(value: UInt8(200))
      case .booleanUnderBasic: NSNumber(value: true)
      case .hugeIntegerUnderBasic: NSNumber(value: UInt64.max)
      case .dataUnderBasic: NSMutableData(data: Data([1, 2]))
      case .uuidUnderBasic: NSUUID(uuidString: Self.uuid.uuidString) ?? NSUUID()
      case .urlUnderBasic: Self.url
      case .relativeURLUnderBasic: NSURL(string: "b", relativeTo: URL(string: "https://example.org/a/")) as Any
      case .arrayUnderBasic: NSMutableArray(array: [NSMutableString(string: "a"), NSNumber(value: false)])
      case .intsUnderBasic: [1, 2]
      case .dictionaryUnderBasic: NSMutableDictionary(dictionary: ["a": NSNumber(value: 1)])
      case .nestedUnderBasic: ["a": [["b": NSNumber(value: 1)]], "c": NSArray(array: [Data([1])])] as [String: Any]
      case .optionalUnderBasic: Optional(NSString(string: "text")) as Any
      case .hashableUnderBasic: AnyHashable("text")
      case .substringUnderBasic: "a text"[...].dropFirst(2)
      case .characterUnderBasic: Character("🇩🇪")
      case .sliceOfTextsUnderBasic: ["a", "b"[...], Character("c")][1...] as ArraySlice<Any>
      case .contiguousUnderBasic: ContiguousArray([1, 2])
      case .byteSliceUnderBasic: [0, 1, 2][1...] as ArraySlice<UInt8>
      }
    }

    /// The value as every read returns it.
    var expected: Any {
      switch self {
      case .dataUnderBytes, .mutableDataUnderBytes: [1, 2] as [UInt8]
      case .bytesUnderData, .sliceUnderData, .mutableDataUnderData, .dataUnderBasic, .sliceUnderBasic: Data([1, 2])
      case .stringUnderString, .mutableStringUnderString, .mutableStringUnderBasic: "text"
      case .optionalUnderBasic, .hashableUnderBasic: "text"
      case .stringUnderOptional: Optional("text") as Any
      case .numberUnderDouble, .fractionUnderBasic: 1.5
      case .arrayUnderArray: [1, 2]
      case .dictionaryUnderDictionary: ["a": 1.5]
      case .dateUnderDate, .dateUnderBasic: Self.date
      case .integerUnderBasic: 200
      case .booleanUnderBasic: true
      case .hugeIntegerUnderBasic: UInt64.max
      case .uuidUnderBasic: Self.uuid
      case .urlUnderBasic: (URL(string: Self.url.absoluteString) as Any?) ?? 0
      case .relativeURLUnderBasic: (URL(string: "https://example.org/a/b") as Any?) ?? 0
      case .substringUnderBasic: "text"
      case .characterUnderBasic: "🇩🇪"
      case .sliceOfTextsUnderBasic: ["b", "c"] as [Any]
      case .contiguousUnderBasic: [1, 2] as [Any]
      case .byteSliceUnderBasic: [1, 2] as [UInt8]
      case .arrayUnderBasic: ["a", false] as [Any]
      case .intsUnderBasic: [1, 2] as [Any]
      case .dictionaryUnderBasic: ["a": 1] as [String: Any]
      case .nestedUnderBasic:
        ["a": [["b": 1] as [String: Any]] as [Any], "c": [Data([1])] as [Any]] as [String: Any]
      }
    }

    func check(_ found: Any?, _ what: String) throws {
      guard let found else { throw Discrepancy("\(what): nothing") }
      let isSame = areIdentical(found, expected) && (found as? Data)?.startIndex ?? 0 == 0
      if !isSame { throw Discrepancy("\(what): \(found) of type \(type(of: found)), expected \(expected)") }
    }
  }

  /// The ways to store a value.
  enum Way: CaseIterable {
    case set, setWithBytes, replace
  }

  private func play(_ passed: Passed, _ way: Way, _ policy: YapDatabasePolicy) throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectCodec = passed.codec
    options.defaultMetadataCodec = passed.codec
    options.defaultObjectPolicy = policy
    options.defaultMetadataPolicy = policy
    let after = SharedList<String>()
    options.defaultObjectSanitizer = YapDatabaseSanitizer(after: { _, _, object in after.append("\(type(of: object))") }
    )
    try withDatabase(options) { database in
      let writer = try database.newConnection(name: "writer")
      let reader = try database.newConnection(name: "reader")
      func check(_ transaction: YapDatabaseReadTransaction, _ what: String) throws {
        try passed.check(try transaction.object(forKey: "k"), "object \(what)")
        try passed.check(try transaction.metadata(forKey: "k"), "metadata \(what)")
      }
      let bytes = try encoded(try normalized(passed.expected, by: passed.codec), by: passed.codec)
      try writer.readWrite { try $0.setObject(passed.expected, forKey: "k", withMetadata: passed.expected) }
      try reader.read { try check($0, "of the reader, before") }
      try writer.readWrite { transaction in
        switch way {
        case .set: try transaction.setObject(passed.value, forKey: "k", withMetadata: passed.value)
        case .setWithBytes:
          try transaction.setObject(
            passed.value,
            forKey: "k",
            withMetadata: passed.value,
            serializedObject: bytes,
            serializedMetadata: bytes
          )
        case .replace:
          try transaction.replaceObject(passed.value, forKey: "k")
          try transaction.replaceMetadata(passed.value, forKey: "k")
        }
        try check(transaction, "inside the transaction")
      }
      try writer.read { try check($0, "of the writer") }
      try reader.read { try check($0, "of the reader, after the commit") }
      try Discrepancy.check(after.all, Array(repeating: "\(type(of: passed.expected))", count: 2), "sanitizer after")
      for connection in [writer, reader] {
        connection.objectCacheEnabled = false
        connection.metadataCacheEnabled = false
        try connection.read { try check($0, "of \(connection.name), without a cache") }
      }
    }
  }

  @Test(arguments: Passed.allCases)
  func `a value has one type in the caches, in the file and on other connections`(_ passed: Passed) throws {
    for way in Way.allCases {
      for policy in YapDatabasePolicy.allCases {
        let found = Discrepancy.first { try play(passed, way, policy) }
        #expect(found == nil, "\(way) \(policy)")
      }
    }
  }

  @Test func `an instance of a subclass is rejected, also inside containers`() throws {
    var options = YapDatabaseOptions.quick
    options.objectCodecs = [
      "one": .codable(Animal.self), "many": .codable([Animal].self), "named": .codable([String: [Animal]].self),
      "maybe": .codable(Animal?.self), "derived": .codable(Derived.self),
    ]
    try withDatabase(options) { database in
      try database.newConnection().readWrite { transaction in
        func set(_ value: Any, _ collection: String) throws {
          try transaction.setObject(value, forKey: "k", inCollection: collection)
        }
        try set(Animal(), "one")
        try set([Animal()], "many")
        try set(["a": [Animal()]], "named")
        try set(Animal(), "maybe")
        try set(Derived(), "derived")
        try set([Animal](), "many")
        for (value, collection) in [
          (Derived(), "one"), ([Animal(), Derived()], "many"), ([Derived()], "many"), (["a": [Derived()]], "named"),
          (Derived(), "maybe"),
        ] as [(Any, String)] {
          let error = failure { try set(value, collection) }
          #expect(error?.code == .codec, "\(collection)")
          #expect(error?.message.contains("subclass Derived") == true, "\(error?.message ?? "")")
        }
        #expect(code { try set(Animal(), "derived") } == .codec)
        try #expect(transaction.object([Animal].self, forKey: "k", inCollection: "many")?.isEmpty == true)
      }
    }
  }

  @Test func `a built-in codec rejects a value that it would return as another value`() throws {
    let refused: [(YapDatabaseCodec, Any)] = [
      (.bytes, "text"), (.bytes, 7), (.data, ["a"]), (.codable(Int.self), NSNumber(value: 1.5)),
      (.codable(String.self), 7), (.codable(Double.self), 7), (.codable([Int].self), ["a"]),
    ]
    for (codec, value) in refused {
      #expect(throws: UnsupportedType.self, "\(value)") { try normalized(value, by: codec) }
    }
  }

  @Test func `a mutable value may change after it was stored without an effect`() throws {
    var options = YapDatabaseOptions.quick
    options.objectCodecs = ["data": .data, "text": .codable(String.self), "bytes": .bytes]
    options.defaultObjectPolicy = .share
    try withDatabase(options) { database in
      let connection = try database.newConnection()
      let data = NSMutableData(data: Data([1]))
      let text = NSMutableString(string: "a")
      let list = NSMutableArray(array: [text])
      try connection.readWrite { transaction in
        for collection in ["data", "bytes", ""] {
          try transaction.setObject(data, forKey: "k", inCollection: collection)
        }
        try transaction.setObject(text, forKey: "k", inCollection: "text")
        try transaction.setObject(list, forKey: "list")
        data.append(Data([2]))
        text.append("b")
        list.add("c")
        for collection in ["data", ""] {
          try #expect(transaction.object(Data.self, forKey: "k", inCollection: collection) == Data([1]))
        }
        try #expect(transaction.object([UInt8].self, forKey: "k", inCollection: "bytes") == [1])
        try #expect(transaction.object(String.self, forKey: "k", inCollection: "text") == "a")
        try #expect(transaction.object([String].self, forKey: "list") == ["a"])
      }
    }
  }

  @Test func `a client's codec may normalize, and otherwise the passed value is cached`() throws {
    let encode: YapDatabaseCodec.Encode = { object, _, _, write in
      try bytes("\(object)").withUnsafeBytes(write)
    }
    let decode: YapDatabaseCodec.Decode = { bytes, _, _ in String(decoding: bytes, as: UTF8.self) }
    var options = YapDatabaseOptions.quick
    options.objectCodecs = [
      "plain": YapDatabaseCodec(encode: encode, decode: decode),
      "strict": YapDatabaseCodec(encode: encode, decode: decode) { object, collection, key in
        if object is Double { throw Deliberate() }
        return "\(object)"
      },
    ]
    try withDatabase(options) { database in
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        for collection in ["plain", "strict"] { try transaction.setObject(7, forKey: "k", inCollection: collection) }
        try #expect(transaction.object(Int.self, forKey: "k", inCollection: "plain") == 7)
        try #expect(transaction.object(String.self, forKey: "k", inCollection: "strict") == "7")
        #expect(code { try transaction.setObject(1.5, forKey: "k", inCollection: "strict") } == .codec)
      }
    }
  }

  @Test func `JSON of equal values has equal bytes`() throws {
    struct Wide: Codable, Sendable {
      var a = 1, b = 2, c = 3, d = 4, e = 5, f = 6
    }
    let codec = YapDatabaseCodec.codable(Wide.self, as: .json)
    let found = try Set((0..<50).map { _ in try encoded(Wide(), by: codec) })
    #expect(found == [bytes(#"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}"#)])
  }
}
