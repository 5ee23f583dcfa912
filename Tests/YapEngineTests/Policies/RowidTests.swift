import Testing

@testable import YapEngine

/// SQLite reuses the rowid of a removed row for another row. A remembered rowid must never lead to it.
@Suite struct RowidTests {
  private func contents(_ database: YapDatabase) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    try database.newConnection().read { transaction in
      try transaction.enumerateKeysAndObjects { key, object, _ in found[key] = object as? [UInt8] }
    }
    return found
  }

  /// Checks that rolled back rows are invisible, even if other rows have their rowids now.
  private func playRollback(_ options: YapDatabaseOptions) throws -> Discrepancy? {
    try withDatabase(options) { database in
      let connection = try database.newConnection()
      let letters = "abcdefgh".map { String($0) }
      return Discrepancy.first {
        try connection.readWrite { transaction in
          for letter in letters { try transaction.setObject(bytes(letter), forKey: letter) }
          for letter in letters { _ = try transaction.row(forKey: letter) }
          try transaction.rollback()
        }
        try connection.readWrite { transaction in
          for index in 0..<10 { try transaction.setObject(bytes("\(index)"), forKey: "\(index)") }
          for letter in letters {
            try Discrepancy.check(try transaction.hasObject(forKey: letter), false, "existence of \(letter)")
            try Discrepancy.check(try transaction.object(forKey: letter) == nil, true, "object \(letter) to be nil")
          }
          try transaction.replaceObject(bytes("wrong"), forKey: "a")
          try transaction.replaceMetadata(bytes("wrong"), forKey: "b")
          try transaction.setObject(bytes("c"), forKey: "c")
        }
        var expected = ["c": bytes("c")]
        for index in 0..<10 { expected["\(index)"] = bytes("\(index)") }
        try Discrepancy.check(try contents(database), expected, "rows")
      }
    }
  }

  @Test func `rolled back rows are invisible`() throws {
    #expect(try playRollback(.quick) == nil)
  }

  @Test func `a reused rowid leads to neither row`() throws {
    try withDatabase { database in
      let first = try database.newConnection()
      let second = try database.newConnection()
      try first.readWrite { try $0.setObject(bytes("last"), forKey: "last") }
      try second.read { _ = try $0.row(forKey: "last") }
      try first.readWrite { try $0.removeObject(forKey: "last") }
      try first.readWrite { try $0.setObject(bytes("new"), forKey: "new") }
      try second.readWrite { transaction in
        try #expect(!transaction.hasObject(forKey: "last"))
        try transaction.replaceObject(bytes("wrong"), forKey: "last")
        try transaction.setObject(bytes("again"), forKey: "last")
      }
      try #expect(contents(database) == ["new": bytes("new"), "last": bytes("again")])
    }
  }

  /// A wrong rowid, as if everything that keeps rowids right had failed. The statements also compare the key.
  @Test func `a wrong rowid costs only a second search`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        try transaction.setObject(bytes("a"), forKey: "a", withMetadata: bytes("m"))
        try transaction.setObject(bytes("b"), forKey: "b", withMetadata: bytes("n"))
      }
      let rows = connection.caches.rowids.keys
      #expect(rows.count == 2)
      let rowids = rows.compactMap { connection.caches.rowids.peek($0) }
      func mistake() {
        connection.caches.objects.removeAll()
        connection.caches.metadata.removeAll()
        for (row, rowid) in zip(rows, rowids.reversed()) { connection.caches.rowids.set(rowid, for: row) }
      }
      mistake()
      try connection.read { transaction in
        try #expect(transaction.object(forKey: "a") as? [UInt8] == bytes("a"))
        try #expect(transaction.metadata(forKey: "b") as? [UInt8] == bytes("n"))
      }
      for change in 0..<3 {
        mistake()
        try connection.readWrite { transaction in
          switch change {
          case 0: try transaction.setObject(bytes("a2"), forKey: "a", withMetadata: bytes("m"))
          case 1: try transaction.replaceObject(bytes("a3"), forKey: "a")
          default: try transaction.replaceMetadata(bytes("m2"), forKey: "a")
          }
        }
      }
      try #expect(contents(database) == ["a": bytes("a3"), "b": bytes("b")])
      try database.newConnection().read { transaction in
        try #expect(transaction.metadata(forKey: "a") as? [UInt8] == bytes("m2"))
        try #expect(transaction.metadata(forKey: "b") as? [UInt8] == bytes("n"))
      }
    }
  }

  @Test func `a rollback forgets the rowids that it changed, and keeps the others`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        for key in ["a", "b"] { try transaction.setObject(bytes(key), forKey: key) }
      }
      try connection.readWrite { transaction in
        try transaction.setObject(bytes("x"), forKey: "a")
        try transaction.rollback()
      }
      #expect(connection.caches.rowids.keys.map(\.key.text) == ["b"])
      #expect(connection.caches.objects.count == 0)
      try? connection.readWrite { transaction in
        try transaction.setObject(bytes("c"), forKey: "c")
        throw Deliberate()
      }
      #expect(connection.caches.rowids.keys.map(\.key.text) == ["b"])
    }
  }

  @Test func `rowids are kept for as many rows as the larger of the other caches, and for at least 500`() {
    func limit(_ objects: Int, _ metadata: Int) -> Int {
      var settings = YapDatabaseConnectionDefaults()
      settings.objectCacheLimit = objects
      settings.metadataCacheLimit = metadata
      return settings.rowidCacheLimit
    }
    #expect([limit(250, 250), limit(1, 2), limit(600, 700), limit(0, 5), limit(5, 0)] == [500, 500, 700, 0, 0])
  }
}
