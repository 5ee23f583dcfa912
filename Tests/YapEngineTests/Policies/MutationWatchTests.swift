import Foundation
import Testing

@testable import YapEngine

@Suite struct MutationWatchTests {
  private func withStrictDatabase(_ body: (YapDatabase, YapDatabaseConnection) throws -> Void) throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectCodec = Instance.codec(Instance.self)
    options.defaultMetadataCodec = Instance.codec(Instance.self)
    options.detectsMutationAfterSet = true
    try withDatabase(options) { database in try body(database, try database.newConnection()) }
  }

  /// The way in which an instance is stored before it is mutated.
  enum Way: String, CaseIterable {
    case set, metadata, replaceObject, replaceMetadata
  }

  @Test(arguments: Way.allCases)
  func `a commit fails if an object was mutated after it was stored`(_ way: Way) throws {
    try withStrictDatabase { database, connection in
      try connection.readWrite { try $0.setObject(Instance("old"), forKey: "k") }
      let mutated = Instance("1")
      let error = failure {
        try connection.readWrite { transaction in
          switch way {
          case .set: try transaction.setObject(mutated, forKey: "k")
          case .metadata: try transaction.setObject(Instance("2"), forKey: "k", withMetadata: mutated)
          case .replaceObject: try transaction.replaceObject(mutated, forKey: "k")
          case .replaceMetadata: try transaction.replaceMetadata(mutated, forKey: "k")
          }
          mutated.content = bytes("mutated")
        }
      }
      #expect(error?.code == .mutatedAfterSet)
      #expect(error?.message.contains("\"k\"") == true)
      #expect(database.snapshot == 1)
      try connection.read { transaction in
        try #expect((transaction.object(forKey: "k") as? Instance)?.content == bytes("old"))
        try #expect(transaction.metadata(forKey: "k") == nil)
      }
    }
  }

  @Test func `objects that are not committed may be mutated`() throws {
    try withStrictDatabase { database, connection in
      let instance = Instance("1")
      try connection.readWrite { transaction in
        try transaction.setObject(instance, forKey: "removed", withMetadata: instance)
        try transaction.setObject(instance, forKey: "cleared", inCollection: "c")
        try transaction.setObject(instance, forKey: "replaced", withMetadata: instance)
        try transaction.removeObject(forKey: "removed")
        try transaction.removeAllObjects(inCollection: "c")
        try transaction.replaceMetadata(nil, forKey: "replaced")
        try transaction.replaceObject(Instance("2"), forKey: "replaced")
        instance.content = bytes("mutated")
      }
      try connection.readWrite { transaction in
        try transaction.setObject(instance, forKey: "k")
        instance.content = bytes("again")
        try transaction.rollback()
      }
      #expect(database.snapshot == 1)
    }
  }

  /// A struct whose contents the engine cannot inspect.
  private struct Holder {
    var instance: Instance
  }

  /// Values that contain an instance.
  enum Shape: String, CaseIterable {
    case array, dictionary, nested, optional, structure, structures, any

    func value(holding instance: Instance) -> Any {
      switch self {
      case .array: [instance]
      case .dictionary: ["a": instance]
      case .nested: ["a": [[instance]]]
      case .optional: Optional(instance) as Any
      case .structure: Holder(instance: instance)
      case .structures: [Holder(instance: instance)]
      case .any: [1, instance] as [Any]
      }
    }

    /// The content of the instance in a value of any shape.
    static func content(_ value: Any) -> [UInt8]? {
      if let instance = value as? Instance { return instance.content }
      if let holder = value as? Holder { return holder.instance.content }
      if let array = value as? [Any] { return array.lazy.compactMap(content).first }
      if let dictionary = value as? [String: Any] { return dictionary.values.lazy.compactMap(content).first }
      return nil
    }
  }

  private static let codec = YapDatabaseCodec { object, _, _, write in
    guard let content = Shape.content(object) else { throw Deliberate() }
    try content.withUnsafeBytes(write)
  } decode: { bytes, _, _ in
    Instance([UInt8](bytes))
  }

  @Test(arguments: Shape.allCases)
  func `a commit fails if an instance inside a value was mutated`(_ shape: Shape) throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectCodec = Self.codec
    options.defaultMetadataCodec = Self.codec
    options.detectsMutationAfterSet = true
    try withDatabase(options) { database in
      let connection = try database.newConnection()
      let instance = Instance("old")
      try connection.readWrite { try $0.setObject(shape.value(holding: instance), forKey: "k") }
      for inMetadata in [false, true] {
        let error = failure {
          try connection.readWrite { transaction in
            let value = shape.value(holding: instance)
            let other = Instance("other")
            try transaction.setObject(inMetadata ? other : value, forKey: "k", withMetadata: inMetadata ? value : other)
            instance.content += bytes("mutated")
          }
        }
        #expect(error?.code == .mutatedAfterSet)
        #expect(error?.message.contains(inMetadata ? "metadata" : "object") == true)
      }
      #expect(database.snapshot == 1)
    }
  }

  @Test func `unmutated values of built-in codecs are committed`() throws {
    struct Wide: Codable, Sendable {
      var a = 1, b = 2, c = 3, d = 4, names = ["x": 1, "y": 2, "z": 3], set: Set = [1, 2, 3, 4]
    }
    var options = YapDatabaseOptions.quick
    options.objectCodecs["wide"] = .codable(Wide.self)
    options.detectsMutationAfterSet = true
    try withDatabase(options) { database in
      let connection = try database.newConnection()
      for number in 0..<50 {
        try connection.readWrite { transaction in
          try transaction.setObject(
            Wide(),
            forKey: "\(number)",
            inCollection: "wide",
            withMetadata: ["a": 1, "b": [2]]
          )
          let text = NSMutableString(string: "stored")
          try transaction.setObject([text], forKey: "\(number)")
          text.append(", and mutated, which the stored text is not")
        }
      }
      #expect(database.snapshot == 50)
    }
  }
}
