import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

@Suite struct SanitizerTests {
  private func options(_ sanitizer: YapDatabaseSanitizer) -> YapDatabaseOptions {
    var options = YapDatabaseOptions.quick
    options.defaultObjectSanitizer = sanitizer
    options.defaultMetadataSanitizer = sanitizer
    return options
  }

  /// Doubles bytes, returns nil for "gone", and throws for "bad".
  private static let doubling = YapDatabaseSanitizer(before: { _, _, object in
    let content = object as? [UInt8] ?? []
    if content == bytes("bad") { throw Deliberate() }
    return content == bytes("gone") ? nil : content + content
  })

  @Test func `the value that a sanitizer returns is stored, cached and shared`() throws {
    var options = options(Self.doubling)
    options.defaultObjectPolicy = .share
    options.defaultMetadataPolicy = .share
    try withDatabase(options) { database in
      let writer = try database.newConnection()
      let reader = try database.newConnection()
      try writer.readWrite { try $0.setObject(bytes("a"), forKey: "k", withMetadata: bytes("m")) }
      try reader.read { _ = try $0.row(forKey: "k") }
      try writer.readWrite { transaction in
        try transaction.replaceObject(bytes("b"), forKey: "k")
        try transaction.replaceMetadata(bytes("n"), forKey: "k")
      }
      for connection in [writer, reader, try database.newConnection()] {
        try connection.read { transaction in
          try #expect(transaction.object(forKey: "k") as? [UInt8] == bytes("bb"))
          try #expect(transaction.metadata(forKey: "k") as? [UInt8] == bytes("nn"))
        }
      }
      #expect(reader.counters.objects.updatedByPolicy.value == 1)
    }
  }

  @Test func `a sanitizer that returns nil removes the row or its metadata`() throws {
    try withDatabase(options(Self.doubling)) { database in
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        for key in ["set", "replaced", "metadata"] {
          try transaction.setObject(bytes(key), forKey: key, withMetadata: bytes("m"))
        }
        try transaction.setObject(bytes("gone"), forKey: "set", withMetadata: bytes("m"))
        try transaction.replaceObject(bytes("gone"), forKey: "replaced")
        try transaction.setObject(bytes("x"), forKey: "metadata", withMetadata: bytes("gone"))
        try transaction.setObject(bytes("gone"), forKey: "never there")
      }
      try database.newConnection().read { transaction in
        try #expect(transaction.allKeys() == ["metadata"])
        try #expect(transaction.metadata(forKey: "metadata") == nil)
      }
      try connection.readWrite { transaction in
        try transaction.replaceMetadata(bytes("m"), forKey: "metadata")
        try transaction.replaceMetadata(bytes("gone"), forKey: "metadata")
        try #expect(transaction.metadata(forKey: "metadata") == nil)
      }
    }
  }

  @Test func `an error of a sanitizer is rethrown, and the transaction continues`() throws {
    try withDatabase(options(Self.doubling)) { database in
      try database.newConnection().readWrite { transaction in
        try transaction.setObject(bytes("a"), forKey: "k")
        #expect(throws: Deliberate.self) { try transaction.setObject(bytes("bad"), forKey: "k") }
        #expect(throws: Deliberate.self) {
          try transaction.setObject(bytes("b"), forKey: "k", withMetadata: bytes("bad"))
        }
        #expect(throws: Deliberate.self) { try transaction.replaceObject(bytes("bad"), forKey: "k") }
        #expect(throws: Deliberate.self) { try transaction.replaceMetadata(bytes("bad"), forKey: "k") }
      }
      try database.newConnection().read { try #expect($0.object(forKey: "k") as? [UInt8] == bytes("aa")) }
    }
  }

  @Test func `a collection's sanitizer replaces the default`() throws {
    var options = options(Self.doubling)
    options.objectSanitizers = [
      "own": YapDatabaseSanitizer(before: { collection, key, _ in bytes(collection + key) })
    ]
    options.metadataSanitizers = ["none": YapDatabaseSanitizer()]
    try withDatabase(options) { database in
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        for collection in ["own", "none", "other"] {
          try transaction.setObject(bytes("x"), forKey: "k", inCollection: collection, withMetadata: bytes("m"))
        }
      }
      func row(_ collection: String) throws -> [[UInt8]?] {
        let row = try connection.read { try $0.row(forKey: "k", inCollection: collection) }
        return [row?.object as? [UInt8], row?.metadata as? [UInt8]]
      }
      try #expect(row("own") == [bytes("ownk"), bytes("mm")])
      try #expect(row("none") == [bytes("xx"), bytes("m")])
      try #expect(row("other") == [bytes("xx"), bytes("mm")])
    }
  }

  @Test func `closures of two arguments receive the key and the object`() throws {
    let seen = SharedList<String>()
    let sanitizer = YapDatabaseSanitizer(
      before: { key, object in bytes(key) + (object as? [UInt8] ?? []) },
      after: { key, object in seen.append("\(key) \(String(decoding: object as? [UInt8] ?? [], as: UTF8.self))") }
    )
    let short = YapDatabaseSanitizer { _, object in object }
    var options = options(sanitizer)
    options.objectSanitizers["same"] = short
    try withDatabase(options) { database in
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        try transaction.setObject(bytes("o"), forKey: "k", withMetadata: bytes("m"))
        try transaction.setObject(bytes("o"), forKey: "k", inCollection: "same")
        try #expect(transaction.object(forKey: "k") as? [UInt8] == bytes("ko"))
        try #expect(transaction.object(forKey: "k", inCollection: "same") as? [UInt8] == bytes("o"))
      }
      #expect(seen.all == ["k ko", "k km"])
    }
  }

  @Test func `after storing, a sanitizer receives the cached instance`() throws {
    let seen = SharedList<Instance>()
    var options = options(YapDatabaseSanitizer(after: { _, _, object in (object as? Instance).map(seen.append) }))
    options.defaultObjectCodec = Instance.codec(Instance.self)
    options.defaultMetadataCodec = Instance.codec(Instance.self)
    try withDatabase(options) { database in
      let connection = try database.newConnection()
      let instances = (0..<4).map { Instance("\($0)") }
      try connection.readWrite { transaction in
        try transaction.setObject(instances[0], forKey: "k", withMetadata: instances[1])
        try transaction.replaceObject(instances[2], forKey: "k")
        try transaction.replaceMetadata(instances[3], forKey: "k")
        // The sanitizer is not called for calls that store nothing.
        try transaction.replaceObject(Instance("x"), forKey: "none")
        try transaction.replaceMetadata(Instance("x"), forKey: "none")
        try transaction.setObject(nil, forKey: "k2")
      }
      #expect(seen.all.map(ObjectIdentifier.init) == instances.map(ObjectIdentifier.init))
      try connection.read { transaction in
        try #expect(transaction.object(forKey: "k") as? Instance === instances[2])
        try #expect(transaction.metadata(forKey: "k") as? Instance === instances[3])
      }
      // The sanitizer is not called for values that are read.
      try database.newConnection().read { _ = try $0.row(forKey: "k") }
      #expect(seen.all.count == 4)
    }
  }

  @Test func `a sanitizer may read and write in the transaction`() throws {
    let current = Guarded<YapDatabaseReadWriteTransaction?>(nil)
    var options = YapDatabaseOptions.quick
    options.objectSanitizers = [
      "main": YapDatabaseSanitizer(
        before: { _, key, object in
          let transaction = current.withLock { $0 }
          try transaction?.setObject(bytes("before"), forKey: "a" + key, inCollection: "log")
          return object
        },
        after: { _, key, _ in
          let transaction = current.withLock { $0 }
          #expect(throws: Never.self) {
            try transaction?.setObject(bytes("after"), forKey: "b" + key, inCollection: "log")
          }
        }
      )
    ]
    try withDatabase(options) { database in
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        current.withLock { $0 = transaction }
        defer { current.withLock { $0 = nil } }
        try transaction.setObject(bytes("1"), forKey: "k", inCollection: "main")
        try transaction.setObject(bytes("2"), forKey: "k", inCollection: "main")
      }
      try database.newConnection().read { transaction in
        try #expect(transaction.object(forKey: "k", inCollection: "main") as? [UInt8] == bytes("2"))
        try #expect(Set(transaction.allKeys(inCollection: "log")) == ["ak", "bk"])
      }
    }
  }
}
