import TestSupport
import Testing
import YapEngine

@Suite("The README")
struct ReadmeTests {
  @Test("contains code that agrees with its comments")
  func example() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/app.sqlite"

      let database = try YapDatabase(path: path)
      let ui = try database.newConnection(name: "ui")
      let sync = try database.newConnection(name: "sync")

      try ui.beginLongLivedReadTransaction()  // bookmarks the newest snapshot
      try sync.readWrite { try $0.setObject([1, 2, 3] as [UInt8], forKey: "a", inCollection: "messages") }
      let before = try ui.read { try $0.object(forKey: "a", inCollection: "messages") }  // nil: it has not moved
      let jumped = try ui.beginLongLivedReadTransaction()  // moves it, and returns each commit once
      let isChanged = ui.hasChange(forKey: "a", inCollection: "messages", in: jumped)  // true
      let culprit = database.statistics.walPinnedBy  // the connection that keeps the WAL, or nil

      #expect(before == nil)
      #expect(jumped.count == 1)
      #expect(isChanged)
      #expect(culprit == nil)
      try database.close()
    }
  }
}
