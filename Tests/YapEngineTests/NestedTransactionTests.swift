import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

@Suite struct NestedTransactionTests {
  @Test func `a transaction inside one of the same connection is rejected`() throws {
    try withDatabase { database in
      let a = try database.newConnection(name: "a")
      try a.read { _ in
        let error = failure { try a.read { _ in } }
        #expect(error?.code == .nestedTransaction)
        #expect(error?.message.contains("\"a\"") == true)
        #expect(code { try a.readWrite { _ in } } == .nestedTransaction)
        #expect(code { try a.beginLongLivedReadTransaction() } == .nestedTransaction)
        #expect(code { try a.endLongLivedReadTransaction() } == .nestedTransaction)
        #expect(code { try database.close() } == .nestedTransaction)
      }
      try a.readWrite { transaction in
        #expect(code { try a.read { _ in } } == .nestedTransaction)
        #expect(code { try a.readWrite { _ in } } == .nestedTransaction)
        #expect(code { try database.close() } == .nestedTransaction)
        try transaction.setObject(bytes("1"), forKey: "k")
      }
      // The connection and the database still work.
      try #expect(a.read { try $0.hasObject(forKey: "k") })
    }
  }

  @Test func `a write inside a write of another connection is rejected, and a read is not`() throws {
    try withDatabase { database in
      let a = try database.newConnection(name: "a")
      let b = try database.newConnection(name: "b")
      try a.readWrite { transaction in
        try transaction.setObject(bytes("1"), forKey: "k")
        let error = failure { try b.readWrite { _ in } }
        #expect(error?.code == .nestedTransaction)
        #expect(error?.message.contains("\"b\"") == true)
        let isSeen = try b.read { try $0.hasObject(forKey: "k") }
        #expect(!isSeen)
      }
      try #expect(b.read { try $0.hasObject(forKey: "k") })
      try a.read { outer in
        try b.read { #expect($0.snapshot == outer.snapshot) }
        try b.readWrite { try $0.setObject(bytes("2"), forKey: "k") }
        try #expect(outer.object(forKey: "k") as? [UInt8] == bytes("1"))
      }
      try #expect(a.read { try $0.object(forKey: "k") as? [UInt8] } == bytes("2"))
    }
  }

  //  this thread                             other thread
  //  ──────────────────────────────────────  ──────────────────────────────────────
  //  a.readWrite {
  //                                          b.readWrite: holds b, waits for the writer
  //    b.readWrite: rejected, although b
  //      is held by a thread that waits for this one
  //  }
  //                                          writes
  @Test func `a nested write is rejected before it waits for the other connection`() throws {
    try withDatabase { database in
      let a = try database.newConnection(name: "a")
      let b = try database.newConnection(name: "b")
      let crew = Crew()
      let other = try a.readWrite { transaction in
        let other = try WorkerThread(name: "other") {
          let found = Discrepancy.first { try b.readWrite { try $0.setObject(bytes("b"), forKey: "b") } }
          if let found { crew.report(found) }
        }
        // A checkpoint may be waiting too.
        #expect(eventually { database.writer.lane.waiterCount > 0 && b.lane.isHeldBySomebody })
        #expect(code { try b.readWrite { _ in } } == .nestedTransaction)
        try transaction.setObject(bytes("a"), forKey: "a")
        return other
      }
      other.join()
      #expect(crew.run() == nil)
      #expect(database.snapshot == 2)
    }
  }

  @Test func `asynchronous transactions may be queued inside any transaction`() throws {
    try withDatabase { database in
      let a = try database.newConnection(name: "a")
      let b = try database.newConnection(name: "b")
      let done = SharedList<String>()
      try a.readWrite { transaction in
        a.asyncRead({ done.append("read \($0.snapshot)") })
        a.asyncReadWrite({ try $0.setObject(bytes("2"), forKey: "k") }, completion: { _ in done.append("written") })
        b.asyncReadWrite({ try $0.setObject(bytes("3"), forKey: "l") }, completion: { _ in done.append("written") })
        try transaction.setObject(bytes("1"), forKey: "k")
        #expect(done.all.isEmpty)
      }
      #expect(eventually { done.all.count == 3 })
      #expect(done.all.filter { $0 == "written" }.count == 2)
      #expect(database.snapshot == 3)
    }
  }

  @Test func `settings can be read and changed inside a transaction`() throws {
    try withDatabase { database in
      let a = try database.newConnection()
      try a.read { _ in
        a.objectCacheLimit = 7
        a.metadataCacheEnabled = false
        a.refusesToEndLongLivedReadImplicitly = false
        #expect(a.objectCacheLimit == 7)
        #expect(!a.metadataCacheEnabled)
        #expect(!a.refusesToEndLongLivedReadImplicitly)
        #expect(!a.isInLongLivedReadTransaction)
      }
      try a.read { _ in }
      #expect(eventually { a.lane.withLane { !a.caches.metadata.isEnabled && a.caches.objects.limit == 7 } })
    }
  }
}

extension Lane {
  /// Whether a thread holds the lane at this moment.
  fileprivate var isHeldBySomebody: Bool {
    guard tryAcquire() else { return true }
    release()
    return false
  }
}
