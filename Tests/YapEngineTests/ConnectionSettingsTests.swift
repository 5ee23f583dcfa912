import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

@Suite struct ConnectionSettingsTests {
  @Test func `defaults apply to later connections`() throws {
    try withDatabase { database in
      let before = try database.newConnection()
      database.connectionDefaults.objectCacheLimit = 7
      database.connectionDefaults.metadataCacheEnabled = false
      database.connectionDefaults.objectPolicy = .share
      database.connectionDefaults.permittedTransactions = [.anyRead]
      database.connectionDefaults.refusesToEndLongLivedReadImplicitly = false
      let after = try database.newConnection()
      #expect(before.objectCacheLimit == 250 && before.metadataCacheEnabled && before.objectPolicy == nil)
      #expect(before.permittedTransactions == .any && before.refusesToEndLongLivedReadImplicitly)
      #expect(after.objectCacheLimit == 7 && !after.metadataCacheEnabled && after.objectPolicy == .share)
      #expect(after.permittedTransactions == .anyRead && !after.refusesToEndLongLivedReadImplicitly)
      try after.read { _ in #expect(after.caches.objects.limit == 7 && !after.caches.metadata.isEnabled) }
      #expect(code { try after.readWrite { _ in } } == .notPermitted)
      after.permittedTransactions = .any
      try after.beginLongLivedReadTransaction()
      try after.readWrite { try $0.setCustomObject(1) }
    }
  }

  /// Every set of permissions with every kind of call.
  @Test func `a call is rejected exactly if its kind is not permitted`() throws {
    try withDatabase { database in
      let connection = try database.newConnection(name: "narrow")
      for raw in UInt8(0)..<16 {
        let permitted = YapDatabasePermittedTransactions(rawValue: raw)
        connection.permittedTransactions = permitted
        let calls: [(YapDatabasePermittedTransactions, () throws -> Void)] = [
          (.syncRead, { try connection.read { _ in } }),
          (.syncRead, { try connection.beginLongLivedReadTransaction() }),
          (.syncRead, { try connection.endLongLivedReadTransaction() }),
          (.syncReadWrite, { try connection.readWrite { _ in } }),
          (.syncReadWrite, { try connection.vacuum() }),
          (.asyncRead, { try Self.wait { tell in connection.asyncRead({ _ in }, completion: tell) } }),
          (
            .asyncReadWrite,
            {
              try Self.wait { tell in
                connection.asyncReadWrite({ _ in }) {
                  if case .failed(let error) = $0 { tell(error) } else { tell(nil) }
                }
              }
            }
          ),
        ]
        for (index, (kind, call)) in calls.enumerated() {
          let expected = permitted.contains(kind) ? nil : YapDatabaseError.Code.notPermitted
          #expect(code(call) == expected, "call \(index) with \(raw)")
        }
      }
      connection.permittedTransactions = [.any, .mainThreadOnly]
      let error = SharedList<YapDatabaseError?>()
      let thread = try WorkerThread(name: "not main") { error.append(failure { try connection.read { _ in } }) }
      thread.join()
      #expect(error.all.first??.code == .notPermitted)
      #expect(error.all.first??.message.contains("\"narrow\"") == true)
    }
  }

  private static func wait(_ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void) throws {
    let told = SharedList<(any Error)?>()
    call { told.append($0) }
    #expect(eventually { told.all.count == 1 })
    if let error = told.all[0] { throw error }
  }

  @Test func `memory is released in the connection's queue, and the connection continues`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      try connection.readWrite { try $0.setObject(bytes("1"), forKey: "k", withMetadata: bytes("m")) }
      let levels: [(YapDatabaseFlushLevels, isCached: Bool, decodes: Int)] = [
        (.statements, true, 0), (.pages, true, 0), (.caches, false, 1), (.all, false, 1),
      ]
      for (level, isCached, decodes) in levels {
        try connection.read { transaction in
          _ = try transaction.row(forKey: "k")
          connection.flushMemory(level)  // takes effect after this block
          #expect(connection.caches.objects.count == 1)
        }
        let before = connection.counters.objects.decoded.value
        try connection.read { transaction in
          #expect(connection.caches.objects.count == (isCached ? 1 : 0), "\(level)")
          try #expect(transaction.object(forKey: "k") as? [UInt8] == bytes("1"))
        }
        #expect(connection.counters.objects.decoded.value == before + decodes, "\(level)")
      }
    }
  }

  @Test func `changed keys of all collections are enumerated, without those of cleared collections`() throws {
    try withDatabase { database in
      let writer = try database.newConnection()
      let ui = try database.newConnection()
      try writer.readWrite { try $0.setObject(bytes("0"), forKey: "old", inCollection: "cleared") }
      try ui.beginLongLivedReadTransaction()
      try writer.readWrite { transaction in
        try transaction.setObject(bytes("1"), forKey: "x", inCollection: "one")
        try transaction.removeAllObjects(inCollection: "cleared")
      }
      try writer.readWrite { transaction in
        try transaction.touchRow(forKey: "x", inCollection: "one")
        try transaction.setObject(bytes("1"), forKey: "x", inCollection: "two")
        try transaction.setObject(bytes("1"), forKey: "y", inCollection: "two")
      }
      let told = try ui.beginLongLivedReadTransaction()
      var found: [String] = []
      ui.enumerateChangedCollectionKeys(in: told) { collection, key, _ in found.append("\(collection)/\(key)") }
      #expect(found.sorted() == ["one/x", "two/x", "two/y"])
      #expect(ui.didClearCollection("cleared", in: told) && !ui.didClearAllCollections(in: told))
      var count = 0
      ui.enumerateChangedCollectionKeys(in: told) { _, _, stop in
        count += 1
        stop = count == 2
      }
      #expect(count == 2)
      ui.enumerateChangedCollectionKeys(in: [YapDatabaseModification]()) { _, _, _ in count += 1 }
      #expect(count == 2)
    }
  }

  @Test
  func `a lower limit evicts the oldest values at once, and a cache that is disabled and enabled again is empty`()
    throws
  {
    try withDatabase { database in
      let connection = try database.newConnection()
      let keys = (0..<10).map { "\($0)" }
      try connection.readWrite { transaction in
        for key in keys { try transaction.setObject(bytes(key), forKey: key, withMetadata: bytes("m")) }
      }
      func cached() -> [Int] { [connection.caches.objects.count, connection.caches.metadata.count] }
      #expect(cached() == [10, 10])
      connection.objectCacheLimit = 3
      connection.metadataCacheEnabled = false
      #expect(cached() == [3, 0])
      let number = database.names.find(ByteString(""))?.number ?? 0
      let left = keys.filter { connection.caches.objects.contains(RowKey(collection: number, key: ByteString($0))) }
      #expect(left == ["7", "8", "9"])
      try connection.read { for key in keys { _ = try $0.row(forKey: key) } }
      #expect(cached() == [3, 0])
      connection.metadataCacheEnabled = true
      connection.objectCacheLimit = 0
      #expect(cached() == [3, 0])
      try connection.read { for key in keys { _ = try $0.row(forKey: key) } }
      #expect(cached() == [10, 10])
    }
  }
}
