import TestSupport
import Testing

@testable import YapEngine

@Suite struct EnumerationTests {
  private static let keys = (0..<10).map { "key \($0)" }

  private func withRows(_ body: (YapDatabase, YapDatabaseConnection) throws -> Void) throws {
    try withDatabase { database in
      let connection = try database.newConnection(name: "enumerating")
      try connection.readWrite { transaction in
        for key in Self.keys { try transaction.setObject(bytes(key), forKey: key, withMetadata: bytes("m")) }
      }
      try body(database, connection)
    }
  }

  @Test func `enumerations of every kind may be nested in any enumeration`() throws {
    try withRows { _, connection in
      var count = 0
      try connection.read { transaction in
        try transaction.enumerateKeys { _, _ in
          try transaction.enumerateKeys { _, _ in
            try transaction.enumerateKeysAndObjects { key, object, _ in
              #expect(object as? [UInt8] == bytes(key))
              try transaction.enumerateRows { _, _, _, stop in
                count += 1
                stop = true
              }
            }
          }
        }
      }
      #expect(count == 1_000)
    }
  }

  @Test func `after an error in nested enumerations nothing pins the WAL`() throws {
    try withRows { database, connection in
      #expect(throws: Deliberate.self) {
        try connection.read { transaction in
          try transaction.enumerateRows { _, _, _, _ in
            try transaction.enumerateRows { _, _, _, _ in
              try transaction.enumerateKeysAndMetadata { _, _, _ in throw Deliberate() }
            }
          }
        }
      }
      try connection.readWrite { try $0.setObject(bytes("after"), forKey: "after") }
      #expect(eventually { database.statistics.walBacklogFrames == 0 })
      #expect(database.statistics.connections.allSatisfy { $0.pinnedSnapshot == nil })
    }
  }

  @Test func `a change inside an enumeration is an error unless the enumeration is stopped`() throws {
    try withRows { _, connection in
      try connection.readWrite { transaction in
        let error = code { try transaction.enumerateKeys { key, _ in try transaction.removeObject(forKey: key) } }
        #expect(error == .mutatedDuringEnumeration)
        try transaction.enumerateKeys { key, stop in
          try transaction.removeObject(forKey: key)
          stop = true
        }
        try #expect(transaction.numberOfKeys() == Self.keys.count - 2)
      }
    }
  }

  @Test func `calls that change no row are allowed inside an enumeration`() throws {
    try withRows { _, connection in
      var visited = 0
      try connection.readWrite { transaction in
        try transaction.enumerateKeys { key, _ in
          visited += 1
          try transaction.touchRow(forKey: key)
          try transaction.removeObject(forKey: "absent")
          try transaction.replaceObject(bytes("x"), forKey: "absent")
          try transaction.removeAllObjects(inCollection: "absent")
          try transaction.setCustomObject(visited)
        }
      }
      #expect(visited == Self.keys.count)
    }
  }

  @Test func `a scan fills the free part of a cache and evicts nothing`() throws {
    try withRows { database, _ in
      let reader = try database.newConnection()
      reader.objectCacheLimit = 3
      // With each key in the cache, so that the result does not depend on where the scan ends.
      for key in Self.keys {
        reader.flushMemory(.caches)
        try reader.read { transaction in
          _ = try transaction.object(forKey: key)
          try transaction.enumerateKeysAndObjects { _, _, _ in }
          let hits = reader.counters.objects.hits.value
          _ = try transaction.object(forKey: key)
          #expect(reader.counters.objects.hits.value == hits + 1, "\(key)")
        }
        #expect(reader.caches.objects.count == 3)
      }
    }
  }

  @Test func `a multi-get accepts thousands of keys, no keys, and the same key twice`() throws {
    try withRows { _, connection in
      try connection.readWrite { transaction in
        for keys in [[], ["key 1", "key 1"], (0..<3_000).map { "key \($0)" }] {
          var found = 0
          var visited = 0
          try transaction.enumerateObjects(forKeys: keys) { index, object, _ in
            #expect(index == visited)
            visited += 1
            if object != nil { found += 1 }
          }
          #expect(visited == keys.count)
          #expect(found == keys.count { Self.keys.contains($0) })
        }
        try transaction.removeObjects(forKeys: (0..<3_000).map { "key \($0 % 5)" })
        try #expect(transaction.numberOfKeys() == 5)
      }
    }
  }

  /// Each decoding creates an instance, so the same instance comes from the cache.
  @Test(arguments: [false, true])
  func `an enumeration passes cached instances, and caches the instances that it decodes`(isReadFirst: Bool) throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectCodec = Instance.codec(Instance.self)
    options.defaultMetadataCodec = Instance.codec(Instance.self)
    try withDatabase(options) { database in
      try database.newConnection().readWrite { transaction in
        for key in Self.keys { try transaction.setObject(bytes(key), forKey: key, withMetadata: bytes("m" + key)) }
      }
      let connection = try database.newConnection()
      try connection.read { transaction in
        if isReadFirst { for key in Self.keys { _ = try transaction.row(forKey: key) } }
        var found: [(key: String, object: Any?, metadata: Any?)] = []
        try transaction.enumerateKeysAndObjects { key, object, _ in found.append((key, object, nil)) }
        try transaction.enumerateKeysAndMetadata { key, metadata, _ in found.append((key, nil, metadata)) }
        try transaction.enumerateRows { key, object, metadata, _ in found.append((key, object, metadata)) }
        try transaction.enumerateObjects(forKeys: Self.keys) {
          found.append((Self.keys[$0], $1, nil)); _ = $2
        }
        try transaction.enumerateMetadata(forKeys: Self.keys) {
          found.append((Self.keys[$0], nil, $1)); _ = $2
        }
        #expect(found.count == 5 * Self.keys.count)
        for (key, object, metadata) in found {
          if let object { try #expect(object as? Instance === transaction.object(forKey: key) as? Instance) }
          if let metadata { try #expect(metadata as? Instance === transaction.metadata(forKey: key) as? Instance) }
        }
        #expect(found.allSatisfy { $0.object is Instance || $0.metadata is Instance })
      }
      #expect(connection.counters.objects.decoded.value == Self.keys.count)
      #expect(connection.counters.metadata.decoded.value == Self.keys.count)
    }
  }

  // MARK: All collections

  private static let places = ["a", "b", "c"].flatMap { collection in (0..<4).map { "\(collection)/\($0)" } }

  private func withCollections(_ body: (YapDatabaseConnection) throws -> Void) throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        // Interleaved, so that the rows of a collection are not adjacent in the table.
        for key in (0..<4).map({ "\($0)" }) {
          for collection in ["a", "b", "c"] {
            let value = bytes(collection + key)
            try transaction.setObject(value, forKey: key, inCollection: collection, withMetadata: value)
          }
        }
      }
      try body(connection)
    }
  }

  @Test func `enumerations of all collections are grouped by collection, and filtered rows are not decoded`() throws {
    try withCollections { writer in
      let connection = try writer.database.newConnection()
      try connection.read { transaction in
        var found: [[String]] = Array(repeating: [], count: 4)
        try transaction.enumerateKeysInAllCollections { collection, key, _ in found[0].append(collection + "/" + key) }
        try transaction.enumerateKeysAndObjectsInAllCollections { collection, key, object, _ in
          #expect(object as? [UInt8] == bytes(collection + key))
          found[1].append(collection + "/" + key)
        }
        try transaction.enumerateKeysAndMetadataInAllCollections { collection, key, metadata, _ in
          #expect(metadata as? [UInt8] == bytes(collection + key))
          found[2].append(collection + "/" + key)
        }
        try transaction.enumerateRowsInAllCollections { collection, key, object, metadata, _ in
          #expect(object as? [UInt8] == bytes(collection + key) && metadata as? [UInt8] == bytes(collection + key))
          found[3].append(collection + "/" + key)
        }
        for list in found {
          #expect(list.sorted() == Self.places)
          let collections = list.map { $0.prefix(1) }
          #expect(zip(collections, collections.dropFirst()).count { $0 != $1 } == 2, "\(list)")
        }
        var names: [String] = []
        try transaction.enumerateCollections { name, stop in
          names.append(name)
          stop = names.count == 2
        }
        #expect(names.count == 2 && Set(names).count == 2)
      }
      connection.flushMemory(.caches)
      let before = connection.counters.objects.decoded.value
      try connection.read { transaction in
        var count = 0
        try transaction.enumerateRowsInAllCollections(filter: { $0 == "b" && $1 != "2" }) { collection, _, _, _, _ in
          #expect(collection == "b")
          count += 1
        }
        #expect(count == 3)
      }
      #expect(connection.counters.objects.decoded.value == before + 3)
    }
  }

  @Test func `a stop ends an enumeration of all collections, and a change without a stop is an error`() throws {
    try withCollections { connection in
      try connection.readWrite { transaction in
        for limit in 1...12 {
          var count = 0
          try transaction.enumerateKeysInAllCollections { _, _, stop in
            count += 1
            stop = count == limit
          }
          #expect(count == limit)
        }
        let error = code {
          try transaction.enumerateKeysInAllCollections { collection, key, _ in
            try transaction.removeObject(forKey: key, inCollection: collection)
          }
        }
        #expect(error == .mutatedDuringEnumeration)
        try transaction.enumerateRowsInAllCollections { collection, key, _, _, stop in
          try transaction.removeObject(forKey: key, inCollection: collection)
          stop = true
        }
        try #expect(transaction.numberOfKeysInAllCollections() == 10)
      }
    }
  }

  @Test func `rows of several keys are passed in the order of the keys`() throws {
    try withRows { _, connection in
      try connection.read { transaction in
        let keys = ["key 3", "absent", "key 1", "key 3"]
        var found: [String] = []
        try transaction.enumerateRows(forKeys: keys) { index, row, stop in
          let text = (row?.object as? [UInt8]).map { String(decoding: $0, as: UTF8.self) }
          #expect((row?.metadata as? [UInt8]) == (row == nil ? nil : bytes("m")))
          found.append("\(index) \(text ?? "none")")
          stop = index == 2
        }
        #expect(found == ["0 key 3", "1 none", "2 key 1"])
      }
    }
  }
}
