import Foundation
import TestSupport
import Testing

@testable import YapEngine

/// Versions of views in memory: how many are kept, and what a reader does that comes too late for one.
@Suite struct ViewVersionsTests {
  @Test func `behind a bookmark that stays only the last versions are kept`() throws {
    try withDatabase { database in
      let writer = try database.newConnection()
      try database.register(ViewSamples.byBytes(), withName: "view")
      try writer.readWrite { try $0.setObject(bytes("first"), forKey: "first") }
      let bookmarked = try database.newConnection()
      try bookmarked.beginLongLivedReadTransaction()
      for number in 0..<100 { try writer.readWrite { try $0.setObject(bytes("\(number)"), forKey: "\(number)") } }
      var versions = 0
      var commit: Commit? = bookmarked.place
      while let found = commit {
        if found.extensions?.states != nil { versions += 1 }
        commit = found.next
      }
      #expect(versions == RecentExtensions.limit)
      try #expect(bookmarked.keys("view") == ["first"] && writer.keys("view")?.count == 101)
    }
  }

  /// The reader has SQLite's snapshot; before it asks the registry, so many commits come that the views of its snapshot
  /// have been let go. It takes a newer one.
  @Test(.enabled(if: TestHooks.areBuiltIn), arguments: [false, true])
  func `a reader that comes too late for its version takes a newer one`(isLongLived: Bool) throws {
    let meanwhile = SharedList<Int>()
    let commits = SharedList<@Sendable () throws -> Void>()
    var options = YapDatabaseOptions.quick
    options.testHooks.onReach = { point, name in
      guard point == .readPinned, name == "late", meanwhile.all.isEmpty else { return }
      meanwhile.append(1)
      for commit in commits.all { try? commit() }
    }
    try withDatabase(options) { database in
      let writer = try database.newConnection()
      try database.register(ViewSamples.byBytes(), withName: "view")
      // Not before: the sweep of idle connections would have it take the version in time.
      let late = try database.newConnection(name: "late")
      commits.append {
        for number in 0..<30 { try writer.readWrite { try $0.setObject(bytes("\(number)"), forKey: "\(number)") } }
      }
      if isLongLived { try #expect(late.beginLongLivedReadTransaction().count == 30) }
      try #expect(late.keys("view")?.count == 30 && late.snapshot == 31)
    }
  }
}
