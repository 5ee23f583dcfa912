import SQLiteBinding
import Testing

@testable import YapEngine

/// Lists of keys of any length. SQLite allows 32,766 parameters in a statement.
@Suite struct BatchTests {
  @Test(arguments: [0, 1, 999, 1_000, 32_765, 32_766, 32_767, 98_299])
  func `many keys, some of which repeat, are read and removed`(_ count: Int) throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      let rows = (0..<50).map { "\($0)" }
      try connection.readWrite { transaction in
        for key in rows { try transaction.setObject(bytes(key), forKey: key, withMetadata: bytes("m" + key)) }
      }
      // Every 100th key exists, and repeats in a long list; the others do not exist.
      let keys = (0..<count).map { $0 % 100 == 0 ? rows[$0 / 100 % rows.count] : "none \($0)" }
      try connection.read { transaction in
        var visited = 0
        try transaction.enumerateObjects(forKeys: keys) { index, object, _ in
          #expect(object as? [UInt8] == (index % 100 == 0 ? bytes(keys[index]) : nil))
          visited += 1
        }
        try transaction.enumerateMetadata(forKeys: keys) { index, metadata, _ in
          #expect(metadata as? [UInt8] == (index % 100 == 0 ? bytes("m" + keys[index]) : nil))
          visited += 1
        }
        #expect(visited == 2 * count)
      }
      let named = Set(keys.filter { rows.contains($0) })
      let before = database.snapshot
      try connection.readWrite { try $0.removeObjects(forKeys: keys) }
      try connection.read { transaction in
        try #expect(Set(transaction.allKeys()) == Set(rows).subtracting(named))
      }
      #expect(database.snapshot == (count == 0 ? before : before + 1))
    }
  }

  #if TestPoints
    /// No statement has more parameters than a row needs, whatever the length of the list. The test lowers SQLite's
    /// limit to that number.
    @Test(arguments: [0, 1, 4, 5, 6, 16])
    func `longer lists do not make longer statements`(_ count: Int) throws {
      try withDatabase { database in
        let connection = try database.newConnection()
        database.writer.handle.sqlite.limitVariables(to: 5)
        connection.handle.sqlite.limitVariables(to: 5)
        #expect(throws: SQLiteError.self) { _ = try connection.handle.sqlite.prepare("SELECT ?6") }
        let keys = (0..<count).map { "\($0)" }
        try connection.readWrite { transaction in
          for key in keys + ["stays"] { try transaction.setObject(bytes(key), forKey: key, withMetadata: bytes("m")) }
        }
        // Another connection, whose caches are empty.
        let other = try database.newConnection()
        other.handle.sqlite.limitVariables(to: 5)
        try other.read { transaction in
          var found: [String] = []
          try transaction.enumerateObjects(forKeys: keys + keys) { _, object, _ in
            found.append(String(decoding: object as? [UInt8] ?? [], as: UTF8.self))
          }
          #expect(found == keys + keys)
        }
        try connection.readWrite { try $0.removeObjects(forKeys: keys + keys) }
        try other.read { try #expect($0.allKeys() == ["stays"]) }
      }
    }
  #endif
}
