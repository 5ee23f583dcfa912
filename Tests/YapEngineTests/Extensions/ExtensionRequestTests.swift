import Dispatch
import Foundation
import TestSupport
import Testing

@testable import YapEngine

/// Requests for extensions that wait for their turn, and the definitions that are registered.
@Suite struct ExtensionRequestTests {
  @Test func `queued requests run in the order of the calls`() throws {
    try withDatabase { database in
      let ended = SharedList<String>()
      let writer = try database.newConnection()
      try writer.readWrite { transaction in
        // All requests wait for this transaction. Each depends on the one before.
        for number in 0..<20 {
          let options = ViewSamples.options { if number > 0 { $0.dependencies = ["\(number - 1)"] } }
          database.asyncRegister(ViewSamples.byBytes(options), withName: "\(number)") { error in
            ended.append("\(number) \(error.map { "\($0)" } ?? "")")
          }
        }
        database.asyncUnregister("19") { ended.append("removal \($0.map { "\($0)" } ?? "")") }
        database.flushExtensionRequests { ended.append("flushed") }
        try transaction.setObject(bytes("a"), forKey: "a")
      }
      // A request that waits takes its turn behind the queued ones.
      try database.register(ViewSamples.byBytes(), withName: "last")
      #expect(eventually { ended.all.count == 22 })
      #expect(ended.all == (0..<20).map { "\($0) " } + ["removal ", "flushed"])
      #expect(database.registeredExtensionNames == (0..<19).map { "\($0)" } + ["last"])
      try #expect(writer.keys("18") == ["a"])
    }
  }

  @Test func `a flush without requests ends, on the queue of the call`() throws {
    try withDatabase { database in
      let queue = DispatchQueue(label: "flush")
      let key = DispatchSpecificKey<Int>()
      queue.setSpecific(key: key, value: 7)
      let found = SharedList<Int>()
      database.flushExtensionRequests(completionQueue: queue) {
        found.append(DispatchQueue.getSpecific(key: key) ?? 0)
      }
      #expect(eventually { found.all == [7] })
    }
  }

  @Test func `requests after close fail, and queued ones end before it`() throws {
    try withTemporaryFolder { folder in
      let database = try YapDatabase(path: folder + "/test.sqlite", options: .quick)
      let ended = SharedList<YapDatabaseError.Code?>()
      let writer = try database.newConnection()
      try writer.readWrite { _ in
        for name in ["a", "b"] {
          database.asyncRegister(ViewSamples.byBytes(), withName: name) {
            ended.append(($0 as? YapDatabaseError)?.code)
          }
        }
      }
      try database.close()
      #expect(eventually { ended.all == [nil, nil] })
      database.asyncRegister(ViewSamples.byBytes(), withName: "c") { ended.append(($0 as? YapDatabaseError)?.code) }
      #expect(eventually { ended.all == [nil, nil, .closed] })
      #expect(code { try database.register(ViewSamples.byBytes(), withName: "d") } == .closed)
    }
  }

  @Test func `the definitions of registered views are those of the newest commit`() throws {
    try withDatabase { database in
      #expect(database.registeredExtensions.isEmpty && database.registeredExtension("view") == nil)
      try database.register(ViewSamples.byBytes(tag: "1"), withName: "view")
      #expect(database.registeredExtensions.mapValues(\.versionTag) == ["view": "1"])
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        try #expect(transaction.view("view")?.setSorting(ViewSamples.byBytes().sorting, versionTag: "2") == true)
        #expect(database.registeredExtension("view")?.versionTag == "1")
      }
      #expect(database.registeredExtension("view")?.versionTag == "2")
      try database.unregister("view")
      #expect(database.registeredExtension("view") == nil)
    }
  }

  /// A view that is unregistered and registered again is populated, in this run and the next.
  @Test func `a name can be used again after its extension was unregistered`() throws {
    try withTemporaryFolder { folder in
      for run in 0..<3 {
        let database = try YapDatabase(path: folder + "/test.sqlite", options: .quick)
        try database.newConnection().readWrite { try $0.setObject(bytes("\(run)"), forKey: "\(run)") }
        for _ in 0..<2 {
          try database.register(ViewSamples.byBytes(), withName: "view")
          try #expect(database.newConnection().keys("view")?.count == run + 1)
          try database.unregister("view")
        }
        try database.close()
      }
    }
  }

  @Test func `allowed collections may be selected by a closure`() throws {
    try withDatabase { database in
      let options = ViewSamples.options { $0.allowedCollections = .matching { $0.hasPrefix("a") } }
      let connection = try database.newConnection()
      try connection.readWrite { try $0.setObject(bytes("1"), forKey: "1", inCollection: "apples") }
      try database.register(ViewSamples.byBytes(options), withName: "view")
      try connection.readWrite { transaction in
        for collection in ["apples", "pears"] {
          try transaction.setObject(bytes("2"), forKey: "2", inCollection: collection)
        }
        try transaction.removeAllObjects(inCollection: "pears")
      }
      try connection.read { transaction in
        try #expect(transaction.view("view")?.allGroups() == ["apples"])
        try #expect(transaction.keys("view", "apples") == ["1", "2"])
      }
    }
  }
}
