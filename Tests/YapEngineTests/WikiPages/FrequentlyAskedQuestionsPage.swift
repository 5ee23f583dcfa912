import Testing

@testable import YapEngine

/// The six questions of the page "Frequently Asked Questions", which has no other code.
///
/// Changed against the page: Objective-C rewritten in Swift, with the collection that later versions added.
@Suite("The page Frequently Asked Questions")
struct FrequentlyAskedQuestionsPage {
  @Test("changes of keys and objects are asked of notifications, instead of observing objects")
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
}
