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

  /// How an instance is stored that is mutated afterwards.
  enum Way: String, CaseIterable {
    case set, metadata, replaceObject, replaceMetadata
  }

  @Test(arguments: Way.allCases)
  func `a commit is refused if an object was mutated after it had been stored`(_ way: Way) throws {
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

  @Test func `what is not committed may be mutated`() throws {
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
}
