import Foundation
import TestSupport
import Testing

@testable import YapEngine

/// The queries about changes, with notifications.
@Suite struct NotificationQuestionsTests {
  /// A notification as the database posts it.
  private func notification(_ modification: YapDatabaseModification) -> Notification {
    Notification(
      name: .YapDatabaseModified,
      object: nil,
      userInfo: [YapDatabaseModification.userInfoKey: modification]
    )
  }

  @Test func `notifications give the same answers as their modifications`() throws {
    try withDatabase { database in
      let (ui, writer) = (try database.newConnection(), try database.newConnection())
      try database.register(ViewSamples.byBytes(), withName: "view")
      try writer.readWrite { transaction in
        for key in ["a", "b", "c"] { try transaction.setObject(bytes("0"), forKey: key, withMetadata: bytes("0")) }
        try transaction.setObject(bytes("0"), forKey: "x", inCollection: "cleared")
      }
      try ui.beginLongLivedReadTransaction()
      try writer.readWrite { try $0.replaceObject(bytes("1"), forKey: "a") }
      try writer.readWrite { try $0.replaceMetadata(bytes("1"), forKey: "b") }
      try writer.readWrite { try $0.removeAllObjects(inCollection: "cleared") }
      let modifications = try ui.beginLongLivedReadTransaction()
      let notifications = modifications.map(notification) + [Notification(name: .YapDatabaseModified)]
      #expect(modifications.count == 3)

      for (carried, told) in [(modifications, notifications), ([], [Notification(name: .YapDatabaseClosed)])] {
        for name in ["", "cleared", "none"] {
          #expect(ui.hasChange(forCollection: name, in: told) == ui.hasChange(forCollection: name, in: carried))
          #expect(
            ui.hasObjectChange(forCollection: name, in: told) == ui.hasObjectChange(forCollection: name, in: carried)
          )
          #expect(
            ui.hasMetadataChange(forCollection: name, in: told)
              == ui.hasMetadataChange(forCollection: name, in: carried)
          )
          #expect(ui.didClearCollection(name, in: told) == ui.didClearCollection(name, in: carried))
        }
        for key in ["a", "b", "c"] {
          #expect(ui.hasChange(forKey: key, in: told) == ui.hasChange(forKey: key, in: carried))
          #expect(ui.hasObjectChange(forKey: key, in: told) == ui.hasObjectChange(forKey: key, in: carried))
          #expect(ui.hasMetadataChange(forKey: key, in: told) == ui.hasMetadataChange(forKey: key, in: carried))
          let keys = [key, "none"]
          #expect(ui.hasChange(forAnyKeys: keys, in: told) == ui.hasChange(forAnyKeys: keys, in: carried))
          #expect(ui.hasObjectChange(forAnyKeys: keys, in: told) == ui.hasObjectChange(forAnyKeys: keys, in: carried))
          #expect(
            ui.hasMetadataChange(forAnyKeys: keys, in: told) == ui.hasMetadataChange(forAnyKeys: keys, in: carried)
          )
        }
        #expect(ui.didClearAllCollections(in: told) == ui.didClearAllCollections(in: carried))
        #expect(ui.hasChange(forView: "view", in: told) == ui.hasChange(forView: "view", in: carried))
        for group in ["", "cleared", "none"] {
          #expect(
            ui.hasChange(forGroup: group, inView: "view", in: told)
              == ui.hasChange(forGroup: group, inView: "view", in: carried)
          )
        }
        #expect(
          ui.hasChange(forAnyGroups: ["", "none"], inView: "view", in: told)
            == ui.hasChange(forAnyGroups: ["", "none"], inView: "view", in: carried)
        )
      }
      var keys: [String] = []
      ui.enumerateChangedKeys(in: notifications) { key, _ in keys.append(key) }
      #expect(keys.sorted() == ["a", "b"])
      var collectionKeys: [String] = []
      ui.enumerateChangedCollectionKeys(in: notifications) { collection, key, _ in
        collectionKeys.append("\(collection)/\(key)")
      }
      #expect(collectionKeys.sorted() == ["/a", "/b"])
      // The answers vary.
      #expect(ui.hasChange(forKey: "a", in: notifications) && !ui.hasMetadataChange(forKey: "a", in: notifications))
      #expect(ui.hasChange(forGroup: "", inView: "view", in: notifications))
    }
  }

  @Test func `a posted notification can be queried`() throws {
    let answers = SharedList<[Bool]>()
    try withDatabase { database in
      let connection = try database.newConnection()
      let center = NotificationCenter.default
      let observer = center.addObserver(forName: .YapDatabaseModified, object: database, queue: nil) { notification in
        answers.append([
          connection.hasChange(forKey: "k", inCollection: "c", in: [notification]),
          connection.hasChange(forKey: "k", in: [notification]),
          connection.hasChange(forCollection: "c", in: CollectionOfOne(notification)),
        ])
      }
      defer { center.removeObserver(observer) }
      try connection.readWrite { try $0.setObject(bytes("1"), forKey: "k", inCollection: "c") }
      #expect(eventually { answers.all.count == 1 })
      #expect(answers.all == [[true, false, true]])
    }
  }
}
