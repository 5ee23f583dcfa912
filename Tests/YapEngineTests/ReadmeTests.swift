import Testing
import YapEngine

@Suite("The README")
struct ReadmeTests {
  @Test("shows code that does what its comments say")
  func example() throws {
    try withTemporaryFolder { folder in
      let database = try YapDatabase(path: folder + "/app.sqlite")
      let ui = try database.newConnection(name: "ui")
      let sync = try database.newConnection(name: "sync")

      try ui.beginLongLivedReadTransaction()
      try sync.readWrite { try $0.setObject([1, 2, 3] as [UInt8], forKey: "a", inCollection: "messages") }
      let before = try ui.read { try $0.object(forKey: "a", inCollection: "messages") }
      #expect(before == nil)
      let jumped = try ui.beginLongLivedReadTransaction()
      #expect(jumped.count == 1)
      #expect(ui.hasChange(forKey: "a", inCollection: "messages", in: jumped))
      #expect(database.statistics.walPinnedBy == nil)
    }
  }
}
