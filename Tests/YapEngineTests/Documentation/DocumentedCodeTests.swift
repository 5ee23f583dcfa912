import Foundation
import TestSupport
import Testing
import YapEngine

/// Runs the code of the documentation. `TidyTests` checks that this folder contains each sample, line for line.
@Suite("The code of the documentation")
struct DocumentedCodeTests {
  struct Message: Codable, Sendable, Equatable {
    var text: String
    var isRead = false
  }

  @Test("Getting started")
  func gettingStarted() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/messages.sqlite"

      struct Message: Codable, Sendable, Equatable {
        var text: String
        var isRead = false
      }

      var options = YapDatabaseOptions()
      options.objectCodecs["messages"] = .codable(Message.self)
      let database = try YapDatabase(path: path, options: options)
      let connection = try database.newConnection(name: "main")

      try connection.readWrite { transaction in
        try transaction.setObject(Message(text: "Hello"), forKey: "m1", inCollection: "messages")
        try transaction.setObject(Message(text: "Bye"), forKey: "m2", inCollection: "messages")
      }
      let message = try connection.read { transaction in
        try transaction.object(Message.self, forKey: "m1", inCollection: "messages")
      }
      #expect(message == Message(text: "Hello"))

      var texts: [String] = []
      try connection.read { transaction in
        try transaction.enumerateKeysAndObjects(Message.self, inCollection: "messages") { key, message, stop in
          texts.append(message.text)
        }
      }
      #expect(texts.sorted() == ["Bye", "Hello"])

      var last: [String] = []
      try connection.read { transaction in
        let keys = YapDatabaseKeyRange.range("m1"..."m9", limit: 20, reversed: true)
        try transaction.enumerateKeys(inCollection: "messages", keys: keys) { key, stop in
          last.append(key)
        }
      }
      #expect(last == ["m2", "m1"])

      try connection.readWrite { transaction in
        guard var message = try transaction.object(Message.self, forKey: "m1", inCollection: "messages") else { return }
        message.isRead = true
        try transaction.setObject(message, forKey: "m1", inCollection: "messages")
      }
      try connection.read { transaction in
        try #expect(transaction.object(Message.self, forKey: "m1", inCollection: "messages")?.isRead == true)
      }

      try database.close()
    }
  }

  @Test("Getting started, with rows of an earlier version")
  func changedType() throws {
    try withMessages { before in
      let path = before.path
      try before.newConnection().readWrite { transaction in
        let damaged = Message(text: "damaged")
        try transaction.setObject(damaged, forKey: "raw", inCollection: "messages", serializedObject: [1])
      }
      try before.close()

      var options = YapDatabaseOptions()
      options.objectCodecs["messages"] = .codable(Message.self)

      options.undecodableValueHandler = { value in
        switch value.part {
        case .object: .skip
        case .metadata: .replace(with: nil)
        }
      }
      let database = try YapDatabase(path: path, options: options)
      var keys: [String] = []
      try database.newConnection().read { transaction in
        try transaction.enumerateRows(inCollection: "messages") { key, _, _, _ in keys.append(key) }
      }
      #expect(keys.sorted() == ["m1", "m2"])
      #expect(database.statistics.undecodableValues.skipped == 1)
      try database.close()
    }
  }

  @Test("Getting started, in tasks")
  func tasks() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let database = try YapDatabase(path: folder.path + "/messages.sqlite")
    let connection = try database.newConnection()
    try await connection.readWrite { transaction in
      for key in ["m1", "m2"] { try transaction.setObject([1] as [UInt8], forKey: key, inCollection: "messages") }
    }

    let modifications = database.modifications  // from here on
    try await connection.readWrite { try $0.removeObject(forKey: "m2", inCollection: "messages") }
    let count = try await connection.read { try $0.numberOfKeys(inCollection: "messages") }
    for await modification in modifications {
      if connection.hasChange(forKey: "m2", inCollection: "messages", in: [modification]) { break }
    }
    #expect(count == 1)
    try database.close()
  }

  @Test("Concurrency")
  func concurrency() throws {
    try withMessages { database in
      let ui = try database.newConnection(name: "ui")

      ui.permittedTransactions = .anyRead

      let sync = try database.newConnection(name: "sync")
      let (_, times) = try sync.timedReadWrite { transaction in
        try transaction.setObject(Message(text: "New"), forKey: "m1", inCollection: "messages")
      }
      if times.totalNanoseconds > 50_000_000 {
        print("slow; waited \(times.writeLaneWaitNanoseconds) ns for other writers: \(times)")
      }
      #expect(times.commitNanoseconds > 0)

      func unreadCount(in transaction: YapDatabaseReadTransaction) throws -> Int {
        var count = 0
        try transaction.enumerateKeysAndObjects(inCollection: "messages") { _, object, _ in
          if let message = object as? Message, !message.isRead { count += 1 }
        }
        return count
      }
      let unread = try ui.read { try unreadCount(in: $0) }
      #expect(unread == 2)
      #expect(throws: YapDatabaseError.self) { try ui.readWrite { _ in } }
    }
  }

  @Test("Long-lived reads")
  func longLivedReads() throws {
    try withMessages { database in
      let ui = try database.newConnection(name: "ui")
      let sync = try database.newConnection(name: "sync")
      var redrawn: [String] = []
      func redraw(_ what: String) { redrawn.append(what) }

      try ui.beginLongLivedReadTransaction()
      try sync.readWrite { try $0.setObject(Message(text: "New"), forKey: "m1", inCollection: "messages") }

      let statistics = database.statistics
      if let culprit = statistics.walPinnedBy {
        print("\(culprit.name) keeps \(statistics.walBacklogFrames) frames from being copied")
      }
      #expect(statistics.connections.first { $0.name == "ui" }?.isInLongLivedRead == true)

      func databaseWasModified() throws {
        let jumped = try ui.beginLongLivedReadTransaction()
        if jumped.isEmpty { return }  // these commits were jumped over before
        if ui.hasChange(forKey: "m1", inCollection: "messages", in: jumped) { redraw("m1") }
        if ui.hasChange(forCollection: "drafts", in: jumped) { redraw("drafts") }
      }
      for _ in 0..<2 { try databaseWasModified() }
      #expect(redrawn == ["m1"])
    }
  }

  @Test("Cache policies")
  func policies() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/messages.sqlite"
      var options = YapDatabaseOptions()

      options.defaultObjectPolicy = .copy
      options.objectPolicies["messages"] = .share
      let database = try YapDatabase(path: path, options: options)
      let audit = try database.newConnection(name: "audit")
      audit.objectPolicy = .containment

      let connection = try database.newConnection()
      database.defaultObjectPolicy = .share
      let effective = connection.effectiveObjectPolicy(inCollection: "drafts")  // share
      #expect(effective == .share)

      for connection in database.statistics.connections {
        let objects = connection.caches.objects
        print(connection.name, objects.hits, objects.misses, objects.updatedByPolicy, objects.readAgain)
      }
      #expect(audit.objectPolicy == .containment)
      try database.close()
    }
  }

  @Test("Views")
  func views() throws {
    try withMessages { database in
      let connection = try database.newConnection()
      let ui = try database.newConnection(name: "ui")

      let view = YapDatabaseView(
        grouping: .withObjectBlock { _, _, _, object in
          (object as? Message).map { $0.isRead ? "read" : "unread" }
        },
        sorting: .withObjectBlock { _, _, _, _, left, _, _, right in
          ((left as? Message)?.text ?? "").compare((right as? Message)?.text ?? "")
        },
        versionTag: "1"
      )
      try database.register(view, withName: "messages")

      let first = try connection.read { transaction in
        let messages = try transaction.ext("messages") as? YapDatabaseViewTransaction
        return try messages?.object(Message.self, atIndex: 0, inGroup: "unread")
      }
      #expect(first == Message(text: "m1"))

      let newestFirst = YapDatabaseViewSorting.withObjectBlock { _, _, _, _, left, _, _, right in
        ((right as? Message)?.text ?? "").compare((left as? Message)?.text ?? "")
      }
      try connection.readWrite { transaction in
        let messages = try transaction.ext("messages") as? YapDatabaseViewTransaction
        try messages?.setSorting(newestFirst, versionTag: "2")
      }
      try connection.read { transaction in
        let messages = try transaction.ext("messages") as? YapDatabaseViewTransaction
        try #expect(messages?.object(Message.self, atIndex: 0, inGroup: "unread") == Message(text: "m2"))
      }

      let drafts = YapDatabaseView(
        parentViewName: "messages",
        filtering: .withObjectBlock { _, _, _, _, object in (object as? Message)?.text.isEmpty == true }
      )
      try database.register(drafts, withName: "empty messages")
      #expect(database.registeredExtensionNames == ["messages", "empty messages"])

      let mappings = YapDatabaseViewMappings(groups: ["unread", "read"], view: "messages")
      try ui.beginLongLivedReadTransaction()
      try ui.read { try mappings.update(with: $0) }
      #expect(mappings.numberOfItems(inGroup: "unread") == 2)
      try connection.readWrite { transaction in
        try transaction.setObject(Message(text: "m1", isRead: true), forKey: "m1", inCollection: "messages")
      }

      let jumped = try ui.beginLongLivedReadTransaction()
      let changes = try ui.read { transaction in
        try (transaction.ext("messages") as? YapDatabaseViewTransaction)?.changes(for: jumped, with: mappings)
      }
      #expect(changes?.rowChanges.map(\.kind) == [.move])
      #expect(mappings.numberOfItems(inGroup: "read") == 1)

      mappings.setRangeOptions(.flexible(length: 50, from: .end), forGroup: "unread")
      if let range = mappings.rangeOptions(forGroup: "unread") {
        mappings.setRangeOptions(range.copy(withNewLength: range.length + 50), forGroup: "unread")
      }
      #expect(mappings.numberOfItems(inGroup: "unread") == 1)
    }
  }

  /// Runs `body` with a database of two unread messages.
  private func withMessages(_ body: (YapDatabase) throws -> Void) throws {
    try withTemporaryFolder { folder in
      var options = YapDatabaseOptions()
      options.objectCodecs["messages"] = .codable(Message.self)
      let database = try YapDatabase(path: folder + "/messages.sqlite", options: options)
      try database.newConnection().readWrite { transaction in
        for key in ["m1", "m2"] { try transaction.setObject(Message(text: key), forKey: key, inCollection: "messages") }
      }
      try body(database)
      try database.close()
    }
  }
}
