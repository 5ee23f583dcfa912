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

  @Test func `enumerations of every kind nest in themselves and in each other`() throws {
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

  @Test func `an error thrown out of nested enumerations leaves nothing that pins the WAL`() throws {
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

  @Test func `what changes no row may be done inside an enumeration`() throws {
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

  @Test func `a scan fills what is free in a cache and pushes nothing out`() throws {
    try withRows { database, _ in
      let reader = try database.newConnection()
      reader.objectCacheLimit = 3
      try reader.read { transaction in
        _ = try transaction.object(forKey: Self.keys[9])
        try transaction.enumerateKeysAndObjects { _, _, _ in }
        let hits = reader.counters.objects.hits.value
        _ = try transaction.object(forKey: Self.keys[9])
        #expect(reader.counters.objects.hits.value == hits + 1)
      }
      #expect(reader.caches.objects.count == 3)
    }
  }

  @Test func `a multi-get takes keys by the thousand, none at all, and the same one twice`() throws {
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
}
