import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// A transaction is valid only inside its block and on its block's thread.
@Suite struct EndedTransactionTests {
  private static let reads: [(String, @Sendable (YapDatabaseReadTransaction) throws -> Void)] = [
    ("object", { _ = try $0.object(forKey: "k") }),
    ("metadata", { _ = try $0.metadata(forKey: "k") }),
    ("row", { _ = try $0.row(forKey: "k") }),
    ("hasObject", { _ = try $0.hasObject(forKey: "k") }),
    ("numberOfCollections", { _ = try $0.numberOfCollections() }),
    ("numberOfKeys", { _ = try $0.numberOfKeys() }),
    ("numberOfKeysInAllCollections", { _ = try $0.numberOfKeysInAllCollections() }),
    ("allCollections", { _ = try $0.allCollections() }),
    ("collections", { _ = try $0.collections(withKey: "k") }),
    ("allKeys", { _ = try $0.allKeys() }),
    ("enumerateKeys", { try $0.enumerateKeys { _, _ in } }),
    ("enumerateKeysAndObjects", { try $0.enumerateKeysAndObjects { _, _, _ in } }),
    ("enumerateKeysAndMetadata", { try $0.enumerateKeysAndMetadata { _, _, _ in } }),
    ("enumerateRows", { try $0.enumerateRows { _, _, _, _ in } }),
    ("enumerateObjects", { try $0.enumerateObjects(forKeys: []) { _, _, _ in } }),
    ("enumerateMetadata", { try $0.enumerateMetadata(forKeys: []) { _, _, _ in } }),
    ("enumerateRows for keys", { try $0.enumerateRows(forKeys: []) { _, _, _ in } }),
    ("enumerateCollections", { try $0.enumerateCollections { _, _ in } }),
    ("keys of all collections", { try $0.enumerateKeysInAllCollections { _, _, _ in } }),
    ("objects of all collections", { try $0.enumerateKeysAndObjectsInAllCollections { _, _, _, _ in } }),
    ("metadata of all collections", { try $0.enumerateKeysAndMetadataInAllCollections { _, _, _, _ in } }),
    ("rows of all collections", { try $0.enumerateRowsInAllCollections { _, _, _, _, _ in } }),
    ("typed object", { _ = try $0.object([UInt8].self, forKey: "k") }),
    ("typed metadata", { _ = try $0.metadata([UInt8].self, forKey: "k") }),
    ("serializedObject", { _ = try $0.serializedObject(forKey: "k") }),
    ("serializedMetadata", { _ = try $0.serializedMetadata(forKey: "k") }),
    ("serializedRow", { _ = try $0.serializedRow(forKey: "k") }),
    ("effectiveSettings", { _ = try $0.effectiveSettings() }),
  ]

  private static let writes: [(String, @Sendable (YapDatabaseReadWriteTransaction) throws -> Void)] = [
    ("setObject", { try $0.setObject(bytes("x"), forKey: "k") }),
    ("setObject nil", { try $0.setObject(nil, forKey: "k") }),
    ("replaceObject", { try $0.replaceObject(bytes("x"), forKey: "k") }),
    ("replaceMetadata", { try $0.replaceMetadata(bytes("x"), forKey: "k") }),
    ("touchObject", { try $0.touchObject(forKey: "k") }),
    ("touchMetadata", { try $0.touchMetadata(forKey: "k") }),
    ("touchRow", { try $0.touchRow(forKey: "k") }),
    ("removeObject", { try $0.removeObject(forKey: "k") }),
    ("removeObjects", { try $0.removeObjects(forKeys: []) }),
    ("removeAllObjects", { try $0.removeAllObjects() }),
    ("removeAllObjectsInAllCollections", { try $0.removeAllObjectsInAllCollections() }),
    ("rollback", { try $0.rollback() }),
    ("setCustomObject", { try $0.setCustomObject(1) }),
  ]

  @Test func `every call of an escaped transaction throws`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      let escaped = try connection.readWrite { transaction in
        try transaction.setObject(bytes("1"), forKey: "k")
        return transaction
      }
      let escapedRead = try connection.read { $0 }
      for round in 0..<2 {
        for (name, call) in Self.reads {
          #expect(code { try call(escaped) } == .transactionEnded, "\(name)")
          #expect(code { try call(escapedRead) } == .transactionEnded, "\(name)")
        }
        for (name, call) in Self.writes { #expect(code { try call(escaped) } == .transactionEnded, "\(name)") }
        // It also throws inside a later block of the same connection, which has a transaction of its own.
        if round == 0 {
          try connection.readWrite { transaction in
            #expect(transaction !== escaped)
            #expect(code { try escaped.setObject(bytes("2"), forKey: "k") } == .transactionEnded)
            #expect(code { _ = try escapedRead.object(forKey: "k") } == .transactionEnded)
          }
        }
      }
      try #expect(connection.read { try $0.object(forKey: "k") as? [UInt8] } == bytes("1"))
    }
  }

  @Test func `an escaped transaction may outlive its connection and its database`() throws {
    var escaped: YapDatabaseReadTransaction?
    try withDatabase { database in escaped = try database.newConnection().read { $0 } }
    #expect(code { _ = try escaped?.object(forKey: "k") } == .transactionEnded)
  }

  @Test func `a transaction throws on another thread while its block runs`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      let codes = SharedList<Bool>()
      try connection.readWrite { transaction in
        try transaction.setObject(bytes("1"), forKey: "k")
        let thread = try WorkerThread(name: "thief") {
          for (_, call) in Self.reads { codes.append(code { try call(transaction) } == .transactionEnded) }
          for (_, call) in Self.writes { codes.append(code { try call(transaction) } == .transactionEnded) }
        }
        thread.join()
        try #expect(transaction.object(forKey: "k") as? [UInt8] == bytes("1"))
      }
      #expect(codes.all == Array(repeating: true, count: Self.reads.count + Self.writes.count))
    }
  }
}
