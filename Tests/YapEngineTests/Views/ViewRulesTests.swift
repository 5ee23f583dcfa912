import Foundation
import HarnessPrimitives
import TestSupport
import Testing

@testable import YapEngine

/// Single rules of views.
@Suite struct ViewRulesTests {
  @Test func `rows that the sorting considers equal are in insertion order`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      try database.register(ViewSamples.byBytes(), withName: "view")
      for (key, text) in [("c", "m"), ("a", "m"), ("x", "z"), ("b", "m"), ("y", "a"), ("d", "m")] {
        try connection.readWrite { try $0.setObject(bytes(text), forKey: key) }
      }
      try #expect(connection.keys("view") == ["y", "c", "a", "b", "d", "x"])
      // A changed row that still fits between its neighbours stays. A row that moves is placed after equal rows.
      try connection.readWrite { try $0.setObject(bytes("m"), forKey: "a") }
      try #expect(connection.keys("view") == ["y", "c", "a", "b", "d", "x"])
      try connection.readWrite { transaction in
        try transaction.setObject(bytes("q"), forKey: "c")
        try #expect(transaction.keys("view") == ["y", "a", "b", "d", "c", "x"])
        try transaction.setObject(bytes("m"), forKey: "x")
      }
      try #expect(connection.keys("view") == ["y", "a", "b", "d", "x", "c"])
    }
  }

  /// Mostly equal values, compared with a plain list.
  @Test func `random histories of equal rows agree with a list`() throws {
    var random = RandomStream(seed: Seed.announce(for: "ViewRulesTests"))
    var isSame = true
    try withDatabase { database in
      let connection = try database.newConnection()
      try database.register(ViewSamples.byBytes(), withName: "view")
      var list: [(key: String, value: UInt8)] = []
      for _ in 0..<TestScale.count(300) {
        try connection.readWrite { transaction in
          let (key, value) = ("\(random.below(150))", UInt8(random.below(4)))
          let index = list.firstIndex { $0.key == key }
          if random.chance(oneIn: 5) {
            try transaction.removeObject(forKey: key)
            if let index { list.remove(at: index) }
            return
          }
          try transaction.setObject([value], forKey: key)
          if let index {
            list[index].value = value
            let fits =
              (index == 0 || list[index - 1].value <= value)
              && (index + 1 == list.count || value <= list[index + 1].value)
            if fits { return }
            list.remove(at: index)
          }
          list.insert((key, value), at: list.firstIndex { $0.value > value } ?? list.count)
        }
        if try connection.keys("view") != list.map(\.key) { isSame = false }
      }
    }
    #expect(isSame)
  }

  /// Rows change so little that they do not move, but the copy of a page's first row in memory must change.
  @Test func `the copy of a page's first row equals the stored row`() throws {
    let found = try withDatabase { database in
      let connection = try database.newConnection()
      try database.register(ViewSamples.byBytes(), withName: "view")
      var counts: [Int] = []
      let found = Discrepancy.first {
        for change in 0..<3 {
          try connection.readWrite { transaction in
            for number in 0..<300 {
              // Not in order, so that positions are searched.
              let value = number * 7 % 300
              try transaction.setObject(ViewKeyspace.bytes(UInt16(value * 10 + change)), forKey: "\(value)")
              if number % 20 == 0 { counts.append(try ViewChecks.checkLandmarks(of: "view", transaction)) }
            }
          }
        }
      }
      #expect((counts.max() ?? 0) > 3)
      return found
    }
    #expect(found == nil)
  }

  @Test func `closures are called again according to their options`() throws {
    try withDatabase { database in
      let asked = SharedList<String>()
      let connection = try database.newConnection()
      for (name, invoke) in [
        ("insert", .onInsertOnly), ("object", .ifObjectModified), ("metadata", .ifMetadataModified),
        ("object touch", .ifObjectTouched), ("metadata touch", .ifMetadataTouched), ("usual", nil),
      ] as [(String, YapDatabaseBlockInvoke?)] {
        let view = YapDatabaseView(
          grouping: .withRowBlock(options: invoke) { _, _, _, _, _ in
            asked.append(name)
            return ""
          },
          sorting: .withKeyBlock { _, _, _, _, _, _ in .orderedSame }
        )
        try database.register(view, withName: name)
      }
      func after(_ change: (YapDatabaseReadWriteTransaction) throws -> Void) throws -> Set<String> {
        let before = asked.all.count
        try connection.readWrite(change)
        return Set(asked.all.dropFirst(before))
      }
      let all: Set = ["insert", "object", "metadata", "object touch", "metadata touch", "usual"]
      try #expect(after { try $0.setObject([1] as [UInt8], forKey: "k") } == all)
      try #expect(after { try $0.setObject([2] as [UInt8], forKey: "k") } == ["object", "metadata", "usual"])
      try #expect(after { try $0.replaceObject([3] as [UInt8], forKey: "k") } == ["object", "usual"])
      try #expect(after { try $0.replaceMetadata([3] as [UInt8], forKey: "k") } == ["metadata", "usual"])
      try #expect(after { try $0.touchObject(forKey: "k") } == ["object touch", "usual"])
      try #expect(after { try $0.touchMetadata(forKey: "k") } == ["metadata touch", "usual"])
      try #expect(after { try $0.removeObject(forKey: "k") } == [])
      try #expect(after { try $0.touchRow(forKey: "k") } == [])
    }
  }

  @Test func `only changed rows are compared, and with few others`() throws {
    try withDatabase { database in
      let asked = SharedList<String>()
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        for number in 0..<5_000 { try transaction.setObject(bytes("\(10_000 + number)"), forKey: "\(number)") }
      }
      try database.register(ViewSamples.byBytes(asked: asked), withName: "view")
      func after(_ change: (YapDatabaseReadWriteTransaction) throws -> Void) throws -> Int {
        let before = asked.all.count
        try connection.readWrite(change)
        return asked.all.dropFirst(before).count { $0 == "sort" }
      }
      try #expect(after { try $0.replaceMetadata([1] as [UInt8], forKey: "77") } == 0)
      try #expect(after { try $0.setObject(bytes("99999"), forKey: "at the end") } == 1)
      try #expect(after { try $0.setObject(bytes("00000"), forKey: "at the beginning") } == 2)
      try #expect(after { try $0.setObject(bytes("10077a"), forKey: "77") } == 2)  // its neighbours agree
      for number in 0..<20 {
        // Both ends and a binary search: 13 comparisons for 5,000 rows, and one more for each of its three steps.
        try #expect(
          after { try $0.setObject(bytes("\(10_000 + number * 240)x"), forKey: "in between \(number)") } <= 18
        )
      }
    }
  }

  @Test func `a view may begin empty, include only some collections, and use another view`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      try connection.readWrite { transaction in
        for collection in ["a", "\u{e9}", "e\u{301}"] {
          try transaction.setObject(bytes("1"), forKey: "old", inCollection: collection)
        }
      }
      try database.register(
        ViewSamples.byBytes(ViewSamples.options { $0.skipsInitialPopulation = true }),
        withName: "empty"
      )
      let only = ViewSamples.options { $0.allowedCollections = .only(["\u{e9}"]) }
      try database.register(ViewSamples.byBytes(only), withName: "only")
      let allBut = ViewSamples.options { $0.allowedCollections = .allBut(["\u{e9}"]) }
      try database.register(ViewSamples.byBytes(allBut), withName: "all but")
      let counting = YapDatabaseView(
        grouping: .withObjectBlock { transaction, collection, key, _ in
          // The view on which this one depends already has the row.
          try transaction.view("all but")?.group(forKey: key, inCollection: collection) == nil ? "without" : "with"
        },
        sorting: .withKeyBlock { _, _, _, key1, _, key2 in ViewKeyspace.order(key1, key2) },
        options: ViewSamples.options { $0.dependencies = ["all but"] }
      )
      try database.register(counting, withName: "counting")
      try #expect(connection.read { try $0.view("empty")?.isEmpty() } == true)
      try #expect(connection.read { try $0.view("only")?.allGroups().map { ByteString($0) } } == [ByteString("\u{e9}")])
      try connection.readWrite { transaction in
        for collection in ["a", "\u{e9}", "e\u{301}"] {
          try transaction.setObject(bytes("2"), forKey: "new", inCollection: collection)
        }
      }
      try connection.read { transaction in
        try #expect(transaction.keys("empty", "a") == ["new"])
        try #expect(transaction.keys("only", "\u{e9}") == ["old", "new"] && transaction.keys("only", "e\u{301}") == [])
        try #expect(
          transaction.keys("all but", "e\u{301}") == ["old", "new"] && transaction.keys("all but", "\u{e9}") == []
        )
        try #expect(transaction.keys("counting", "with") == ["new", "new", "old", "old"])
        try #expect(transaction.keys("counting", "without") == ["new", "old"])
      }
    }
  }

  @Test func `a closure that throws rolls back the transaction or the registration`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      let view = YapDatabaseView(
        grouping: .withKeyBlock { _, _, key in
          if key == "bad" { throw Deliberate() }
          return ""
        },
        sorting: .withKeyBlock { _, _, _, key1, _, key2 in ViewKeyspace.order(key1, key2) }
      )
      try database.register(view, withName: "view")
      #expect(throws: Deliberate.self) {
        try connection.readWrite { transaction in
          try transaction.setObject(bytes("1"), forKey: "good")
          try? transaction.setObject(bytes("1"), forKey: "bad")
          // A block that catches the error cannot commit.
          try? transaction.setObject(bytes("1"), forKey: "another")
        }
      }
      try #expect(connection.keys("view") == [] && connection.read { try $0.numberOfKeysInAllCollections() } == 0)
      try database.unregister("view")
      try connection.readWrite { try $0.setObject(bytes("1"), forKey: "bad") }
      #expect(throws: Deliberate.self) { try database.register(view, withName: "view") }
      #expect(database.registeredExtensionNames.isEmpty && database.snapshot == 3)
    }
  }

  @Test func `a closure cannot write`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      let view = YapDatabaseView(
        grouping: .withKeyBlock { transaction, _, key in
          guard let transaction = transaction as? YapDatabaseReadWriteTransaction else { return nil }
          if key == "touch" { try transaction.touchObject(forKey: "touch") }
          try transaction.setObject(bytes("1"), forKey: "more")
          return ""
        },
        sorting: .withKeyBlock { _, _, _, _, _, _ in .orderedSame }
      )
      try database.register(view, withName: "view")
      for key in ["set", "touch"] {
        #expect(code { try connection.readWrite { try $0.setObject(bytes("1"), forKey: key) } } == .writeInView)
      }
      try #expect(connection.read { try $0.numberOfKeysInAllCollections() } == 0)
    }
  }

  @Test func `an escaped view ends with its transaction, and a change ends its enumeration`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      try database.register(ViewSamples.byBytes(), withName: "view")
      try connection.readWrite { transaction in
        for key in ["a", "b", "c"] { try transaction.setObject(bytes(key), forKey: key) }
      }
      let escaped = try connection.read { try $0.view("view") }
      #expect(code { _ = try escaped?.numberOfGroups() } == .transactionEnded)
      #expect(code { _ = try escaped?.object(atIndex: 0, inGroup: "") } == .transactionEnded)
      try connection.readWrite { transaction in
        let view = try transaction.view("view")
        #expect(
          code {
            try view?.enumerateKeys(inGroup: "") { _, key, _, _ in try transaction.removeObject(forKey: key) }
          } == .mutatedDuringEnumeration
        )
        try view?.enumerateKeys(inGroup: "") { _, key, _, stop in
          try transaction.removeObject(forKey: key)
          stop = true
        }
        try view?.enumerateKeys(inGroup: "") { _, key, _, _ in try transaction.touchObject(forKey: key) }
        try #expect(transaction.keys("view") == ["c"])
      }
      try connection.read { transaction in
        #expect(code { try transaction.view("view")?.touchRows(inGroup: "") } == .invalidArgument)
      }
    }
  }

  /// More rows than are sorted in memory at a time, so that sorted runs are merged.
  @Test(arguments: [1, 7, 300, 5_000])
  func `a rebuilt view is sorted, however few rows are in memory at a time`(_ runLength: Int) throws {
    try withDatabase { database in
      var random = RandomStream(seed: Seed.announce(for: "ViewRulesTests"))
      try database.newConnection().readWrite { transaction in
        for number in 0..<1_000 {
          let value = [UInt8(random.below(256)), UInt8(random.below(256))]
          try transaction.setObject(value, forKey: "\(number)", inCollection: "\(number % 3)")
        }
        var population = ViewPopulation(ViewSamples.byBytes(), transaction, runLength: runLength)
        let state = try population.run()
        #expect(state.count == 1_000 && state.groupCount == 3)
        for name in ["0", "1", "2"] {
          let rows = try state.rowids(inGroup: ByteString(name)).map { try transaction.viewedRow($0, .object) }
          let values = rows.map { $0.object as? [UInt8] ?? [] }
          #expect(zip(values, values.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) })
        }
        try transaction.rollback()
      }
    }
  }
}
