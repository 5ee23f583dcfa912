import Foundation
import TestSupport
import Testing

@testable import YapEngine

/// Every sample of the page "LongLivedReadTransactions", in its order.
///
/// Changed against the page: `try` where a call can fail; a stand-in for the table view and its controller;
/// `NotificationCenter` with a block instead of a selector; `onSaleItem` is assigned (the page forgets the `=`); one
/// spelling of `commentID`; the comment is a class that is copied before it is changed, as another page asks.
@Suite("The page LongLivedReadTransactions")
struct LongLivedReadTransactionsPage {
  private struct StoreItem: Codable, Sendable, Equatable {
    var name: String
  }

  /// The page's view controller.
  // Used on one thread at a time: the test's, or the serial queue of notifications.
  private final class ViewController: @unchecked Sendable {
    let dbConnection: YapDatabaseConnection
    var productViewUpdates = 0
    var badgeUpdates = 0
    var jumps: [[UInt64]] = []

    init(_ connection: YapDatabaseConnection) { dbConnection = connection }

    func tableView(cellForRowAt row: Int) throws -> StoreItem? {
      var onSaleItem: StoreItem? = nil
      try dbConnection.read { transaction in
        if let ext = try transaction.ext("view") as? YapDatabaseViewTransaction {
          onSaleItem = try ext.object(atIndex: row, inGroup: "sales") as? StoreItem
        }
      }
      return onSaleItem
    }

    func viewDidLoad() throws -> any NSObjectProtocol {
      try dbConnection.beginLongLivedReadTransaction()

      let nc = NotificationCenter.default
      return nc.addObserver(forName: Notification.Name.YapDatabaseModified, object: dbConnection.database, queue: nil) {
        [self] notification in
        yapDatabaseModified(notification: notification)
      }
    }

    func yapDatabaseModified(notification: Notification) {
      do { try jump() } catch { Issue.record(error) }
    }

    func jump() throws {
      // End & Re-Begin the long-lived transaction atomically.
      // Also grab all the notifications for all the commits that I jump.
      let notifications = try dbConnection.beginLongLivedReadTransaction()
      jumps.append(notifications.map(\.snapshot))
      if notifications.count == 0 {
        return  // already processed commit
      }

      // Update views if needed
      if dbConnection.hasChange(forKey: "product 1", inCollection: "products", in: notifications) {
        productViewUpdates += 1
      }
      if dbConnection.hasChange(forCollection: "shoppingCart", in: notifications) {
        badgeUpdates += 1
      }
    }
  }

  private static func withStore(_ body: (YapDatabase, DispatchQueue) throws -> Void) throws {
    let queue = DispatchQueue(label: "main")
    var options = YapDatabaseOptions.quick
    options.notificationQueue = queue
    options.objectCodecs["items"] = .codable(StoreItem.self)
    options.objectCodecs["posts"] = Comment.codec
    try withDatabase(options) { database in
      try database.register(
        YapDatabaseView(
          grouping: .withKeyBlock { _, collection, _ in collection == "items" ? "sales" : nil },
          sorting: .withKeyBlock { _, _, _, key1, _, key2 in key1.compare(key2) }
        ),
        withName: "view"
      )
      try body(database, queue)
    }
  }

  private static func sell(_ names: String..., on database: YapDatabase) throws {
    try database.newConnection().readWrite { transaction in
      try transaction.removeAllObjects(inCollection: "items")
      for name in names { try transaction.setObject(StoreItem(name: name), forKey: name, inCollection: "items") }
    }
  }

  @Test("the introduction: a list is consistent only with a bookmark")
  func cellForRow() throws {
    try Self.withStore { database, _ in
      try Self.sell("apples", "pears", on: database)
      let controller = ViewController(try database.newConnection())
      try #expect(controller.tableView(cellForRowAt: 1) == StoreItem(name: "pears"))
      try Self.sell("bread", on: database)
      try #expect(controller.tableView(cellForRowAt: 1) == nil)

      try controller.dbConnection.beginLongLivedReadTransaction()
      try Self.sell("milk", "nuts", on: database)
      try #expect(controller.tableView(cellForRowAt: 0) == StoreItem(name: "bread"))
      try controller.dbConnection.beginLongLivedReadTransaction()
      try #expect(controller.tableView(cellForRowAt: 1) == StoreItem(name: "nuts"))
    }
  }

  @Test("Hello World: it stays at commit 42 until it is notified of others, and moves")
  func helloWorld() throws {
    try Self.withStore { database, queue in
      let writer = try database.newConnection()
      while database.snapshot < 42 { try writer.readWrite { try $0.setObject(bytes("x"), forKey: "k") } }
      let controller = ViewController(try database.newConnection())
      queue.sync {}  // all commits until now are notified
      queue.suspend()  // the main thread is busy
      let observer = try controller.viewDidLoad()
      for _ in 43...44 { try writer.readWrite { try $0.setObject(bytes("y"), forKey: "k") } }
      #expect(database.snapshot == 44)
      #expect(controller.dbConnection.snapshot == 42)
      try controller.dbConnection.read { try #expect($0.object(forKey: "k") as? [UInt8] == bytes("x")) }
      queue.resume()
      #expect(eventually { queue.sync { controller.jumps.count == 2 } })
      NotificationCenter.default.removeObserver(observer)
      #expect(controller.dbConnection.snapshot == 44)
      // Handling multiple modifications: the first notification jumps both commits, and the second none.
      #expect(controller.jumps == [[43, 44], []])
    }
  }

  @Test("Did the change affect my view?")
  func whatChanged() throws {
    try Self.withStore { database, _ in
      let writer = try database.newConnection()
      let controller = ViewController(try database.newConnection())
      try controller.dbConnection.beginLongLivedReadTransaction()
      try writer.readWrite { try $0.setObject(bytes("1"), forKey: "product 1", inCollection: "products") }
      try writer.readWrite { try $0.setObject(bytes("2"), forKey: "product 2", inCollection: "products") }
      try controller.jump()
      #expect((controller.productViewUpdates, controller.badgeUpdates) == (1, 0))
      try writer.readWrite { try $0.setObject(bytes("2"), forKey: "product 2", inCollection: "products") }
      try writer.readWrite { try $0.setObject(bytes("2"), forKey: "product 2", inCollection: "shoppingCart") }
      try controller.jump()
      #expect((controller.productViewUpdates, controller.badgeUpdates) == (1, 1))
    }
  }

  @Test("Keeping it read-only: a read-write on the bookmarked connection fails, and on another one it works")
  func readOnly() throws {
    try Self.withStore { db, _ in
      try db.newConnection().readWrite { try $0.setObject(Comment("rude"), forKey: "c1", inCollection: "posts") }
      let uiConnection = try db.newConnection(name: "ui")
      try uiConnection.beginLongLivedReadTransaction()
      #expect {
        try uiConnection.readWrite { _ in }
      } throws: { error in
        let error = error as? YapDatabaseError
        return error?.code == .longLivedReadInTheWay && error?.message.contains("implicitly end") == true
      }
      #expect(uiConnection.isInLongLivedReadTransaction)

      func flagCommentAsInappropriate(_ commentID: String) throws {
        // Keep our UI connection read-only.
        // Use a separate connection for read-write transactions.
        // If we do this a lot, we'll use a dedicated "read-write" connection.
        // But for rarely used operations, an on-the-fly connection is probably fine.
        try db.newConnection().asyncReadWrite { transaction in
          if let comment = try transaction.object(forKey: commentID, inCollection: "posts") as? Comment {
            let comment = comment.copy()
            comment.inappropriate = true

            try transaction.setObject(comment, forKey: commentID, inCollection: "posts")
          }
        }
      }
      try flagCommentAsInappropriate("c1")
      #expect(eventually { db.snapshot > uiConnection.snapshot })
      func isFlagged(_ transaction: YapDatabaseReadTransaction) throws -> Bool? {
        (try transaction.object(forKey: "c1", inCollection: "posts") as? Comment)?.inappropriate
      }
      try #expect(uiConnection.read { try isFlagged($0) } == false)
      try uiConnection.beginLongLivedReadTransaction()
      try #expect(uiConnection.read { try isFlagged($0) } == true)
    }
  }

  @Test("Important warning: a bookmark that never moves makes the WAL grow, and is named")
  func warning() throws {
    try Self.withStore { database, _ in
      let connection1 = try database.newConnection(name: "connection1")
      let connection2 = try database.newConnection(name: "connection2")
      try connection2.readWrite { try $0.setObject(bytes("13"), forKey: "k") }
      try connection1.beginLongLivedReadTransaction()
      for number in 14...25 { try connection2.readWrite { try $0.setObject(bytes("\(number)"), forKey: "k") } }
      #expect(database.statistics.walPinnedBy?.name == "connection1")
      #expect(database.statistics.walBacklogFrames > 0)
      try connection1.beginLongLivedReadTransaction()
      #expect(eventually { database.statistics.walBacklogFrames == 0 })
    }
  }

  @Test("Cleanup: a connection that is released ends its long-lived read")
  func cleanup() throws {
    try Self.withStore { database, _ in
      var dbConnection: YapDatabaseConnection? = try database.newConnection(name: "gone")
      try dbConnection?.beginLongLivedReadTransaction()
      dbConnection = nil
      try Self.sell("apples", on: database)
      #expect(eventually { database.statistics.walBacklogFrames == 0 })
      #expect(database.statistics.walPinnedBy == nil)
    }
  }
}

/// The page's comment: an instance that several connections may share.
// Stored instances are copied before they are mutated.
private final class Comment: @unchecked Sendable {
  let text: String
  var inappropriate = false

  init(_ text: String) { self.text = text }

  func copy() -> Comment {
    let copy = Comment(text)
    copy.inappropriate = inappropriate
    return copy
  }

  static let codec = YapDatabaseCodec { object, _, _, write in
    guard let comment = object as? Comment else { throw Deliberate() }
    try bytes((comment.inappropriate ? "!" : ".") + comment.text).withUnsafeBytes(write)
  } decode: { bytes, _, _ in
    let text = String(decoding: bytes, as: UTF8.self)
    let comment = Comment(String(text.dropFirst()))
    comment.inappropriate = text.first == "!"
    return comment
  }
}
