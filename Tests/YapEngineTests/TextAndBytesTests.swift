import Foundation
import TestSupport
import Testing

@testable import YapEngine

/// Keys and collections are compared as bytes, not as Swift strings. Objects may have no bytes.
@Suite struct TextAndBytesTests {
  /// Two spellings of one letter, and names with a NUL byte and without.
  private static let names = ["\u{e9}", "e\u{301}", "nul\u{0}a", "nul\u{0}b", "nul", "", "\u{0}"]

  @Test func `every call distinguishes names that differ only in their bytes`() throws {
    try withDatabase { database in
      let writer = try database.newConnection()
      try writer.readWrite { transaction in
        for (number, name) in Self.names.enumerated() {
          try transaction.setObject([UInt8(number)], forKey: name, inCollection: "keys")
          try transaction.setObject([UInt8(number)], forKey: "k", inCollection: name)
        }
      }
      for connection in [writer, try database.newConnection()] {
        try connection.read { transaction in
          for (number, name) in Self.names.enumerated() {
            try #expect(transaction.object(forKey: name, inCollection: "keys") as? [UInt8] == [UInt8(number)])
            try #expect(transaction.object(forKey: "k", inCollection: name) as? [UInt8] == [UInt8(number)])
            try #expect(transaction.allKeys(inCollection: name) == ["k"])
            try #expect(transaction.collections(withKey: name).map { ByteString($0) } == [ByteString("keys")])
          }
          try #expect(Self.spellings(transaction.allKeys(inCollection: "keys")) == Self.spellings(Self.names))
          try #expect(Self.spellings(transaction.allCollections()) == Self.spellings(Self.names + ["keys"]))
          var found: [Int] = []
          try transaction.enumerateObjects(forKeys: Self.names, inCollection: "keys") { index, object, _ in
            if object as? [UInt8] == [UInt8(index)] { found.append(index) }
          }
          #expect(found == Array(Self.names.indices))
        }
      }
    }
  }

  @Test func `a removal or a change of one spelling does not affect the other`() throws {
    try withDatabase { database in
      let writer = try database.newConnection()
      let ui = try database.newConnection()
      try writer.readWrite { transaction in
        for name in Self.names { try transaction.setObject(bytes("old"), forKey: name, inCollection: "keys") }
      }
      try ui.beginLongLivedReadTransaction()
      try ui.read { transaction in
        for name in Self.names { _ = try transaction.object(forKey: name, inCollection: "keys") }
      }
      try writer.readWrite { transaction in
        try transaction.removeObjects(forKeys: ["\u{e9}", "nul\u{0}a"], inCollection: "keys")
        try transaction.setObject(bytes("new"), forKey: "nul\u{0}b", inCollection: "keys")
      }
      let jumped = try ui.beginLongLivedReadTransaction()
      let changed = Self.names.filter { ui.hasChange(forKey: $0, inCollection: "keys", in: jumped) }
      #expect(Self.spellings(changed) == Self.spellings(["\u{e9}", "nul\u{0}a", "nul\u{0}b"]))
      try ui.read { transaction in
        let left = try Self.names.filter { try transaction.hasObject(forKey: $0, inCollection: "keys") }
        #expect(Self.spellings(left) == Self.spellings(["e\u{301}", "nul\u{0}b", "nul", "", "\u{0}"]))
        try #expect(transaction.object(forKey: "nul\u{0}b", inCollection: "keys") as? [UInt8] == bytes("new"))
      }
    }
  }

  @Test func `a name from another string type is the same name`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      let bridged = NSString(string: "bridged \u{e9} name of some length") as String
      try connection.readWrite { try $0.setObject(bytes("1"), forKey: bridged) }
      try #expect(connection.read { try $0.hasObject(forKey: "bridged \u{e9} name of some length") })
    }
  }

  @Test func `an object and metadata without bytes exist, also after reopening`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      var options = YapDatabaseOptions.quick
      options.defaultObjectCodec = .bytes
      options.defaultMetadataCodec = .bytes
      for round in 0..<2 {
        let database = try YapDatabase(path: path, options: options)
        let writer = try database.newConnection()
        if round == 0 {
          try writer.readWrite { transaction in
            try transaction.setObject([UInt8](), forKey: "array", withMetadata: [UInt8]())
            try transaction.setObject(Data(), forKey: "data", withMetadata: Data())
            try transaction.setObject([UInt8](), forKey: "none")
            try transaction.setObject([UInt8](), forKey: "replaced", withMetadata: bytes("m"))
            try transaction.replaceMetadata([UInt8](), forKey: "replaced")
            try transaction.replaceObject([UInt8](), forKey: "replaced")
          }
        }
        try database.newConnection().read { transaction in
          for key in ["array", "data", "replaced"] {
            let row = try #require(try transaction.row(forKey: key))
            #expect(row.object as? [UInt8] == [])
            #expect(row.metadata as? [UInt8] == [])
            try #expect(transaction.hasObject(forKey: key))
            try #expect(transaction.serializedObject(forKey: key) == [])
            try #expect(transaction.serializedMetadata(forKey: key) == [])
          }
          try #expect(transaction.object(forKey: "none") as? [UInt8] == [])
          try #expect(transaction.metadata(forKey: "none") == nil)
        }
        try database.close()
      }
    }
  }

  private static func spellings(_ names: [String]) -> Set<ByteString> { Set(names.map { ByteString($0) }) }
}
