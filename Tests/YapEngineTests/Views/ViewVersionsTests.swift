import Foundation
import TestSupport
import Testing

@testable import YapEngine

/// The number of versions of views in memory, and readers whose version is no longer kept.
@Suite struct ViewVersionsTests {
  @Test func `only the last versions are kept while a bookmark stays`() throws {
    try withDatabase { database in
      let writer = try database.newConnection()
      try database.register(ViewSamples.byBytes(), withName: "view")
      try writer.readWrite { try $0.setObject(bytes("first"), forKey: "first") }
      let bookmarked = try database.newConnection()
      try bookmarked.beginLongLivedReadTransaction()
      for number in 0..<100 { try writer.readWrite { try $0.setObject(bytes("\(number)"), forKey: "\(number)") } }
      var versions = 0
      var commit: Commit? = bookmarked.follower.commit
      while let found = commit {
        if found.extensions?.states != nil { versions += 1 }
        commit = found.next
      }
      #expect(versions == RecentExtensions.limit)
      try #expect(bookmarked.keys("view") == ["first"] && writer.keys("view")?.count == 101)
    }
  }

  /// The reader has pinned a snapshot, and before it queries the registry, so many commits follow that the views of its
  /// snapshot are released. It takes a newer snapshot.
  @Test(.enabled(if: TestHooks.areBuiltIn), arguments: [false, true])
  func `a reader whose version is no longer kept takes a newer one`(isLongLived: Bool) throws {
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
      // Created only now, because otherwise the sweep of idle connections would make it take the version in time.
      let late = try database.newConnection(name: "late")
      commits.append {
        for number in 0..<30 { try writer.readWrite { try $0.setObject(bytes("\(number)"), forKey: "\(number)") } }
      }
      if isLongLived { try #expect(late.beginLongLivedReadTransaction().count == 30) }
      try #expect(late.keys("view")?.count == 30 && late.snapshot == 31)
    }
  }
}
