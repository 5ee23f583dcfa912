import Foundation
import Testing

@testable import YapEngine

@Suite struct RowTests {
  @Test func `a stored row is read on the same connection and on another`() throws {
    try withDatabase { database in
      let writer = try database.newConnection(name: "writer")
      let reader = try database.newConnection(name: "reader")
      try writer.readWrite { transaction in
        try transaction.setObject(bytes("hello"), forKey: "a", inCollection: "texts", withMetadata: bytes("m"))
        try transaction.setObject(bytes("world"), forKey: "b", inCollection: "texts")
      }
      for connection in [writer, reader] {
        try connection.read { transaction in
          try #expect(transaction.object(forKey: "a", inCollection: "texts") as? [UInt8] == bytes("hello"))
          try #expect(transaction.metadata(forKey: "a", inCollection: "texts") as? [UInt8] == bytes("m"))
          try #expect(transaction.metadata(forKey: "b", inCollection: "texts") == nil)
          try #expect(transaction.object(forKey: "c", inCollection: "texts") == nil)
          try #expect(transaction.object(forKey: "a", inCollection: "other") == nil)
          try #expect(transaction.allKeys(inCollection: "texts").sorted() == ["a", "b"])
        }
      }
      #expect(database.snapshot == 1)
    }
  }

  @Test func `a bookmarked snapshot stays until it is moved, and the jump returns each commit once`() throws {
    try withDatabase { database in
      let writer = try database.newConnection(name: "writer")
      let ui = try database.newConnection(name: "ui")
      try writer.readWrite { try $0.setObject(bytes("1"), forKey: "k") }
      // A first bookmark returns the commits that the connection has not seen yet.
      try #expect(ui.beginLongLivedReadTransaction().allSatisfy { $0.snapshot == 1 })
      for value in ["2", "3"] { try writer.readWrite { try $0.setObject(bytes(value), forKey: "k") } }
      try #expect(ui.read { try $0.object(forKey: "k") as? [UInt8] } == bytes("1"))
      let pin = try #require(database.statistics.walPinnedBy)
      #expect(pin.name == "ui")
      #expect(pin.framesHeldAlone > 0)
      let jumped = try ui.beginLongLivedReadTransaction()
      #expect(jumped.map(\.snapshot) == [2, 3])
      #expect(ui.hasChange(forKey: "k", in: jumped))
      try #expect(ui.beginLongLivedReadTransaction().isEmpty)
      try #expect(ui.read { try $0.object(forKey: "k") as? [UInt8] } == bytes("3"))
      #expect(throws: YapDatabaseError.self) { try ui.readWrite { _ in } }
    }
  }
}
