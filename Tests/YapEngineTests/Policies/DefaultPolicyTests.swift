import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// Default policies that change while the database is open.
@Suite struct DefaultPolicyTests {
  /// Lets another connection change a row that `reader` has cached, and `reader` read it.
  /// - Returns: The number of times that the reader decoded the new value, which is 0 if it came with the commit.
  private func decodesAfterChange(
    _ reader: YapDatabaseConnection,
    _ writer: YapDatabaseConnection,
    inCollection collection: String = ""
  ) throws -> (objects: Int, metadata: Int) {
    func read() throws { _ = try reader.read { try $0.row(forKey: "k", inCollection: collection) } }
    try writer.readWrite { transaction in
      try transaction.setObject(bytes("1"), forKey: "k", inCollection: collection, withMetadata: bytes("m"))
    }
    try read()
    try writer.readWrite { transaction in
      try transaction.setObject(bytes("2"), forKey: "k", inCollection: collection, withMetadata: bytes("n"))
    }
    let before = (reader.counters.objects.decoded.value, reader.counters.metadata.decoded.value)
    try read()
    return (reader.counters.objects.decoded.value - before.0, reader.counters.metadata.decoded.value - before.1)
  }

  @Test func `a changed default takes effect on connections without a policy of their own`() throws {
    try withDatabase { database in
      let (reader, writer) = (try database.newConnection(), try database.newConnection())
      #expect(database.defaultObjectPolicy == .containment && database.defaultMetadataPolicy == .containment)
      try #expect(decodesAfterChange(reader, writer) == (1, 1))

      database.defaultObjectPolicy = .share
      try #expect(decodesAfterChange(reader, writer) == (0, 1))
      try #expect(decodesAfterChange(try database.newConnection(), writer) == (0, 1))
      database.defaultMetadataPolicy = .copy
      try #expect(decodesAfterChange(reader, writer) == (0, 0))

      reader.objectPolicy = .containment
      try #expect(decodesAfterChange(reader, writer) == (1, 0))
      reader.objectPolicy = nil
      database.defaultObjectPolicy = .containment
      try #expect(decodesAfterChange(reader, writer) == (1, 0))
      #expect(database.options.defaultObjectPolicy == .containment)
    }
  }

  @Test func `a collection's policy overrides a changed default`() throws {
    var options = YapDatabaseOptions.quick
    options.objectPolicies = ["own": .containment]
    options.metadataPolicies = ["own": .share]
    try withDatabase(options) { database in
      database.defaultObjectPolicy = .share
      let (reader, writer) = (try database.newConnection(), try database.newConnection())
      try #expect(decodesAfterChange(reader, writer, inCollection: "own") == (1, 0))
      try #expect(decodesAfterChange(reader, writer, inCollection: "other") == (0, 1))
    }
  }

  @Test func `the effective policy is that of the connection, else the collection's, else the default`() throws {
    let orNone: [YapDatabasePolicy?] = [nil] + YapDatabasePolicy.allCases.map { $0 }
    for ofCollection in orNone {
      var options = YapDatabaseOptions.quick
      options.objectPolicies["c"] = ofCollection
      options.metadataPolicies["c"] = ofCollection
      options.defaultMetadataPolicy = .copy
      try withDatabase(options) { database in
        let connection = try database.newConnection()
        #expect(connection.effectiveMetadataPolicy() == .copy)
        for ofDatabase in YapDatabasePolicy.allCases {
          database.defaultObjectPolicy = ofDatabase
          database.defaultMetadataPolicy = ofDatabase
          for own in orNone {
            connection.objectPolicy = own
            connection.metadataPolicy = own
            let expected = (own ?? ofCollection ?? ofDatabase, own ?? ofDatabase)
            let object = (connection.effectiveObjectPolicy(inCollection: "c"), connection.effectiveObjectPolicy())
            let metadata = (connection.effectiveMetadataPolicy(inCollection: "c"), connection.effectiveMetadataPolicy())
            #expect(object == expected)
            #expect(metadata == expected)
          }
        }
      }
    }
  }

  @Test func `threads read right values while the defaults change`() throws {
    try withDatabase { database in
      let isOver = Guarded(false)
      let setting = try WorkerThread(name: "setting") {
        var count = 0
        while !isOver.withLock({ $0 }) {
          database.defaultObjectPolicy = YapDatabasePolicy.allCases[count % 3]
          database.defaultMetadataPolicy = YapDatabasePolicy.allCases[(count + 1) % 3]
          count += 1
        }
      }
      let (reader, writer) = (try database.newConnection(), try database.newConnection())
      for number in 0..<TestScale.count(500) {
        let value = bytes("\(number)")
        try writer.readWrite { try $0.setObject(value, forKey: "k", withMetadata: value) }
        let row = try reader.read { try $0.row([UInt8].self, metadata: [UInt8].self, forKey: "k") }
        #expect(row?.object == value && row?.metadata == value)
      }
      isOver.withLock { $0 = true }
      setting.join()
    }
  }
}
