import Foundation
import Glibc
import SQLiteBinding
import TestSupport
import Testing

@testable import YapEngine

/// Other closures for a registered view: `setGrouping`, `setSorting`, version tags, and the views that depend on it.
@Suite struct RearrangingTests {
  private static let ascending = YapDatabaseViewSorting.withObjectBlock { _, _, _, _, left, _, _, right in
    ViewKeyspace.order(left as? Int ?? 0, right as? Int ?? 0)
  }
  private static let descending = YapDatabaseViewSorting.withObjectBlock { _, _, _, _, left, _, _, right in
    ViewKeyspace.order(right as? Int ?? 0, left as? Int ?? 0)
  }
  private static let even = YapDatabaseViewGrouping.withObjectBlock { _, _, _, object in
    (object as? Int ?? 0) % 2 == 0 ? "g" : nil
  }
  private static let everything = YapDatabaseViewGrouping.withKeyBlock { _, _, _ in "g" }

  private static func options(_ isPersistent: Bool) -> YapDatabaseView.Options {
    ViewSamples.options { $0.isPersistent = isPersistent }
  }

  private func fill(_ connection: YapDatabaseConnection, _ numbers: Range<Int>) throws {
    try connection.readWrite { transaction in
      for number in numbers { try transaction.setObject(number, forKey: "\(number)") }
    }
  }

  private func view(_ transaction: YapDatabaseReadTransaction, _ name: String = "view") throws
    -> YapDatabaseViewTransaction
  { try #require(try transaction.view(name)) }

  /// The case of YapDatabase's testChangeSortBlock.
  @Test(arguments: [true, false])
  func `another sorting is one commit with a change of each row and none of a section`(_ isPersistent: Bool) throws {
    try withDatabase { database in
      let (ui, writer) = (try database.newConnection(), try database.newConnection())
      let sorted = YapDatabaseView(
        grouping: Self.everything,
        sorting: Self.ascending,
        versionTag: "1",
        options: Self.options(isPersistent)
      )
      try database.register(sorted, withName: "view")
      try fill(writer, 1..<6)
      let mappings = YapDatabaseViewMappings(groups: ["g"], view: "view")
      try ui.beginLongLivedReadTransaction()
      try ui.read { try mappings.update(with: $0) }
      let before = database.snapshot
      try writer.readWrite { transaction in
        let view = try view(transaction)
        try #expect(view.setSorting(Self.descending, versionTag: "2"))
        try #expect(transaction.keys("view", "g") == ["5", "4", "3", "2", "1"])
        try #expect(view.versionTag() == "2")
      }
      #expect(database.snapshot == before + 1)
      // The bookmark stays on the former closures.
      try #expect(ui.keys("view", "g") == ["1", "2", "3", "4", "5"])
      try ui.read { try #expect(view($0).versionTag() == "1") }
      let jumped = try ui.beginLongLivedReadTransaction()
      #expect(ui.hasChange(forGroup: "g", inView: "view", in: jumped))
      let changes = try ui.read { try view($0).changes(for: jumped, with: mappings) }
      #expect(changes.sectionChanges.isEmpty && changes.rowChanges.count == 5)
      #expect(changes.rowChanges.allSatisfy { $0.changes == [.object, .metadata] })
      try #expect(ui.keys("view", "g") == ["5", "4", "3", "2", "1"])
      // The new closures are those of later changes.
      try writer.readWrite { try $0.setObject(3, forKey: "another") }
      try #expect(writer.keys("view", "g") == ["5", "4", "3", "another", "2", "1"])
    }
  }

  /// The case of YapDatabase's testChangeBlocks.
  @Test(arguments: [true, false])
  func `another grouping is one commit with a change of each row and none of a section`(_ isPersistent: Bool) throws {
    try withDatabase { database in
      let (ui, writer) = (try database.newConnection(), try database.newConnection())
      let grouped = YapDatabaseView(
        grouping: Self.even,
        sorting: Self.ascending,
        versionTag: "1",
        options: Self.options(isPersistent)
      )
      try database.register(grouped, withName: "view")
      try fill(writer, 0..<10)
      try #expect(writer.keys("view", "g")?.count == 5)
      let mappings = YapDatabaseViewMappings(groups: ["g"], view: "view")
      try ui.beginLongLivedReadTransaction()
      try ui.read { try mappings.update(with: $0) }
      try writer.readWrite { transaction in
        try #expect(view(transaction).setGrouping(Self.everything, sorting: Self.ascending, versionTag: "2"))
      }
      let jumped = try ui.beginLongLivedReadTransaction()
      let changes = try ui.read { try view($0).changes(for: jumped, with: mappings) }
      #expect(changes.sectionChanges.isEmpty && changes.rowChanges.count == 10)
      #expect(changes.rowChanges.count { $0.kind == .insert } == 5)
      try #expect(ui.keys("view", "g") == (0..<10).map { "\($0)" })
    }
  }

  @Test func `an equal tag, a read transaction, a closure and another view are refused or change nothing`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      try database.register(ViewSamples.byBytes(tag: "é"), withName: "view")
      try connection.readWrite { transaction in
        for key in ["a", "b"] { try transaction.setObject(bytes(key), forKey: key) }
      }
      let before = database.snapshot
      try connection.readWrite { try #expect(!view($0).setSorting(Self.descending, versionTag: "é")) }
      #expect(database.snapshot == before)
      // Tags are compared by their bytes.
      try connection.readWrite { try #expect(view($0).setSorting(Self.descending, versionTag: "e\u{301}")) }
      #expect(database.snapshot == before + 1)
      try connection.read { transaction in
        let error = failure { try view(transaction).setSorting(Self.descending, versionTag: "3") }
        #expect(error?.code == .invalidArgument && error?.message.contains("\"view\"") == true)
      }
      let inside = YapDatabaseView(
        grouping: .withKeyBlock { transaction, _, _ in
          try transaction.view("view")?.setSorting(Self.ascending, versionTag: "inside")
          return ""
        },
        sorting: Self.ascending
      )
      #expect(code { try database.register(inside, withName: "inside") } == .writeInView)
      let escaped = try connection.readWrite { try view($0) }
      #expect(code { try escaped.setSorting(Self.ascending, versionTag: "4") } == .transactionEnded)
      #expect(code { _ = try escaped.versionTag() } == .transactionEnded)
    }
  }

  @Test func `a rollback and an error restore the former closures`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      let sorted = YapDatabaseView(grouping: Self.everything, sorting: Self.ascending, versionTag: "1")
      try database.register(sorted, withName: "view")
      try fill(connection, 0..<3)
      try connection.readWrite { transaction in
        try view(transaction).setSorting(Self.descending, versionTag: "2")
        try transaction.rollback()
        try #expect(transaction.keys("view", "g") == ["2", "1", "0"])
      }
      #expect(throws: Deliberate.self) {
        try connection.readWrite { transaction in
          try view(transaction).setGrouping(Self.even, sorting: Self.descending, versionTag: "2")
          throw Deliberate()
        }
      }
      let throwing = YapDatabaseViewSorting.withKeyBlock { _, _, _, _, _, _ in throw Deliberate() }
      // A block that catches the error cannot commit.
      #expect(throws: Deliberate.self) {
        try connection.readWrite { transaction in
          _ = try? view(transaction).setSorting(throwing, versionTag: "2")
          try? transaction.setObject(7, forKey: "7")
        }
      }
      try connection.readWrite { try $0.setObject(1, forKey: "new") }
      try #expect(connection.keys("view", "g") == ["0", "1", "new", "2"])
      try connection.read { try #expect(view($0).versionTag() == "1") }
      try connection.read { transaction in
        let tag = try YapDatabaseView.previousVersionTag(forRegisteredViewName: "view", with: transaction)
        #expect(tag == "1")
      }
    }
  }

  @Test func `a view of many pages is sorted again beside other changes of the transaction`() throws {
    try withDatabase { database in
      let (connection, old) = (try database.newConnection(), try database.newConnection())
      let sorted = YapDatabaseView(grouping: Self.everything, sorting: Self.ascending, versionTag: "1")
      try database.register(sorted, withName: "view")
      try fill(connection, 0..<1_000)
      try old.beginLongLivedReadTransaction()
      try connection.readWrite { transaction in
        try transaction.removeObjects(forKeys: (0..<300).map { "\($0)" })
        try transaction.setObject(2_000, forKey: "2000")
        try view(transaction).setSorting(Self.descending, versionTag: "2")
        try transaction.removeObjects(forKeys: (300..<600).map { "\($0)" })
        try transaction.setObject(2_001, forKey: "2001")
      }
      let expected = ["2001", "2000"] + (600..<1_000).reversed().map { "\($0)" }
      try #expect(connection.keys("view", "g") == expected)
      try #expect(old.keys("view", "g") == (0..<1_000).map { "\($0)" })
    }
  }

  // MARK: The file

  @Test func `a view that is emptied twice in a transaction is empty in the file, too`() throws {
    try withTemporaryFolder { folder in
      func sample(_ tag: String) -> YapDatabaseView {
        YapDatabaseView(grouping: Self.everything, sorting: Self.ascending, versionTag: tag)
      }
      var database = try YapDatabase(path: folder + "/test.sqlite", options: .quick)
      try database.register(sample("1"), withName: "view")
      try fill(try database.newConnection(), 0..<200)
      try database.newConnection().readWrite { transaction in
        try transaction.removeAllObjectsInAllCollections()
        try #expect(view(transaction).setSorting(Self.ascending, versionTag: "2"))
        try transaction.setObject(7, forKey: "only")
      }
      try database.close()
      database = try YapDatabase(path: folder + "/test.sqlite", options: .quick)
      try database.register(sample("2"), withName: "view")
      try #expect(database.newConnection().keys("view", "g") == ["only"])
      try database.close()
    }
  }

  @Test func `the tag is stored, and a later registration with it does not call the closures`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let asked = SharedList<String>()
      func sorting(_ name: String, _ isAscending: Bool) -> YapDatabaseViewSorting {
        .withObjectBlock { _, _, _, _, left, _, _, right in
          asked.append(name)
          let (left, right) = (left as? Int ?? 0, right as? Int ?? 0)
          return isAscending ? ViewKeyspace.order(left, right) : ViewKeyspace.order(right, left)
        }
      }
      func sample(_ tag: String, _ isAscending: Bool) -> YapDatabaseView {
        YapDatabaseView(grouping: Self.everything, sorting: sorting(tag, isAscending), versionTag: tag)
      }
      var database = try YapDatabase(path: path, options: .quick)
      try database.register(sample("1", true), withName: "view")
      try fill(try database.newConnection(), 0..<200)
      try database.newConnection().readWrite { transaction in
        try #expect(view(transaction).setSorting(sorting("2", false), versionTag: "2"))
      }
      try database.close()

      database = try YapDatabase(path: path, options: .quick)
      try database.newConnection().read { transaction in
        let tag = try YapDatabaseView.previousVersionTag(forRegisteredViewName: "view", with: transaction)
        let other = try YapDatabaseView.previousVersionTag(forRegisteredViewName: "none", with: transaction)
        #expect(tag == "2" && other == nil)
      }
      let before = asked.all.count
      try database.register(sample("2", false), withName: "view")
      #expect(asked.all.count == before)
      try #expect(database.newConnection().keys("view", "g") == (0..<200).reversed().map { "\($0)" })
      try database.close()

      // The former tag is another one now.
      database = try YapDatabase(path: path, options: .quick)
      try database.register(sample("1", true), withName: "view")
      #expect(asked.all.count > before && asked.all.last == "1")
      try #expect(database.newConnection().keys("view", "g") == (0..<200).map { "\($0)" })
      try database.close()
    }
  }

  @Test func `a view that depends on one with another tag is populated again, in this run and later ones`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/test.sqlite"
      let asked = SharedList<String>()
      func register(_ database: YapDatabase, tag: String, _ sorting: YapDatabaseViewSorting) throws {
        try database.register(
          YapDatabaseView(grouping: Self.everything, sorting: sorting, versionTag: tag),
          withName: "first"
        )
        let position = YapDatabaseView(
          grouping: .withKeyBlock { transaction, _, key in
            asked.append(key)
            return try transaction.view("first")?.position(forKey: key).map { "\($0.index)" }
          },
          sorting: .withKeyBlock { _, _, _, _, _, _ in .orderedSame },
          versionTag: "same",
          options: ViewSamples.options { $0.dependencies = ["first"] }
        )
        try database.register(position, withName: "second")
      }
      func group(_ database: YapDatabase, _ key: String) throws -> String? {
        try database.newConnection().read { try $0.view("second")?.group(forKey: key) }
      }
      var database = try YapDatabase(path: path, options: .quick)
      try register(database, tag: "1", Self.ascending)
      try fill(try database.newConnection(), 0..<4)
      try #expect(group(database, "0") == "0")
      try database.newConnection().readWrite { transaction in
        try view(transaction, "first").setSorting(Self.descending, versionTag: "2")
        try #expect(transaction.view("second")?.group(forKey: "0") == "3")
      }
      try #expect(group(database, "0") == "3")
      try database.close()

      database = try YapDatabase(path: path, options: .quick)
      var before = asked.all.count
      try register(database, tag: "2", Self.descending)
      try #expect(asked.all.count == before && group(database, "0") == "3")
      try database.newConnection().read { transaction in
        let tag = try YapDatabaseView.previousVersionTag(forRegisteredViewName: "second", with: transaction)
        #expect(tag == "same")
      }
      try database.close()

      database = try YapDatabase(path: path, options: .quick)
      before = asked.all.count
      try register(database, tag: "3", Self.ascending)
      try #expect(asked.all.count == before + 4 && group(database, "0") == "0")
      try database.close()
    }
  }

  @Test func `a dependent view that began empty keeps its rows only`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      try database.register(
        YapDatabaseView(grouping: Self.everything, sorting: Self.ascending, versionTag: "1"),
        withName: "first"
      )
      try fill(connection, 0..<4)
      let late = YapDatabaseView(
        parentViewName: "first",
        filtering: .withKeyBlock { _, _, _, _ in true },
        options: ViewSamples.options { $0.skipsInitialPopulation = true }
      )
      try database.register(late, withName: "late")
      try fill(connection, 2..<6)
      try #expect(connection.keys("late", "g") == ["2", "3", "4", "5"])
      try connection.readWrite { try #expect(view($0, "first").setSorting(Self.descending, versionTag: "2")) }
      try #expect(connection.keys("late", "g") == ["5", "4", "3", "2"])
    }
  }

  /// Each process is killed while it gives the view other closures. The stored tag is that of the stored order.
  @Test(arguments: [true, false])
  func `the stored tag and the stored order are of one commit`(_ isCommitted: Bool) async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path + "/test.sqlite"
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, isCommitted = isCommitted as Bool] in
      reported { try RearrangingTests.sortUntilKilled(path, isCommitted: isCommitted) }
    }
    let asked = SharedList<String>()
    let database = try YapDatabase(path: path, options: .quick)
    let (tag, keys) = isCommitted ? ("2", (0..<500).reversed().map { "\($0)" }) : ("1", (0..<500).map { "\($0)" })
    let grouping = YapDatabaseViewGrouping.withKeyBlock { _, _, key in
      asked.append(key)
      return "g"
    }
    let sorted = YapDatabaseView(
      grouping: grouping,
      sorting: isCommitted ? Self.descending : Self.ascending,
      versionTag: tag
    )
    try database.register(sorted, withName: "view")
    #expect(asked.all.isEmpty)
    try #expect(database.newConnection().keys("view", "g") == keys)
    try database.close()
  }

  private static func sortUntilKilled(_ path: String, isCommitted: Bool) throws {
    let database = try YapDatabase(path: path)
    let connection = try database.newConnection()
    try database.register(
      YapDatabaseView(grouping: Self.everything, sorting: Self.ascending, versionTag: "1"),
      withName: "view"
    )
    try connection.readWrite { transaction in
      for number in 0..<500 { try transaction.setObject(number, forKey: "\(number)") }
    }
    try connection.readWrite { transaction in
      try transaction.view("view")?.setSorting(Self.descending, versionTag: "2")
      if !isCommitted { kill(getpid(), SIGKILL) }
    }
    kill(getpid(), SIGKILL)
  }

  /// A row is inserted, one is deleted, and the order of the others changes around one that stays.
  @Test func `rows that change around one that stays are reported so that a list ends in the new order`() throws {
    try withDatabase { database in
      let (ui, writer) = (try database.newConnection(), try database.newConnection())
      try database.register(YapDatabaseView(grouping: Self.everything, sorting: Self.ascending), withName: "view")
      try writer.readWrite { transaction in
        for number in 0..<5 { try transaction.setObject(number, forKey: "t\(number + 1)") }
      }
      let mappings = YapDatabaseViewMappings(groups: ["g"], view: "view")
      try ui.beginLongLivedReadTransaction()
      try ui.read { try mappings.update(with: $0) }
      var list = try #require(try ui.keys("view", "g"))
      try writer.readWrite { transaction in
        try transaction.setObject(0, forKey: "t0")
        try transaction.removeObject(forKey: "t5")
        for (key, number) in [("t1", 1), ("t2", 3), ("t4", 4)] { try transaction.setObject(number, forKey: key) }
      }
      let jumped = try ui.beginLongLivedReadTransaction()
      let changes = try ui.read { try view($0).changes(for: jumped, with: mappings) }
      let gone = changes.rowChanges.filter { $0.kind == .delete || $0.kind == .move }.compactMap { $0.indexPath?[1] }
      for index in gone.sorted(by: >) { list.remove(at: index) }
      let added = changes.rowChanges.filter { $0.kind == .insert || $0.kind == .move }
      for change in added.sorted(by: { $0.newIndexPath?[1] ?? 0 < $1.newIndexPath?[1] ?? 0 }) {
        list.insert(change.key ?? "", at: change.newIndexPath?[1] ?? 0)
      }
      try #expect(list == ["t0", "t1", "t3", "t2", "t4"] && ui.keys("view", "g") == list)
    }
  }
}
