import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// The effect of another connection's changes on cached values.
@Suite struct PolicyTests {
  private static let orNone: [YapDatabasePolicy?] = [nil, .containment, .share, .copy]

  /// Every choice of policies with every action.
  private func playAll(
    databases: [YapDatabasePolicy] = YapDatabasePolicy.allCases,
    _ falsifications: Set<Falsification> = []
  ) throws -> Discrepancy? {
    for database in databases {
      for collection in Self.orNone {
        let found = try withTemporaryFolder { folder in
          let trial = try PolicyTrial(
            path: folder + "/test",
            database: database,
            collection: collection,
            falsifications
          )
          defer { try? trial.close() }
          return try playAll(trial, database, collection)
        }
        if let found { return found }
      }
    }
    return nil
  }

  private func playAll(
    _ trial: PolicyTrial,
    _ database: YapDatabasePolicy,
    _ collection: YapDatabasePolicy?
  ) throws -> Discrepancy? {
    for writer in Self.orNone {
      for reader in Self.orNone {
        let choice = PolicyTrial.Choice(database: database, collection: collection, writer: writer, reader: reader)
        for action in PolicyAction.allCases {
          let found = Discrepancy.first { try trial.play(action, choice) }
          if let found { return Discrepancy("\(action), \(choice): \(found)") }
        }
      }
    }
    return nil
  }

  @Test(arguments: YapDatabasePolicy.allCases)
  func `every choice of policies handles every change according to the rules`(_ database: YapDatabasePolicy) throws {
    #expect(try playAll(databases: [database]) == nil)
  }

  @Test func `the choices find a copy that is the original`() throws {
    #expect(try playAll([.copyHandsOutTheOriginal]) != nil)
  }

  @Test func `the stricter of two policies does not depend on their order`() {
    for left in YapDatabasePolicy.allCases {
      for right in YapDatabasePolicy.allCases { #expect(left.stricter(right) == right.stricter(left)) }
      #expect(left.stricter(left) == left)
      #expect(left.stricter(.containment) == .containment)
    }
    #expect(YapDatabasePolicy.share.stricter(.copy) == .copy)
  }

  @Test(arguments: [YapDatabasePolicy.share, .copy])
  func `structs are carried under both share and copy`(_ policy: YapDatabasePolicy) throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectPolicy = policy
    try withDatabase(options) { database in
      let writer = try database.newConnection()
      let reader = try database.newConnection()
      try writer.readWrite { try $0.setObject(bytes("1"), forKey: "a") }
      try reader.read { _ = try $0.object(forKey: "a") }
      try writer.readWrite { try $0.setObject(bytes("2"), forKey: "a") }
      try reader.read { try #expect($0.object(forKey: "a") as? [UInt8] == bytes("2")) }
      #expect(reader.counters.objects.decoded.value == 1)
      #expect(reader.counters.objects.updatedByPolicy.value == 1)
      #expect(reader.counters.objects.copied.value == 0)
    }
  }

  @Test func `every reader under copy has an instance of its own, with the stored content`() throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectCodec = Instance.codec(CopyableInstance.self)
    options.defaultObjectPolicy = .copy
    try withDatabase(options) { database in
      let writer = try database.newConnection()
      let readers = try (0..<3).map { _ in try database.newConnection() }
      readers[2].objectPolicy = .share
      func read(_ reader: YapDatabaseConnection) throws -> Instance? {
        try reader.read { try $0.object(forKey: "a") as? Instance }
      }
      try writer.readWrite { try $0.setObject(CopyableInstance("1"), forKey: "a") }
      for reader in readers { _ = try read(reader) }
      let stored = CopyableInstance("2")
      try writer.readWrite { transaction in
        try transaction.setObject(stored, forKey: "a")
        stored.content = bytes("mutated after it was stored")
      }
      let found = try readers.map(read)
      #expect(Set(found.compactMap { $0.map(ObjectIdentifier.init) } + [ObjectIdentifier(stored)]).count == 4)
      found[0]?.content = bytes("mutated by who has read it")
      #expect(try readers.dropFirst().allSatisfy { try read($0)?.content == bytes("2") })
      // One copy for the change set, and one for each reader.
      #expect(writer.counters.objects.copied.value == 2)
      #expect(readers.allSatisfy { $0.counters.objects.copied.value == 1 && $0.counters.objects.decoded.value == 1 })
    }
  }

  @Test func `under share, all connections have the same instance`() throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectCodec = Instance.codec(Instance.self)
    options.defaultObjectPolicy = .share
    try withDatabase(options) { database in
      let connections = try (0..<3).map { _ in try database.newConnection() }
      try connections[0].readWrite { try $0.setObject(Instance("1"), forKey: "a") }
      for connection in connections { try connection.read { _ = try $0.object(forKey: "a") } }
      let stored = Instance("2")
      try connections[0].readWrite { try $0.setObject(stored, forKey: "a") }
      for connection in connections {
        try connection.read { try #expect($0.object(forKey: "a") as? Instance === stored) }
      }
    }
  }

  @Test func `a changed policy takes effect in the order of the transactions`() throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectCodec = Instance.codec(Instance.self)
    options.defaultObjectPolicy = .share
    try withDatabase(options) { database in
      let writer = try database.newConnection()
      let reader = try database.newConnection()
      try writer.readWrite { try $0.setObject(Instance("1"), forKey: "a") }
      try reader.read { _ = try $0.object(forKey: "a") }
      let stored = Instance("2")
      try writer.readWrite { transaction in
        writer.objectPolicy = .containment  // for the next transaction
        #expect(writer.objectPolicy == .containment)
        try transaction.setObject(stored, forKey: "a")
      }
      try reader.read { try #expect($0.object(forKey: "a") as? Instance === stored) }
      #expect(eventually { writer.lane.withLane { writer.caches.objectPolicy.own == .containment } })
      let next = Instance("3")
      try writer.readWrite { try $0.setObject(next, forKey: "a") }
      try reader.read { transaction in
        let found = try transaction.object(forKey: "a") as? Instance
        #expect(found !== next)
        #expect(found?.content == next.content)
      }
    }
  }

  @Test func `statistics count the actions of the caches`() throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectPolicy = .share
    try withDatabase(options) { database in
      let writer = try database.newConnection()
      let reader = try database.newConnection(name: "reader")
      try writer.readWrite { transaction in
        for key in ["a", "b"] { try transaction.setObject(bytes(key), forKey: key, withMetadata: bytes("m")) }
      }
      try reader.read { transaction in
        _ = try transaction.object(forKey: "a")  // a miss
        _ = try transaction.object(forKey: "a")  // a hit
        _ = try transaction.row(forKey: "a")  // a hit, and a miss for the metadata
        _ = try transaction.metadata(forKey: "b")  // a miss
        _ = try transaction.object(forKey: "none")  // a miss, and nothing to decode
      }
      try writer.readWrite { transaction in
        try transaction.setObject(bytes("2"), forKey: "a", withMetadata: bytes("m2"))
        try transaction.removeObject(forKey: "b")
      }
      try reader.read { _ in }
      let caches = try #require(database.statistics.connections.first { $0.name == "reader" }?.caches)
      let objects = caches.objects
      #expect([objects.hits, objects.misses, objects.decoded] == [2, 2, 1])
      #expect([objects.copied, objects.updatedByPolicy, objects.dropped] == [0, 1, 0])
      let metadata = caches.metadata
      #expect([metadata.hits, metadata.misses, metadata.decoded] == [0, 2, 2])
      #expect([metadata.copied, metadata.updatedByPolicy, metadata.dropped] == [0, 0, 2])
      #expect([objects.readAgain, metadata.readAgain] == [0, 0])
    }
  }

  @Test(arguments: YapDatabasePolicy.allCases)
  func `rereads are counted, and occur only under containment after changes of other connections`(
    _ policy: YapDatabasePolicy
  ) throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectPolicy = policy
    try withDatabase(options) { database in
      let writer = try database.newConnection()
      let reader = try database.newConnection()
      let counters = reader.counters.objects
      func read(_ keys: String...) throws {
        try reader.read { transaction in for key in keys { _ = try transaction.object(forKey: key) } }
      }
      func write(_ value: String, _ keys: String...) throws {
        try writer.readWrite { transaction in for key in keys { try transaction.setObject(bytes(value), forKey: key) } }
      }
      try write("1", "changed", "changed unread", "removed", "stays", "uncached")
      try read("changed", "changed unread", "removed", "stays")
      try write("2", "changed", "changed unread", "uncached")
      try writer.readWrite { try $0.removeObject(forKey: "removed") }
      let decodedBefore = counters.decoded.value
      let missesBefore = try reader.read { $0.cacheMisses }
      try read("changed", "removed", "stays", "uncached", "changed")
      let isDropped = policy == .containment
      let misses = try reader.read { $0.cacheMisses }
      #expect(misses.count - missesBefore.count == (isDropped ? 3 : 2))
      #expect(misses.readAgain - missesBefore.readAgain == (isDropped ? 1 : 0))
      // The row that was not cached is always decoded.
      #expect(counters.decoded.value - decodedBefore == (isDropped ? 2 : 1))
      #expect(counters.readAgain.value == (isDropped ? 1 : 0))
      // A value that the connection stores itself replaces the dropped one.
      try reader.readWrite { try $0.setObject(bytes("3"), forKey: "changed unread") }
      reader.objectCacheLimit = 1
      try read("stays", "changed unread")
      #expect(counters.readAgain.value == (isDropped ? 1 : 0))
    }
  }
}
