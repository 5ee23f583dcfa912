import SQLiteBinding
import TestSupport
import Testing

@testable import YapEngine

@Suite struct CommitTests {
  /// Rows that get the rowids of rolled back rows must not be confused with these.
  @Test func `nothing of a rolled back transaction is visible, whatever reuses its rowids`() throws {
    try withDatabase { database in
      let a = try database.newConnection(name: "a")
      let b = try database.newConnection(name: "b")
      let letters = (97...122).map { String(UnicodeScalar(UInt8($0))) }
      try a.readWrite { try $0.setObject(bytes("kept"), forKey: "kept") }
      try a.readWrite { transaction in
        for letter in letters {
          try transaction.setObject(bytes(letter), forKey: letter, inCollection: "new")
          _ = try transaction.object(forKey: letter, inCollection: "new")
        }
        try transaction.setObject(bytes("lost"), forKey: "kept")
        try transaction.rollback()
        // The block continues, and its changes are lost too.
        try transaction.setObject(bytes("late"), forKey: "late")
        try #expect(transaction.hasObject(forKey: "late"))
      }
      #expect(database.snapshot == 1)
      try b.readWrite { transaction in
        for letter in letters { try transaction.setObject(bytes("b"), forKey: "other " + letter, inCollection: "b") }
      }
      for connection in [a, b] {
        try connection.read { transaction in
          for letter in letters {
            try #expect(!transaction.hasObject(forKey: letter, inCollection: "new"))
            try #expect(transaction.object(forKey: "other " + letter, inCollection: "b") as? [UInt8] == bytes("b"))
          }
          try #expect(transaction.object(forKey: "kept") as? [UInt8] == bytes("kept"))
          try #expect(!transaction.hasObject(forKey: "late"))
          try #expect(transaction.allCollections().sorted() == ["", "b"])
        }
      }
      // The name of the collection, which was rolled back, is stored when it is used again.
      try a.readWrite { try $0.setObject(bytes("1"), forKey: "a", inCollection: "new") }
      try #expect(b.read { try $0.allCollections().sorted() } == ["", "b", "new"])
    }
  }

  @Test func `a block that throws stores nothing, and its error is rethrown`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      #expect(throws: Deliberate()) {
        try connection.readWrite { transaction in
          try transaction.setObject(bytes("1"), forKey: "k")
          throw Deliberate()
        }
      }
      #expect(database.snapshot == 0)
      try connection.read { try #expect(!$0.hasObject(forKey: "k")) }
    }
  }

  @Test func `a transaction that changes nothing makes no commit`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      let listener = Listener(database)
      try connection.readWrite { _ in }
      try connection.readWrite { transaction in
        try transaction.removeObject(forKey: "absent", inCollection: "absent")
        try transaction.replaceObject(bytes("x"), forKey: "absent")
        try transaction.replaceMetadata(bytes("x"), forKey: "absent")
        try transaction.touchRow(forKey: "absent")
        try transaction.removeAllObjects(inCollection: "absent")
        try transaction.removeAllObjectsInAllCollections()
        try transaction.setCustomObject(1)
        try transaction.setCustomObject(nil)
      }
      #expect(database.snapshot == 0)
      try connection.readWrite { try $0.setCustomObject("alone") }
      #expect(database.snapshot == 1)
      #expect(eventually { !listener.told.all.isEmpty })
      #expect(listener.told.all.map(\.snapshot) == [1])
      #expect(listener.told.all.first?.customObject as? String == "alone")
    }
  }

  @Test func `a commit of touches stores its number, and the next process continues from it`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      var database = try YapDatabase(path: path, options: .quick)
      var connection = try database.newConnection()
      try connection.readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      for _ in 0..<3 {
        try connection.readWrite { try $0.touchRow(forKey: "k") }
        // A new connection reads the number from the file, and it equals the number in memory.
        try #expect(database.newConnection().read { $0.snapshot } == database.snapshot)
      }
      #expect(database.snapshot == 4)
      try database.close()
      let handle = try SQLiteHandle(path: path)
      try #expect(handle.integer("SELECT number FROM snapshot") == 4)
      try handle.close()
      database = try YapDatabase(path: path, options: .quick)
      #expect(database.snapshot == 4)
      connection = try database.newConnection()
      try connection.readWrite { try $0.touchRow(forKey: "k") }
      #expect(database.snapshot == 5)
      try database.close()
    }
  }

  @Test func `a touch keeps cached values, and is notified`() throws {
    try withDatabase { database in
      let writer = try database.newConnection()
      let ui = try database.newConnection()
      try writer.readWrite { try $0.setObject(bytes("1"), forKey: "k", withMetadata: bytes("m")) }
      try ui.beginLongLivedReadTransaction()
      try ui.read { _ = try $0.row(forKey: "k") }
      let decoded = ui.counters.objects.decoded.value
      try writer.readWrite { try $0.touchObject(forKey: "k") }
      let jumped = try ui.beginLongLivedReadTransaction()
      #expect(ui.hasObjectChange(forKey: "k", in: jumped))
      #expect(!ui.hasMetadataChange(forKey: "k", in: jumped))
      try ui.read { _ = try $0.row(forKey: "k") }
      #expect(ui.counters.objects.decoded.value == decoded)
    }
  }

  /// The reader reads only from its caches, and no writer may have to wait for it.
  @Test func `a write ends while a reader holds a transaction open`() throws {
    try withDatabase { database in
      let writer = try database.newConnection()
      let reader = try database.newConnection()
      try writer.readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      try reader.read { _ = try $0.object(forKey: "k") }
      try reader.read { transaction in
        try #expect(transaction.object(forKey: "k") as? [UInt8] == bytes("1"))
        for _ in 0..<10 { try writer.readWrite { try $0.setObject(bytes("2"), forKey: "k") } }
        #expect(database.snapshot == 11)
        #expect(database.statistics.walPinnedBy?.number == reader.id.number)
        try #expect(transaction.object(forKey: "k") as? [UInt8] == bytes("1"))
      }
    }
  }

  @Test func `a statement that fails makes the transaction roll back`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      let error = failure {
        try connection.readWrite { transaction in
          try transaction.setObject(bytes("1"), forKey: "a")
          try database.writer.handle.sqlite.execute("DROP INDEX data_by_key; ALTER TABLE data RENAME TO elsewhere")
          let first = code { try transaction.setObject(bytes("1"), forKey: "b") }
          #expect(first == .storage)
          try database.writer.handle.sqlite.execute("ALTER TABLE elsewhere RENAME TO data")
          // Catching the error does not prevent the rollback.
          #expect(code { try transaction.setObject(bytes("1"), forKey: "c") } == .storage)
        }
      }
      #expect(error?.code == .storage)
      #expect(database.snapshot == 0)
      try connection.readWrite { try $0.setObject(bytes("2"), forKey: "a") }
      #expect(database.snapshot == 1)
      try #expect(database.newConnection().read { try $0.allKeys() } == ["a"])
    }
  }

  /// After SQLite has rolled back by itself, each later statement would be committed on its own.
  @Test(arguments: [false, true])
  func `nothing is stored after SQLite has ended the transaction`(_ writesAfter: Bool) throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      let error = code {
        try connection.readWrite { transaction in
          try transaction.setObject(bytes("1"), forKey: "before")
          database.writer.handle.rollbackIfNeeded()
          guard writesAfter else { return }
          #expect(code { try transaction.setObject(bytes("1"), forKey: "after") } == .snapshotLost)
          #expect(code { try transaction.removeAllObjects() } == .snapshotLost)
        }
      }
      #expect(error == .snapshotLost)
      #expect(database.snapshot == 0)
      for reader in [connection, try database.newConnection()] {
        try reader.read { transaction in try #expect(transaction.numberOfKeysInAllCollections() == 0) }
      }
      try connection.readWrite { try $0.setObject(bytes("2"), forKey: "k") }
      #expect(database.snapshot == 1)
    }
  }

  /// COMMIT fails, so the announced commit is withdrawn, and the next commit gets its number.
  @Test func `a commit that fails is not notified, and the next one gets its number`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      let reader = try database.newConnection()
      let listener = Listener(database)
      let sqlite = database.writer.handle.sqlite
      try sqlite.execute("PRAGMA foreign_keys = ON")
      try sqlite.execute("CREATE TABLE parent(id INTEGER PRIMARY KEY)")
      try sqlite.execute("CREATE TABLE child(id REFERENCES parent(id) DEFERRABLE INITIALLY DEFERRED)")
      let error = failure {
        try connection.readWrite { transaction in
          try transaction.setObject(bytes("1"), forKey: "k")
          try sqlite.execute("INSERT INTO child VALUES (7)")
        }
      }
      #expect(error?.code == .storage)
      #expect(database.snapshot == 0)
      for each in [connection, reader] { try each.read { try #expect(!$0.hasObject(forKey: "k")) } }
      try connection.readWrite { try $0.setObject(bytes("2"), forKey: "k") }
      #expect(database.snapshot == 1)
      try #expect(reader.read { try $0.object(forKey: "k") as? [UInt8] } == bytes("2"))
      #expect(eventually { listener.told.all.map(\.snapshot) == [1] })
    }
  }
}
