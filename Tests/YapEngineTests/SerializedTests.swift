import Testing

@testable import YapEngine

@Suite struct SerializedTests {
  @Test func `serialized values are the bytes in the file, independent of caches and codecs`() throws {
    var options = YapDatabaseOptions.quick
    options.objectCodecs = ["notes": .codable([Int].self, as: .json)]
    options.metadataCodecs = ["notes": .bytes]
    try withDatabase(options) { database in
      let writer = try database.newConnection()
      try writer.readWrite { transaction in
        try transaction.setObject([1, 2], forKey: "n", inCollection: "notes", withMetadata: bytes("m"))
        try transaction.setObject([3], forKey: "bare", inCollection: "notes")
        try #expect(transaction.serializedObject(forKey: "n", inCollection: "notes") == bytes("[1,2]"))
      }
      let reader = try database.newConnection()
      try reader.read { transaction in
        try #expect(transaction.serializedObject(forKey: "n", inCollection: "notes") == bytes("[1,2]"))
        try #expect(transaction.serializedMetadata(forKey: "n", inCollection: "notes") == bytes("m"))
        try #expect(transaction.serializedMetadata(forKey: "bare", inCollection: "notes") == nil)
        try #expect(transaction.serializedObject(forKey: "none", inCollection: "notes") == nil)
        try #expect(transaction.serializedMetadata(forKey: "n", inCollection: "none") == nil)
      }
      let caches = try #require(database.statistics.connections.first { $0.number == reader.id.number }?.caches)
      let (objects, metadata) = (caches.objects, caches.metadata)
      #expect([objects.hits, objects.misses, objects.decoded, metadata.misses] == [0, 0, 0, 0])
    }
  }

  @Test func `serialized values are of the transaction's snapshot, and unavailable outside it`() throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectCodec = .bytes
    try withDatabase(options) { database in
      let writer = try database.newConnection()
      let reader = try database.newConnection()
      try writer.readWrite { try $0.setObject(bytes("old"), forKey: "k") }
      try reader.beginLongLivedReadTransaction()
      try writer.readWrite { try $0.setObject(bytes("new"), forKey: "k") }
      try reader.read { try #expect($0.serializedObject(forKey: "k") == bytes("old")) }
      try reader.beginLongLivedReadTransaction()
      let escaped = try reader.read { transaction in
        try #expect(transaction.serializedObject(forKey: "k") == bytes("new"))
        return transaction
      }
      #expect(code { _ = try escaped.serializedObject(forKey: "k") } == .transactionEnded)
    }
  }

  @Test func `bytes from the caller are stored instead of the codec's, and the object is cached`() throws {
    var options = YapDatabaseOptions.quick
    options.objectCodecs = ["notes": .codable([Int].self, as: .json)]
    options.metadataCodecs = ["notes": .bytes]
    options.detectsMutationAfterSet = true
    try withDatabase(options) { database in
      let writer = try database.newConnection()
      try writer.readWrite { transaction in
        func set(_ key: String, _ metadata: Any?, _ object: [UInt8]?, _ serializedMetadata: [UInt8]? = nil) throws {
          try transaction.setObject(
            [1],
            forKey: key,
            inCollection: "notes",
            withMetadata: metadata,
            serializedObject: object,
            serializedMetadata: serializedMetadata
          )
        }
        try set("both", bytes("m"), bytes("[7]"), bytes("other"))
        try set("object", bytes("m"), bytes("[8]"))
        try set("metadata", bytes("m"), nil, bytes("other"))
        // Bytes for metadata that does not exist.
        try set("none", nil, bytes(""), bytes("other"))
        try #expect(transaction.object([Int].self, forKey: "both", inCollection: "notes") == [1])
      }
      try database.newConnection().read { transaction in
        for (key, object, metadata) in [
          ("both", "[7]", "other"), ("object", "[8]", "m"), ("metadata", "[1]", "other"), ("none", "", nil),
        ] {
          let row = try #require(try transaction.serializedRow(forKey: key, inCollection: "notes"))
          #expect(row.object == bytes(object) && row.metadata == metadata.map { bytes($0) }, "\(key)")
        }
        try #expect(transaction.object([Int].self, forKey: "both", inCollection: "notes") == [7])
        try #expect(transaction.serializedRow(forKey: "absent", inCollection: "notes") == nil)
        try #expect(transaction.serializedRow(forKey: "both", inCollection: "absent") == nil)
      }
    }
  }
}
