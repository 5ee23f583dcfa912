import Foundation
import Testing

@testable import YapEngine

/// Single rules of views.
@Suite struct ViewRulesTests {
  @Test func `rows that are the same to the sorting stand in the order in which they came`() throws {
    try withDatabase { database in
      let connection = try database.newConnection()
      try database.register(ViewSamples.byBytes(), withName: "view")
      for (key, text) in [("c", "m"), ("a", "m"), ("x", "z"), ("b", "m"), ("y", "a"), ("d", "m")] {
        try connection.readWrite { try $0.setObject(bytes(text), forKey: key) }
      }
      try #expect(connection.keys("view") == ["y", "c", "a", "b", "d", "x"])
      // One that its neighbours agree with stays; one that moves goes behind those that are the same.
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

  /// Values that are mostly the same, against a plain list.
  @Test(arguments: [false, true])
  func `random histories of equal rows are those of a list, and a planted bug is found`(_ isPlanted: Bool) throws {
    if isPlanted && !TestHooks.areBuiltIn { return }
    var random = SeededGenerator(seed: Seed.announce(for: "ViewRulesTests"))
    var options = YapDatabaseOptions.quick
    if isPlanted { options.plant([.views(.sortsBeforeEquals)]) }
    var isSame = true
    try withDatabase(options) { database in
      let connection = try database.newConnection()
      try database.register(ViewSamples.byBytes(), withName: "view")
      var list: [(key: String, value: UInt8)] = []
      for _ in 0..<(isPlanted ? 300 : TestScale.count(300)) {
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
    #expect(isSame != isPlanted)
  }

  /// Rows change so little that they stay where they are: what is kept in memory of a page's first row must not.
  @Test(arguments: [false, true])
  func `what is kept of a page's first row is what is stored, and a planted bug is found`(_ isPlanted: Bool) throws {
    if isPlanted && !TestHooks.areBuiltIn { return }
    var options = YapDatabaseOptions.quick
    if isPlanted { options.plant([.views(.keepsOldLandmarks)]) }
    let found = try withDatabase(options) { database in
      let connection = try database.newConnection()
      try database.register(ViewSamples.byBytes(), withName: "view")
      var counts: [Int] = []
      let found = Discrepancy.first {
        for change in 0..<3 {
          try connection.readWrite { transaction in
            for number in 0..<300 {
              // In any order, so that places are searched for.
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
    #expect((found != nil) == isPlanted)
  }

  @Test func `closures are asked again as their options say`() throws {
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
      try #expect(after { try $0.touchObject(forKey: "k") } == ["object touch"])
      try #expect(after { try $0.touchMetadata(forKey: "k") } == ["metadata touch"])
      try #expect(after { try $0.removeObject(forKey: "k") } == [])
      try #expect(after { try $0.touchRow(forKey: "k") } == [])
    }
  }

  @Test func `only what changed in a row is compared, and few rows with it`() throws {
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
        // Both ends, and a binary search: 13 for 5000 rows, and one more for each of its three steps.
        try #expect(
          after { try $0.setObject(bytes("\(10_000 + number * 240)x"), forKey: "in between \(number)") } <= 18
        )
      }
    }
  }

  @Test func `a view may begin empty, look at some collections only, and at another view`() throws {
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
          // The view that this one depends on has the row already.
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

  @Test func `a closure that throws undoes the transaction, or the registration`() throws {
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
          // Whoever catches it cannot commit any more.
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

  @Test func `a closure that writes is refused`() throws {
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

  /// More rows than are held at a time, so that runs are merged, from all of a thousand to one at a time.
  @Test(arguments: [1, 7, 300, 5_000])
  func `a view that is made anew is in order, however few rows are held at a time`(_ runLength: Int) throws {
    try withDatabase { database in
      var random = SeededGenerator(seed: Seed.announce(for: "ViewRulesTests"))
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
          let values = rows.map { $0?.object as? [UInt8] ?? [] }
          #expect(zip(values, values.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) })
        }
        try transaction.rollback()
      }
    }
  }
}
