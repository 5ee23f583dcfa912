import TestSupport
import Testing

@testable import YapEngine

/// Reads that lend stored bytes. That a span does not outlive its block is checked by the compiler.
@Suite struct BorrowedTests {
  private static let keys = (0..<10).map { "key \($0)" }

  private func withRows(
    _ options: YapDatabaseOptions = .quick,
    _ body: (YapDatabase, YapDatabaseConnection) throws -> Void
  ) throws {
    var options = options
    options.defaultObjectCodec = .bytes
    try withDatabase(options) { database in
      let connection = try database.newConnection(name: "borrowing")
      try connection.readWrite { transaction in
        for key in Self.keys { try transaction.setObject(bytes(key), forKey: key) }
      }
      try body(database, connection)
    }
  }

  /// The text of an object; nil if there is no such row.
  private func text(_ key: String, in transaction: YapDatabaseReadTransaction) throws -> String? {
    try transaction.withSerializedObject(forKey: key) { String(stored: $0) }
  }

  private func enumerated(_ transaction: YapDatabaseReadTransaction) throws -> [String] {
    var found: [String] = []
    try transaction.enumerateKeysAndSerializedObjects { key, object, _ in
      found.append("\(String(stored: key)): \(String(stored: object))")
    }
    return found.sorted()
  }

  @Test func `lent bytes are those in the file, with the transaction's own changes, and after a rollback without`()
    throws
  {
    try withRows { database, connection in
      let stored = Self.keys.map { "\($0): \($0)" }
      try connection.readWrite { transaction in
        try transaction.setObject(bytes("new"), forKey: "key 3")
        try transaction.setObject([] as [UInt8], forKey: "")
        #expect(try text("key 3", in: transaction) == "new")
        #expect(try text("", in: transaction)?.isEmpty == true)
        let changed = stored.map { $0 == "key 3: key 3" ? "key 3: new" : $0 }
        #expect(try enumerated(transaction) == [": "] + changed)
        try transaction.rollback()
      }
      try database.newConnection().read { transaction in
        #expect(try enumerated(transaction) == stored)
        #expect(try text("none", in: transaction) == nil)
        #expect(try transaction.withSerializedObject(forKey: "key 1", inCollection: "none") { $0.byteCount } == nil)
        try transaction.enumerateKeysAndSerializedObjects(inCollection: "none") { _, _, _ in Issue.record("a row") }
      }
    }
  }

  @Test func `lent bytes need no codec, and neither use caches nor fill them`() throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectCodec = YapDatabaseCodec { _, _, _, write in
      try bytes("stored").withUnsafeBytes(write)
    } decode: { _, _, _ in
      throw Deliberate()
    }
    options.undecodableValueHandler = { _ in
      Issue.record("the handler was called")
      return .stop
    }
    try withDatabase(options) { database in
      let connection = try database.newConnection()
      try connection.readWrite { try $0.setObject(1, forKey: "cached") }
      try connection.read { transaction in
        #expect(connection.caches.objects.count == 1)
        #expect(try text("cached", in: transaction) == "stored")
        #expect(try enumerated(transaction) == ["cached: stored"])
        try transaction.enumerateSerializedObjects(forKeys: ["cached"]) { _, object, _ in
          #expect(object?.byteCount == 6)
        }
      }
      let counters = connection.counters.objects
      #expect([counters.hits.value, counters.misses.value, counters.decoded.value] == [0, 0, 0])
      #expect(connection.caches.objects.count == 1)
    }
  }

  @Test func `objects for several keys are lent in the order of the keys`() throws {
    try withRows { _, connection in
      try connection.read { transaction in
        var found: [String] = []
        try transaction.enumerateSerializedObjects(forKeys: ["key 7", "none", "key 2", "key 7"]) { index, object, _ in
          if let object { found.append("\(index) \(String(stored: object))") } else { found.append("\(index) -") }
        }
        #expect(found == ["0 key 7", "1 -", "2 key 2", "3 key 7"])
        for end in 0..<3 {
          var count = 0
          try transaction.enumerateSerializedObjects(forKeys: ["key 7", "none", "key 2", "key 7"]) { index, _, stop in
            count += 1
            stop = index == end
          }
          #expect(count == end + 1)
        }
      }
    }
  }

  @Test func `a span keeps its bytes while its block reads and changes rows`() throws {
    try withRows { _, connection in
      try connection.readWrite { transaction in
        try transaction.withSerializedObject(forKey: "key 1") { span in
          try transaction.setObject([UInt8](repeating: 9, count: 20_000), forKey: "key 1")
          try transaction.removeObject(forKey: "key 2")
          try #expect(transaction.withSerializedObject(forKey: "key 1") { $0.byteCount } == 20_000)
          #expect(String(stored: span) == "key 1")
          try transaction.removeAllObjectsInAllCollections()
          #expect(String(stored: span) == "key 1")
        }
        #expect(try enumerated(transaction) == [])
      }
    }
  }

  @Test func `borrowing enumerations may be nested, stopped and left by an error, and a change ends them`() throws {
    try withRows { database, connection in
      try connection.readWrite { transaction in
        var count = 0
        try transaction.enumerateKeysAndSerializedObjects { outer, _, _ in
          try transaction.enumerateKeysAndSerializedObjects { key, object, stop in
            #expect(String(stored: key) == String(stored: object))
            count += 1
            stop = count % 3 == 0
          }
          let key = String(stored: outer)
          #expect(try text(key, in: transaction) == key)
        }
        #expect(count == 30)
        let error = code {
          try transaction.enumerateKeysAndSerializedObjects { key, _, _ in
            try transaction.removeObject(forKey: String(stored: key))
          }
        }
        #expect(error == .mutatedDuringEnumeration)
        try transaction.enumerateKeysAndSerializedObjects { key, _, stop in
          try transaction.removeObject(forKey: String(stored: key))
          stop = true
        }
        #expect(try transaction.numberOfKeys() == 8)
      }
      #expect(throws: Deliberate.self) {
        try connection.read { transaction in
          try transaction.enumerateKeysAndSerializedObjects { _, _, _ in
            try transaction.withSerializedObject(forKey: "key 9") { _ in throw Deliberate() }
          }
        }
      }
      try connection.readWrite { try $0.setObject(bytes("after"), forKey: "after") }
      #expect(eventually { database.statistics.walBacklogFrames == 0 })
      let escaped = try connection.read { $0 }
      #expect(code { try escaped.withSerializedObject(forKey: "key 9") { _ in } } == .transactionEnded)
      #expect(code { try escaped.enumerateKeysAndSerializedObjects { _, _, _ in } } == .transactionEnded)
      #expect(code { try escaped.enumerateSerializedObjects(forKeys: []) { _, _, _ in } } == .transactionEnded)
    }
  }
}

extension String {
  /// The text of stored UTF-8.
  fileprivate init(stored span: RawSpan) {
    self = span.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }
}
