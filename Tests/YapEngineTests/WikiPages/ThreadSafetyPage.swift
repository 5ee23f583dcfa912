import Foundation
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// Every sample of the page "Thread Safety", in its order.
///
/// Changed against the page: `try` where a call can fail; names as Swift spells them, and one spelling of each; return
/// types that match (`deadlock2` returns its string, and the costs are returned and not the taxes); stand-ins for views
/// and for the downloader; `copy()` without a cast; a URL is a text; `markPostAsRead` declares what it changes.
@Suite("The page Thread Safety")
struct ThreadSafetyPage {
  private static func withConnections(
    _ body: (_ db: YapDatabase, _ dbConnection: YapDatabaseConnection, _ bgConnection: YapDatabaseConnection) throws ->
      Void
  ) throws {
    var options = YapDatabaseOptions.quick
    options.objectCodecs = [
      "persons": Person.codec, "posts": .codable(Post.self), "propertyTaxes": .codable(Float.self),
    ]
    try withDatabase(options) { database in
      try body(database, try database.newConnection(name: "db"), try database.newConnection(name: "bg"))
    }
  }

  @Test("a transaction within a transaction is not a deadlock but an error, at once")
  func deadlock() throws {
    try Self.withConnections { _, dbConnection, _ in
      func deadlock1() throws {
        try dbConnection.read { transaction in
          _ = try deadlock2()
        }
      }
      func deadlock2() throws -> String? {
        var uhOh: String? = nil
        try dbConnection.read { transaction in
          uhOh = try transaction.object(forKey: "dead", inCollection: "lock") as? String
        }  // transaction within transaction == deadlock !!!
        return uhOh
      }
      #expect {
        try deadlock1()
      } throws: {
        ($0 as? YapDatabaseError)?.code == .nestedTransaction
      }
      // The connection still works.
      try dbConnection.read { _ in }
    }
  }

  @Test("a function that receives the transaction works")
  func helper() throws {
    struct Address { var zip: Int }
    try Self.withConnections { _, dbConnection, bgConnection in
      try bgConnection.readWrite { try $0.setObject(Float(12.5), forKey: "94107", inCollection: "propertyTaxes") }

      func estimatedCosts(forAddress addr: Address) throws -> Float {
        var costs: Float = 0.0
        try dbConnection.read { transaction in
          costs += try propertyTaxes(forAddress: addr, transaction: transaction)
          costs += try propertyTaxes(forAddress: Address(zip: 1), transaction: transaction)
        }
        return costs
      }
      func propertyTaxes(forAddress addr: Address, transaction: YapDatabaseReadTransaction) throws -> Float {
        let key = String(addr.zip)
        let result = try transaction.object(forKey: key, inCollection: "propertyTaxes") as? Float
        return result ?? 0.0
      }
      try #expect(estimatedCosts(forAddress: Address(zip: 94107)) == 12.5)
    }
  }

  @Test("a saved transaction does not work")
  func savedTransaction() throws {
    try Self.withConnections { _, dbConnection, _ in
      var saved: YapDatabaseReadTransaction?
      try dbConnection.read { saved = $0 }
      let transaction = try #require(saved)
      #expect {
        try transaction.object(forKey: "k")
      } throws: {
        ($0 as? YapDatabaseError)?.code == .transactionEnded
      }
    }
  }

  @Test("an instance that is modified without a copy changes for other users")
  func sharedInstance() throws {
    try Self.withConnections { _, dbConnection, bgConnection in
      try bgConnection.readWrite { try $0.setObject(Person("Ann"), forKey: "p1", inCollection: "persons") }
      func fetch() throws -> Person? {
        try dbConnection.read { try $0.object(forKey: "p1", inCollection: "persons") as? Person }
      }
      let person = try #require(try fetch())  // on the main thread
      func someFunctionOnBackgroundThread(_ newChild: String) throws {
        try dbConnection.read { transaction in
          if let person = try transaction.object(forKey: "p1", inCollection: "persons") as? Person {
            // Modifying Person.children array on background thread...
            person.children.append(newChild)  // <= This could be a bug !!!
          }
        }
      }
      try someFunctionOnBackgroundThread("Bob")
      // It is a bug: both got the same instance from the connection's cache, and nothing was stored.
      #expect(person.children == ["Bob"])
      try bgConnection.read { transaction in
        let stored = try transaction.object(Person.self, forKey: "p1", inCollection: "persons")
        #expect(stored?.children == [])
      }
    }
  }

  @Test("with a copy it is safe")
  func copiedInstance() throws {
    try Self.withConnections { _, dbConnection, _ in
      try dbConnection.readWrite { try $0.setObject(Person("Ann"), forKey: "p1", inCollection: "persons") }
      func fetch() throws -> Person? {
        try dbConnection.read { try $0.object(forKey: "p1", inCollection: "persons") as? Person }
      }
      let before = try fetch()
      func someFunctionOnBackgroundThread(_ newChild: String) throws {
        try dbConnection.readWrite { transaction in
          if var person = try transaction.object(forKey: "p1", inCollection: "persons") as? Person {
            person = person.copy()  // Safety badge achieved !
            person.children.append(newChild)

            try transaction.setObject(person, forKey: "p1", inCollection: "persons")
          }
        }
      }
      try someFunctionOnBackgroundThread("Bob")
      #expect(before?.children == [])
      try #expect(fetch()?.children == ["Bob"])
    }
  }

  @Test("an instance that is changed after it was stored is detected on request")
  func changedAfterStoring() throws {
    var options = YapDatabaseOptions.quick
    options.objectCodecs["persons"] = Person.codec
    options.detectsMutationAfterSet = true
    try withDatabase(options) { database in
      let connection = try database.newConnection()
      #expect {
        try connection.readWrite { transaction in
          let person = Person("Ann")
          try transaction.setObject(person, forKey: "p1", inCollection: "persons")
          person.children.append("Bob")
        }
      } throws: {
        ($0 as? YapDatabaseError)?.code == .mutatedAfterSet
      }
    }
  }

  // MARK: The lost update

  /// Marks the post as read and stores its downloaded image, each in a transaction of its own.
  private func play(
    _ bgConnection: YapDatabaseConnection,
    _ downloadImage: (_ originalPost: Post, _ downloaded: String) throws -> Void
  ) throws -> Post? {
    func markPostAsRead(_ postId: String) {
      bgConnection.asyncReadWrite { transaction in
        if var post = try transaction.object(forKey: postId, inCollection: "posts") as? Post {
          post.isRead = true
          try transaction.setObject(post, forKey: postId, inCollection: "posts")
        }
      }
    }
    try bgConnection.readWrite { try $0.setObject(Post(uuid: "post"), forKey: "post", inCollection: "posts") }
    let post = try #require(try bgConnection.read { try $0.object(Post.self, forKey: "post", inCollection: "posts") })
    // since we're displaying the post, we can mark it as read now
    if !post.isRead { markPostAsRead(post.uuid) }
    // download the image if needed
    if post.downloadedImageURL == nil { try downloadImage(post, "file:///image") }
    return try bgConnection.read { try $0.object(Post.self, forKey: "post", inCollection: "posts") }
  }

  @Test("an old version that is stored again undoes what was committed since")
  func lostUpdate() throws {
    try Self.withConnections { _, _, bgConnection in
      let post = try play(bgConnection) { originalPost, downloadedImageFileURL in
        bgConnection.asyncReadWrite { transaction in
          // Update post
          var updatedPost = originalPost  // <= BUG !!!!!!!!
          updatedPost.downloadedImageURL = downloadedImageFileURL

          try transaction.setObject(updatedPost, forKey: updatedPost.uuid, inCollection: "posts")
        }
      }
      #expect(post?.downloadedImageURL == "file:///image")
      #expect(post?.isRead == false)  // lost
    }
  }

  @Test("the latest revision, fetched in the transaction that changes it, keeps everything")
  func keptUpdate() throws {
    try Self.withConnections { _, _, bgConnection in
      let post = try play(bgConnection) { originalPost, downloadedImageFileURL in
        bgConnection.asyncReadWrite { transaction in
          // Update post (be sure to grab latest revision of object)
          if var post = try transaction.object(forKey: originalPost.uuid, inCollection: "posts") as? Post {
            post.downloadedImageURL = downloadedImageFileURL

            try transaction.setObject(post, forKey: post.uuid, inCollection: "posts")
          }
        }
      }
      #expect(post?.downloadedImageURL == "file:///image")
      #expect(post?.isRead == true)
    }
  }
}

private struct Post: Codable, Sendable {
  var uuid: String
  var isRead = false
  var downloadedImageURL: String?
}

/// The page's person, which is a class.
// The tests that mutate one do it on one thread.
private final class Person: @unchecked Sendable {
  let name: String
  var children: [String] = []

  init(_ name: String) { self.name = name }

  func copy() -> Person {
    let copy = Person(name)
    copy.children = children
    return copy
  }

  static let codec = YapDatabaseCodec { object, _, _, write in
    guard let person = object as? Person else { throw Deliberate() }
    try bytes(([person.name] + person.children).joined(separator: "\n")).withUnsafeBytes(write)
  } decode: { bytes, _, _ in
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    let person = Person(lines[0])
    person.children = Array(lines.dropFirst())
    return person
  }
}
