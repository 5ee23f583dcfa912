import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// Enumerations of values that cannot be decoded.
@Suite struct UndecodableValueTests {
  private static let keys = ["good", "object", "metadata", "both", "bare"]

  /// Stores rows whose keys name the parts that cannot be decoded.
  private static func store(_ database: YapDatabase) throws {
    try database.newConnection().readWrite { transaction in
      for key in keys {
        let isObjectBad = key == "object" || key == "both"
        let isMetadataBad = key == "metadata" || key == "both"
        try transaction.setObject(
          bytes("o"),
          forKey: key,
          inCollection: "c",
          withMetadata: key == "bare" ? nil : bytes("m"),
          serializedObject: isObjectBad ? [1, 7] : nil,
          serializedMetadata: isMetadataBad ? [1, 8] : nil
        )
      }
    }
  }

  /// An enumeration that decodes values.
  enum Kind: String, CaseIterable {
    case objects, metadata, rows, allObjects, allMetadata, allRows, objectsForKeys, metadataForKeys, rowsForKeys

    /// The rows that a call passes to its block: key, object, metadata, with "-" for a part that the call does not
    /// pass.
    func found(_ transaction: YapDatabaseReadTransaction) throws -> [String] {
      var found: [String] = []
      func add(_ key: String, _ object: Any?, _ metadata: Any?) {
        found.append("\(key) \(Self.text(object)) \(Self.text(metadata))")
      }
      let keys = UndecodableValueTests.keys + ["none"]
      switch self {
      case .objects:
        try transaction.enumerateKeysAndObjects(inCollection: "c") { key, object, _ in add(key, object, "-") }
      case .metadata:
        try transaction.enumerateKeysAndMetadata(inCollection: "c") { key, metadata, _ in add(key, "-", metadata) }
      case .rows:
        try transaction.enumerateRows(inCollection: "c") { key, object, metadata, _ in add(key, object, metadata) }
      case .allObjects:
        try transaction.enumerateKeysAndObjectsInAllCollections { _, key, object, _ in add(key, object, "-") }
      case .allMetadata:
        try transaction.enumerateKeysAndMetadataInAllCollections { _, key, metadata, _ in add(key, "-", metadata) }
      case .allRows:
        try transaction.enumerateRowsInAllCollections { _, key, object, metadata, _ in add(key, object, metadata) }
      case .objectsForKeys:
        try transaction.enumerateObjects(forKeys: keys, inCollection: "c") { index, object, _ in
          add(keys[index], object, "-")
        }
      case .metadataForKeys:
        try transaction.enumerateMetadata(forKeys: keys, inCollection: "c") { index, metadata, _ in
          add(keys[index], "-", metadata)
        }
      case .rowsForKeys:
        try transaction.enumerateRows(forKeys: keys, inCollection: "c") { index, row, _ in
          add(keys[index], row?.object, row?.metadata)
        }
      }
      return found.sorted()
    }

    private static func text(_ value: Any?) -> String {
      (value as? [UInt8]).map { String(decoding: $0, as: UTF8.self) } ?? value as? String ?? "nil"
    }

    private var givesObjects: Bool { ![.metadata, .allMetadata, .metadataForKeys].contains(self) }
    private var givesMetadata: Bool { ![.objects, .allObjects, .objectsForKeys].contains(self) }
    private var isByKeys: Bool { [.objectsForKeys, .metadataForKeys, .rowsForKeys].contains(self) }

    /// The rows that a call must pass with a handler that does not stop it.
    func expected(_ choice: UndecodableChoice) -> [String] {
      var expected: [String] = isByKeys ? ["none \(givesObjects ? "nil" : "-") \(givesMetadata ? "nil" : "-")"] : []
      for key in UndecodableValueTests.keys {
        let isObjectBad = givesObjects && (key == "object" || key == "both")
        let isMetadataBad = givesMetadata && (key == "metadata" || key == "both")
        if isObjectBad && choice != .replace || isMetadataBad && choice == .skip { continue }
        let object = isObjectBad ? "R" : "o"
        let metadata = isMetadataBad ? (choice == .replace ? "r" : "nil") : key == "bare" ? "nil" : "m"
        expected.append("\(key) \(givesObjects ? object : "-") \(givesMetadata ? metadata : "-")")
      }
      return expected.sorted()
    }
  }

  /// With the index only, and with a scan of the table after the first row.
  @Test(arguments: [UndecodableChoice.skip, .replace, .replaceWithNil], [512, 1])
  func `an enumeration of any kind skips rows or replaces their values`(
    _ choice: UndecodableChoice,
    _ firstLook: Int
  ) throws {
    var options = YapDatabaseOptions.format(2, choice.handler)
    options.testHooks.enumerationsLookAfter = firstLook
    try withDatabase(options) { database in
      try Self.store(database)
      let reader = try database.newConnection()
      for kind in Kind.allCases {
        // In the second round, decoded values are cached.
        for _ in 0..<2 { try #expect(reader.read(kind.found) == kind.expected(choice), "\(kind)") }
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `without a handler an enumeration throws the codec's error`(_ kind: Kind) throws {
    try withDatabase(.format(2)) { database in
      try Self.store(database)
      let error = failure { _ = try database.newConnection().read(kind.found) }
      #expect(error?.code == .codec)
      #expect(error?.message.contains("collection \"c\"") == true)
      let counted = database.statistics.undecodableValues
      #expect((counted.stopped, counted.skipped, counted.replaced) == (1, 0, 0))
    }
  }

  @Test func `the handler receives the value's row, part, bytes and error`() throws {
    let received = SharedList<YapDatabaseUndecodableValue>()
    let options = YapDatabaseOptions.format(2) { value in
      received.append(value)
      return .replace(with: nil)
    }
    try withDatabase(options) { database in
      try Self.store(database)
      try database.newConnection().read {
        try $0.enumerateRows(forKeys: ["metadata", "object"], inCollection: "c") { _, _, _ in }
      }
      #expect(received.all.map(\.collection) == ["c", "c"])
      #expect(received.all.map(\.key) == ["metadata", "object"])
      #expect(received.all.map(\.part) == [.metadata, .object])
      #expect(received.all.map(\.bytes) == [[1, 8], [1, 7]])
      #expect(received.all.allSatisfy { $0.error.code == .codec && $0.error.message.contains($0.key) })
      let counted = database.statistics.undecodableValues
      #expect((counted.stopped, counted.skipped, counted.replaced) == (0, 1, 1))
    }
  }

  @Test(arguments: UndecodableChoice.allCases)
  func `a read by key throws with any handler, and is not counted`(_ choice: UndecodableChoice) throws {
    try withDatabase(.format(2, choice.handler)) { database in
      try Self.store(database)
      let reader = try database.newConnection()
      try reader.read { transaction in
        #expect(code { _ = try transaction.object(forKey: "object", inCollection: "c") } == .codec)
        #expect(code { _ = try transaction.metadata(forKey: "metadata", inCollection: "c") } == .codec)
        #expect(code { _ = try transaction.row(forKey: "metadata", inCollection: "c") } == .codec)
        #expect(code { _ = try transaction.object([UInt8].self, forKey: "both", inCollection: "c") } == .codec)
      }
      let counted = database.statistics.undecodableValues
      #expect((counted.stopped, counted.skipped, counted.replaced) == (0, 0, 0))
    }
  }

  @Test func `a replacement is neither cached nor stored`() throws {
    try withDatabase(.format(2, UndecodableChoice.replace.handler)) { database in
      try Self.store(database)
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        for kind in Kind.allCases { _ = try kind.found(transaction) }
        #expect(code { _ = try transaction.object(forKey: "object", inCollection: "c") } == .codec)
        #expect(code { _ = try transaction.metadata(forKey: "metadata", inCollection: "c") } == .codec)
        try transaction.replaceMetadata(bytes("n"), forKey: "object", inCollection: "c")
        try transaction.touchRow(forKey: "both", inCollection: "c")
      }
      for reader in [connection, try database.newConnection()] {
        try reader.read { transaction in
          try #expect(transaction.serializedObject(forKey: "object", inCollection: "c") == [1, 7])
          try #expect(transaction.serializedMetadata(forKey: "object", inCollection: "c") == [2] + bytes("n"))
          try #expect(transaction.serializedRow(forKey: "both", inCollection: "c")?.object == [1, 7])
          try #expect(transaction.serializedRow(forKey: "both", inCollection: "c")?.metadata == [1, 8])
        }
      }
    }
  }

  @Test func `an error of the block is rethrown despite a handler that skips`() throws {
    try withDatabase(.format(2, UndecodableChoice.skip.handler)) { database in
      try Self.store(database)
      try database.newConnection().read { transaction in
        let error = YapDatabaseError(.codec, "of the block")
        #expect(
          failure { try transaction.enumerateKeysAndObjects(inCollection: "c") { _, _, _ in throw error } }?.message
            == "of the block"
        )
      }
    }
  }
}
