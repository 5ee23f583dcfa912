import Foundation
import TestSupport
import Testing
import ThreadingPrimitives

@testable import YapEngine

/// Every sample of the page "Performance Primer", in its order.
///
/// Changed against the page: Objective-C rewritten in Swift; `try` where a call can fail; a stand-in for the table view
/// controller; the books' type is a struct; one spelling of `bgConnection`. If the page calls code slow, the test
/// checks waits or repeated work, and not the time.
@Suite("The page Performance Primer")
struct PerformancePrimerPage {
  private struct Book: Codable, Sendable, Equatable {
    var uuid: String
    var title: String
  }

  /// The page's view controller, which reads with one connection and writes with another or with the same.
  private struct ViewController {
    let uiConnection: YapDatabaseConnection
    let bgConnection: YapDatabaseConnection

    func tableView(cellForRowAt row: Int) throws -> Book? {
      try uiConnection.read { transaction in
        let order = try transaction.ext("order") as? YapDatabaseViewTransaction
        return try order?.object(atIndex: row, inGroup: "books") as? Book
      }
    }

    /// - Parameter isDone: Ends the transaction.
    func missingBooksDidDownload(_ books: [Book], whenBegun: Signal, isDone: Signal) {
      bgConnection.asyncReadWrite { transaction in
        for book in books { try transaction.setObject(book, forKey: book.uuid, inCollection: "books") }
        whenBegun.raise()
        isDone.wait()
      }
    }
  }

  private static func withBooks(_ body: (YapDatabase) throws -> Void) throws {
    var options = YapDatabaseOptions.quick
    options.objectCodecs["books"] = .codable(Book.self)
    try withDatabase(options) { database in
      try database.register(
        YapDatabaseView(
          grouping: .withKeyBlock { _, collection, _ in collection },
          sorting: .withObjectBlock { _, _, _, _, book1, _, _, book2 in
            ((book1 as? Book)?.title ?? "").compare((book2 as? Book)?.title ?? "")
          }
        ),
        withName: "order"
      )
      try database.newConnection().readWrite { transaction in
        for book in [Book(uuid: "2", title: "Emma"), Book(uuid: "1", title: "Dune")] {
          try transaction.setObject(book, forKey: book.uuid, inCollection: "books")
        }
      }
      try body(database)
    }
  }

  /// Whether a read for the screen ends during a write of downloaded books.
  private func readsBesideAWrite(_ controller: ViewController) throws -> Bool {
    let whenBegun = Signal()
    let isDone = Signal()
    controller.missingBooksDidDownload([Book(uuid: "3", title: "Ulysses")], whenBegun: whenBegun, isDone: isDone)
    whenBegun.wait()
    let isRead = SharedList<Bool>()
    let reader = try WorkerThread(name: "main") {
      let book = try? controller.tableView(cellForRowAt: 0)
      isRead.append(book == Book(uuid: "1", title: "Dune"))
    }
    // A read that waits for the write is queued; one that does not wait ends.
    let waits = { controller.uiConnection.lane.waiterCount > 0 }
    #expect(eventually { waits() || !isRead.all.isEmpty })
    let isBeside = !waits()
    isDone.raise()
    reader.join()
    #expect(isRead.all == [true])
    return isBeside
  }

  @Test("bad code: reads wait for the writes of the same connection")
  func oneConnection() throws {
    try Self.withBooks { database in
      let databaseConnection = try database.newConnection()
      let controller = ViewController(uiConnection: databaseConnection, bgConnection: databaseConnection)
      try #expect(!readsBesideAWrite(controller))
    }
  }

  @Test("good code: concurrency comes through several connections")
  func twoConnections() throws {
    try Self.withBooks { database in
      let controller = ViewController(
        uiConnection: try database.newConnection(),
        bgConnection: try database.newConnection()
      )
      try #expect(readsBesideAWrite(controller))
    }
  }

  @Test("horrible code: a new connection for each access has nothing in its cache")
  func newConnections() throws {
    try Self.withBooks { database in
      for _ in 0..<5 {
        let connection = try database.newConnection()
        _ = try connection.read { try $0.object(forKey: "1", inCollection: "books") }
        #expect(connection.counters.objects.hits.value == 0)
        #expect(connection.counters.objects.decoded.value == 1)
      }
    }
  }

  @Test("good code: a connection that is kept and configured has cached values")
  func keptConnections() throws {
    try Self.withBooks { database in
      let uiConnection = try database.newConnection()
      let bgConnection = try database.newConnection()

      uiConnection.objectCacheLimit = 500  // increase object cache size
      uiConnection.metadataCacheEnabled = false  // not using metadata on this connection

      bgConnection.objectCacheEnabled = false  // don't need cache for write-only connection
      bgConnection.metadataCacheEnabled = false  // don't need cache for write-only connection

      for _ in 0..<5 { _ = try uiConnection.read { try $0.object(forKey: "1", inCollection: "books") } }
      #expect(uiConnection.counters.objects.hits.value == 4)
      #expect(uiConnection.counters.objects.decoded.value == 1)
      let book = Book(uuid: "1", title: "Dune Messiah")
      try bgConnection.readWrite { try $0.setObject(book, forKey: book.uuid, inCollection: "books") }
      let found = try uiConnection.read { try $0.object(Book.self, forKey: "1", inCollection: "books") }
      #expect(found == book)
    }
  }

  @Test("bad code: a read-write that only reads waits for every writer, also on a connection of its own")
  func readWriteForARead() throws {
    try Self.withBooks { database in
      let uiConnection = try database.newConnection()
      let bgConnection = try database.newConnection()
      let whenBegun = Signal()
      let isDone = Signal()
      ViewController(uiConnection: uiConnection, bgConnection: bgConnection)
        .missingBooksDidDownload([], whenBegun: whenBegun, isDone: isDone)
      whenBegun.wait()
      let isRead = SharedList<Bool>()
      uiConnection.asyncReadWrite { transaction in
        let order = try transaction.ext("order") as? YapDatabaseViewTransaction
        isRead.append(try order?.object(atIndex: 0, inGroup: "books") is Book)
      }
      #expect(eventually { database.writer.lane.waiterCount == 1 })
      #expect(isRead.all.isEmpty)
      isDone.raise()
      #expect(eventually { isRead.all == [true] })
      // The fix is a read, which runs concurrently with a writer, as the good code above shows.
      try #expect(uiConnection.read { try $0.hasObject(forKey: "1", inCollection: "books") })
    }
  }
}

/// A signal that is raised once and wakes all waiting threads.
private final class Signal: Sendable {
  private let flag = StopFlag()

  func raise() { flag.raise() }

  func wait() { _ = eventually { flag.isRaised } }
}
