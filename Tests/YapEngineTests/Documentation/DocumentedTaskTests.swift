import Foundation
import TestSupport
import Testing
import YapEngine

/// The code of the documentation that runs in tasks and actors.
@Suite("The code of the documentation, in tasks")
struct DocumentedTaskTests {
  struct Message: Codable, Sendable, Equatable {
    var text: String
    var isRead = false
  }

  /// Opens a database with two unread messages.
  private func opened(_ folder: TemporaryFolder) throws -> YapDatabase {
    var options = YapDatabaseOptions()
    options.objectCodecs["messages"] = .codable(Message.self)
    let database = try YapDatabase(path: folder.path + "/messages.sqlite", options: options)
    try database.newConnection().readWrite { transaction in
      for key in ["m1", "m2"] { try transaction.setObject(Message(text: key), forKey: key, inCollection: "messages") }
    }
    return database
  }

  @Test("Concurrency, tasks")
  func concurrency() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let database = try opened(folder)
    let (ui, sync) = (try database.newConnection(name: "ui"), try database.newConnection(name: "sync"))

    func refresh() async throws -> Int {
      try await sync.readWrite { try $0.removeObject(forKey: "m2", inCollection: "messages") }
      var object: Any?
      try ui.syncRead { object = try $0.object(forKey: "m1", inCollection: "messages") }
      let message = try await ui.read { try $0.object(Message.self, forKey: "m1", inCollection: "messages") }
      return (object as? Message) == message ? 1 : 0
    }
    #expect(try await refresh() == 1)

    func store(_ messages: [Message]) async throws {
      try await sync.readWrite { transaction in
        for (index, message) in messages.enumerated() {
          try Task.checkCancellation()  // ends the block, and nothing is stored
          try transaction.setObject(message, forKey: "m\(index)", inCollection: "messages")
        }
      }
    }
    try await store([Message(text: "stored")])
    #expect(try await ui.read { try $0.object(Message.self, forKey: "m0", inCollection: "messages") }?.text == "stored")

    database.asyncFailureHandler = { failure in
      print("\(failure.call) on \(failure.connection): \(failure.error)")
    }
    #expect(database.asyncFailureHandler != nil && database.statistics.asyncFailureCount == 0)
    try database.close()
  }

  @Test("Long-lived reads, with await")
  func longLivedReads() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let database = try opened(folder)
    let ui = try database.newConnection(name: "ui")
    try await ui.beginLongLivedReadTransaction()
    let writing = Task { [sync = try database.newConnection()] in
      // Until the listener, which may begin late, has seen one.
      while !Task.isCancelled {
        try await sync.readWrite { try $0.setObject(Message(text: "New"), forKey: "m1", inCollection: "messages") }
        await Task.yield()
      }
    }

    for await _ in database.modifications {
      let jumped = try await ui.beginLongLivedReadTransaction()
      if ui.hasChange(forKey: "m1", inCollection: "messages", in: jumped) { break }
    }
    try await ui.endLongLivedReadTransaction()

    writing.cancel()
    _ = await writing.result
    #expect(!ui.isInLongLivedReadTransaction)
    try database.close()
  }

  actor MessageList {
    private let ui: YapDatabaseConnection
    private var mappings = YapDatabaseViewMappings(groups: ["unread", "read"], view: "messages")

    init(_ ui: YapDatabaseConnection) { self.ui = ui }

    func load() async throws {
      let next = mappings.copy()
      try await ui.beginLongLivedReadTransaction()
      try await ui.read { try next.update(with: $0) }
      mappings = next
    }

    func refresh() async throws -> YapDatabaseViewChanges? {
      let next = mappings.copy()
      let jumped = try await ui.beginLongLivedReadTransaction()
      let changes = try await ui.read { transaction in
        try (transaction.ext("messages") as? YapDatabaseViewTransaction)?.changes(for: jumped, with: next)
      }
      mappings = next
      return changes
    }

    var unreadCount: Int { mappings.numberOfItems(inGroup: "unread") }
  }

  @Test("Views, in an actor")
  func views() async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let database = try opened(folder)
    let view = YapDatabaseView(
      grouping: .withObjectBlock { _, _, _, object in (object as? Message).map { $0.isRead ? "read" : "unread" } },
      sorting: .withKeyBlock { _, _, _, left, _, right in left.compare(right) }
    )
    try database.register(view, withName: "messages")
    let connection = try database.newConnection()
    let list = MessageList(try database.newConnection(name: "ui"))
    try await list.load()
    #expect(await list.unreadCount == 2)
    try await connection.readWrite { transaction in
      try transaction.setObject(Message(text: "m1", isRead: true), forKey: "m1", inCollection: "messages")
    }
    let changes = try await list.refresh()
    #expect(changes?.rowChanges.map(\.kind) == [.move])
    #expect(await list.unreadCount == 1)
    #expect(try await list.refresh()?.isEmpty == true)
    try database.close()
  }
}
