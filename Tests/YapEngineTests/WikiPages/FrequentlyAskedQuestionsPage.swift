import Foundation
import TestSupport
import Testing

@testable import YapEngine

/// The six questions of the page "Frequently Asked Questions", which has no other code.
///
/// Changed against the page: Objective-C rewritten in Swift, with the collection that later versions added.
@Suite("The page Frequently Asked Questions")
struct FrequentlyAskedQuestionsPage {
  @Test("changes of keys and objects are queried from notifications, instead of observing objects")
  func questions() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      try database.newConnection().readWrite { transaction in
        for key in ["a", "b", "c"] { try transaction.setObject(bytes("0"), forKey: key, withMetadata: bytes("0")) }
      }
      try connection.beginLongLivedReadTransaction()
      try database.newConnection().readWrite { try $0.replaceObject(bytes("1"), forKey: "a") }
      try database.newConnection().readWrite { try $0.replaceMetadata(bytes("1"), forKey: "b") }
      let notifications = try connection.beginLongLivedReadTransaction()
      #expect(notifications.count == 2)

      #expect(["a", "b", "c"].map { connection.hasChange(forKey: $0, in: notifications) } == [true, true, false])
      #expect(
        ["a", "b", "c"].map { connection.hasObjectChange(forKey: $0, in: notifications) } == [true, false, false]
      )
      #expect(
        ["a", "b", "c"].map { connection.hasMetadataChange(forKey: $0, in: notifications) } == [false, true, false]
      )

      #expect(connection.hasChange(forAnyKeys: ["c", "b"], in: notifications))
      #expect(!connection.hasChange(forAnyKeys: ["c", "d"], in: notifications))
      #expect(connection.hasObjectChange(forAnyKeys: ["a", "c"], in: notifications))
      #expect(!connection.hasObjectChange(forAnyKeys: ["b", "c"], in: notifications))
      #expect(connection.hasMetadataChange(forAnyKeys: ["b", "c"], in: notifications))
      #expect(!connection.hasMetadataChange(forAnyKeys: ["a", "c"], in: notifications))
    }
  }

  @Test("you simply pass the notification object to the connection")
  func notifications() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      let answers = SharedList<[Bool]>()
      let nc = NotificationCenter.default
      let observer = nc.addObserver(forName: .YapDatabaseModified, object: database, queue: nil) { notification in
        let notifications = [notification]
        answers.append([
          connection.hasChange(forKey: "a", in: notifications),
          connection.hasObjectChange(forKey: "a", in: notifications),
          connection.hasMetadataChange(forKey: "a", in: notifications),
          connection.hasChange(forAnyKeys: ["a", "b"], in: notifications),
          connection.hasObjectChange(forAnyKeys: ["a", "b"], in: notifications),
          connection.hasMetadataChange(forAnyKeys: ["a", "b"], in: notifications),
        ])
      }
      defer { nc.removeObserver(observer) }
      try connection.readWrite { try $0.setObject(bytes("0"), forKey: "a") }
      try connection.readWrite { try $0.replaceObject(bytes("1"), forKey: "a") }
      try connection.readWrite { try $0.setObject(bytes("1"), forKey: "c") }
      #expect(eventually { answers.all.count == 3 })
      #expect(
        answers.all == [
          [true, true, true, true, true, true], [true, true, false, true, true, false],
          [false, false, false, false, false, false],
        ]
      )
    }
  }
}
