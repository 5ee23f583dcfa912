import Testing

@testable import YapEngine

@Suite struct SerializedTests {
  @Test func `serialized values are what the file holds, whatever caches and codecs make of it`() throws {
    var options = YapDatabaseOptions.quick
    options.objectCodecs = ["notes": .codable([Int].self)]
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

  @Test func `serialized values are those of the transaction's own snapshot, and none outside of it`() throws {
    try withDatabase { database in
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
}
