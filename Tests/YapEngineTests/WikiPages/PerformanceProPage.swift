import Foundation
import Testing

@testable import YapEngine

/// Every sample of the page "Performance Pro", in its order.
///
/// Changed against the page: Objective-C rewritten in Swift; `try` where a call can fail; a stand-in for the view; the
/// sanitizer is an option of opening the database; a class of the tests instead of `NSMutableString`, which no codec
/// here stores.
@Suite("The page Performance Pro")
struct PerformanceProPage {
  private static func withMessages(
    _ policy: YapDatabasePolicy,
    _ body: (_ database: YapDatabase, _ ui: YapDatabaseConnection, _ bg: YapDatabaseConnection) throws -> Void
  ) throws {
    var options = YapDatabaseOptions.quick
    options.objectCodecs["messages"] = Instance.codec(CopyableInstance.self)
    try withDatabase(options) { database in
      database.defaultObjectPolicy = policy
      database.defaultMetadataPolicy = policy

      // All connections going forward will default to this policy when created.
      try database.register(
        YapDatabaseView(
          grouping: .withKeyBlock { _, collection, _ in collection },
          sorting: .withKeyBlock { _, _, _, key1, _, key2 in key1.compare(key2) }
        ),
        withName: "view"
      )
      let uiConnection = try database.newConnection(name: "ui")
      let bgConnection = try database.newConnection(name: "bg")
      try bgConnection.readWrite { transaction in
        try transaction.setObject(CopyableInstance("sent"), forKey: "m1", inCollection: "messages")
      }
      try body(database, uiConnection, bgConnection)
    }
  }

  /// Plays the common scenario: a message is on the screen while another connection marks it as delivered.
  /// - Returns: The instances of the interface before and after, the stored instance, and the number of decodings.
  private func play(
    _ uiConnection: YapDatabaseConnection,
    _ bgConnection: YapDatabaseConnection
  ) throws -> (before: Instance, after: Instance, stored: Instance, decoded: Int) {
    let mappings = YapDatabaseViewMappings(groups: ["messages"], view: "view")
    try uiConnection.read { try mappings.update(with: $0) }
    var stored: Instance?

    func tableView(cellForRowAt indexPath: IndexPath) throws -> Instance? {
      var message: Instance? = nil

      // Access IMMessage on main thread (via uiConnection)
      try uiConnection.read { transaction in
        message =
          try (transaction.ext("view") as? YapDatabaseViewTransaction)?
          .object(atIndexPath: indexPath, withMappings: mappings) as? Instance
      }
      return message
    }

    func didReceiveDeliveryReceipt(forMessageId messageId: String) throws {
      // Update IMMessage on background thread (via bgConnection)
      try bgConnection.readWrite { transaction in
        var message = try #require(
          try transaction.object(forKey: messageId, inCollection: "messages") as? CopyableInstance
        )

        // As per the recommended best practice, we copy the object before modifying it.
        message = CopyableInstance(String(decoding: message.content, as: UTF8.self))
        message.content = bytes("delivered")

        try transaction.setObject(message, forKey: messageId, inCollection: "messages")
        stored = message
      }
    }

    let indexPath = IndexPath(row: 0, section: 0)
    let before = try #require(try tableView(cellForRowAt: indexPath))
    let decodedBefore = uiConnection.counters.objects.decoded.value
    try didReceiveDeliveryReceipt(forMessageId: "m1")
    try uiConnection.read { try mappings.update(with: $0) }
    let after = try #require(try tableView(cellForRowAt: indexPath))
    let decoded = uiConnection.counters.objects.decoded.value - decodedBefore
    return (before, after, try #require(stored), decoded)
  }

  @Test(
    "containment, copy and share: the message passes from one connection to the other",
    arguments: [
      YapDatabasePolicy.containment, .copy, .share,
    ]
  )
  func policies(_ policy: YapDatabasePolicy) throws {
    try Self.withMessages(policy) { _, uiConnection, bgConnection in
      let (before, after, stored, decoded) = try play(uiConnection, bgConnection)
      #expect(before.content == bytes("sent"))
      #expect(after.content == bytes("delivered"))
      // Read from disk and deserialized only under containment, a copy under copy, and the same instance under share.
      #expect(decoded == (policy == .containment ? 1 : 0))
      #expect((after === stored) == (policy == .share))
      #expect((uiConnection.counters.objects.copied.value > 0) == (policy == .copy))
    }
  }

  @Test("opting in: the default applies to all connections, and each may have another policy")
  func optingIn() throws {
    try Self.withMessages(.copy) { _, uiConnection, bgConnection in
      #expect(uiConnection.effectiveObjectPolicy(inCollection: "messages") == .copy)
      uiConnection.objectPolicy = .containment
      #expect(uiConnection.effectiveObjectPolicy(inCollection: "messages") == .containment)
      try #expect(play(uiConnection, bgConnection).decoded == 1)
    }
  }

  @Test("a value that cannot be copied is handled under containment")
  func notCopyable() throws {
    var options = YapDatabaseOptions.quick
    options.objectCodecs["messages"] = Instance.codec(Instance.self)
    options.defaultObjectPolicy = .copy
    try withDatabase(options) { database in
      let uiConnection = try database.newConnection()
      let bgConnection = try database.newConnection()
      func read() throws { _ = try uiConnection.read { try $0.object(forKey: "m1", inCollection: "messages") } }
      for text in ["sent", "delivered"] {
        try bgConnection.readWrite { try $0.setObject(Instance(text), forKey: "m1", inCollection: "messages") }
        try read()
      }
      #expect(uiConnection.counters.objects.decoded.value == 2)
    }
  }

  @Test("a sanitizer makes stored values immutable before they are shared")
  func sanitizer() throws {
    var options = YapDatabaseOptions.quick
    options.defaultObjectPolicy = .share
    options.objectCodecs["fortunes"] = Instance.codec(Instance.self)
    let sanitizer = YapDatabaseSanitizer { collection, key, object in
      guard let fortune = object as? CopyableInstance else { return object }
      return Instance(String(decoding: fortune.content, as: UTF8.self))  // ensure the plain kind, not the one to edit
    }
    options.objectSanitizers["fortunes"] = sanitizer
    try withDatabase(options) { database in
      let databaseConnection = try database.newConnection()
      let other = try database.newConnection()
      try databaseConnection.readWrite { try $0.setObject(Instance("luck"), forKey: "f1", inCollection: "fortunes") }
      _ = try other.read { try $0.object(forKey: "f1", inCollection: "fortunes") }
      var updatedFortune: CopyableInstance?
      try databaseConnection.readWrite { transaction in
        let fortune = try #require(try transaction.object(forKey: "f1", inCollection: "fortunes") as? Instance)

        let updated = CopyableInstance(String(decoding: fortune.content, as: UTF8.self))
        updated.content += bytes(" in bed")

        try transaction.setObject(updated, forKey: "f1", inCollection: "fortunes")
        updatedFortune = updated
      }
      // Later edits of the passed instance do not affect any connection.
      updatedFortune?.content = bytes("changed later")
      for connection in [databaseConnection, other] {
        try connection.read { transaction in
          let found = try #require(try transaction.object(forKey: "f1", inCollection: "fortunes") as? Instance)
          #expect(!(found is CopyableInstance))
          #expect(found.content == bytes("luck in bed"))
        }
      }
    }
  }
}
