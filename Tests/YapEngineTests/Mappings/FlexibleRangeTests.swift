import Foundation
import Testing

@testable import YapEngine

/// Flexible ranges: which rows they show after commits. The rules are those of YapDatabase.
@Suite struct FlexibleRangeTests {
  typealias Range = YapDatabaseViewRangeOptions

  @Test(arguments: [Range.Pin.beginning, .end])
  func `a flexible range grows on the side of its pin by default`(_ pin: Range.Pin) throws {
    try NumberView.with(10, 20, 30) { view in
      let mappings = YapDatabaseViewMappings(.flexible(length: 2, from: pin))
      try view.update(mappings)
      try view.set(pin == .end ? 40 : 5)
      #expect(try view.jump(mappings).summary == [pin == .end ? "insert 0.2" : "insert 0.0"])
      #expect(mappings.numberOfItems(inGroup: "g") == 3)
      // Beside the other side of the range.
      try view.set(pin == .end ? 15 : 25)
      #expect(try view.jump(mappings).isEmpty)
    }
  }

  @Test(arguments: [
    (Range.Growth.inRangeOnly, [20, 25, 30]), (.onPinSide, [20, 25, 30, 35]), (.onNonPinSide, [15, 20, 25, 30]),
    (.onBothSides, [15, 20, 25, 30, 35]),
  ])
  func `a flexible range grows on the sides that its options name`(_ growth: Range.Growth, _ expected: [Double]) throws
  {
    try NumberView.with(10, 20, 30, 40) { view in
      var range = Range.flexible(length: 2, offset: 1, from: .end)
      range.growth = growth
      let mappings = YapDatabaseViewMappings(range)
      try view.update(mappings)
      try view.set(15, 25, 35)
      _ = try view.jump(mappings)
      #expect(try view.shown(mappings) == [expected])
    }
  }

  @Test func `a range that has become too short takes rows from the side of its pin first`() throws {
    for pin in [Range.Pin.beginning, .end] {
      try NumberView.with { view in
        try view.set((0..<20).map(Double.init))
        var range = Range.flexible(length: 6, offset: 1, from: pin)
        range.minLength = 5
        let mappings = YapDatabaseViewMappings(range)
        try view.update(mappings)
        if pin == .beginning { try view.remove(1, 2, 3) } else { try view.remove(16, 17, 18) }
        let changes = try view.jump(mappings)
        #expect(mappings.visibleRange(forGroup: "g") == (pin == .beginning ? 0..<5 : 12..<17))
        let deletes = pin == .beginning ? [0, 1, 2] : [3, 4, 5]
        #expect(changes.summary == deletes.map { "delete 0.\($0)" } + ["insert 0.0", "insert 0.4"])
        // The other side gives rows only if this side has no more.
        if pin == .beginning { try view.remove(0) } else { try view.remove(19) }
        _ = try view.jump(mappings)
        #expect(mappings.visibleRange(forGroup: "g") == (pin == .beginning ? 0..<5 : 11..<16))
      }
    }
  }

  @Test func `a range at its minimum length replaces a row that is removed`() throws {
    try NumberView.with { view in
      try view.set((0..<80).map(Double.init))
      var range = Range.flexible(length: 50, from: .beginning)
      (range.minLength, range.growth) = (50, .onBothSides)
      let mappings = YapDatabaseViewMappings(range)
      try view.update(mappings)
      try view.remove(7)
      #expect(try view.jump(mappings).summary == ["delete 0.7", "insert 0.49"])
      #expect(mappings.numberOfItems(inGroup: "g") == 50)
    }
  }

  @Test func `a range that is too long loses rows on the side away from its pin`() throws {
    try NumberView.with(1, 2, 3) { view in
      var range = Range.flexible(length: 2, from: .end)
      range.maxLength = 3
      let mappings = YapDatabaseViewMappings(range)
      try view.update(mappings)
      try view.set(4, 5)
      #expect(try view.jump(mappings).summary == ["delete 0.0", "insert 0.1", "insert 0.2"])
      #expect(try view.shown(mappings) == [[3, 4, 5]])
    }
  }

  @Test func `a flexible range does not depend on the number of commits in a jump`() throws {
    try NumberView.with(1, 2, 3, 4, 5, 6, 7, 8, 9) { view in
      let mappings = YapDatabaseViewMappings(.flexible(length: 3, from: .end))
      try view.update(mappings)
      let stepwise = mappings.copy()
      // A row arrives inside the range, whose edge is removed in the next commit.
      try view.set(7.5)
      let first = try view.ui.beginLongLivedReadTransaction()
      try view.changes(first, stepwise)
      try view.remove(7)
      let second = try view.ui.beginLongLivedReadTransaction()
      try view.changes(second, stepwise)
      try view.changes(first + second, mappings)
      #expect(try view.shown(mappings) == [[7.5, 8, 9]])
      #expect(stepwise.visibleRange(forGroup: "g") == 6..<9 && mappings.visibleRange(forGroup: "g") == 6..<9)
    }
  }

  @Test func `the order of a commit's operations decides whether a row is inside a range`() throws {
    for isInsertedFirst in [true, false] {
      try NumberView.with(6, 7, 8, 9) { view in
        let mappings = YapDatabaseViewMappings(.flexible(length: 3, from: .end))
        try view.update(mappings)
        try view.writer.readWrite { transaction in
          if isInsertedFirst { try transaction.setObject(7.5, forKey: "7.5", inCollection: "g") }
          try transaction.removeObject(forKey: "7.0", inCollection: "g")
          if !isInsertedFirst { try transaction.setObject(7.5, forKey: "7.5", inCollection: "g") }
        }
        _ = try view.jump(mappings)
        #expect(try view.shown(mappings) == [isInsertedFirst ? [7.5, 8, 9] : [8, 9]])
      }
    }
  }

  @Test func `a range that has lost its rows grows on both sides`() throws {
    try NumberView.with(1, 2, 3, 4) { view in
      var range = Range.flexible(length: 1, offset: 1, from: .beginning)
      range.growth = .inRangeOnly
      let mappings = YapDatabaseViewMappings(range)
      try view.update(mappings)
      try view.remove(2)
      _ = try view.jump(mappings)
      #expect(mappings.isEmpty)
      try view.set(1.5)
      _ = try view.jump(mappings)
      #expect(try view.shown(mappings) == [[1.5]])
    }
  }

  @Test(arguments: [true, false])
  func `a range follows commits that were folded`(_ isLimited: Bool) throws {
    var options = YapDatabaseOptions.quick
    options.bookmarkCommitLimit = isLimited ? 4 : nil
    try NumberView.with(1, 2, 3, options: options) { view in
      var range = Range.flexible(length: 2, from: .end)
      range.maxLength = 5
      let mappings = YapDatabaseViewMappings(range)
      try view.update(mappings)
      // The range is full after 3 commits, and shrinks again.
      for number in 4...13 { try view.set(Double(number)) }
      for number in 10...13 { try view.remove(Double(number)) }
      _ = view.database.sweepIdleConnections()
      let jumped = try view.ui.beginLongLivedReadTransaction()
      #expect(jumped.contains(where: \.isFolded) == isLimited)
      try view.changes(jumped, mappings)
      #expect(try view.shown(mappings) == [[9]])
    }
  }

  @Test func `a range keeps its length if too many operations were folded`() {
    var state = ViewState()
    state.append(Array(1...40), toGroup: ByteString("g"))
    let mappings = YapDatabaseViewMappings(.flexible(length: 3, offset: 2, from: .end))
    let before = mappings.current
    #expect(throws: Never.self) {
      try mappings.move(from: before, to: before.layout(at: 0, of: [ByteString("g")], in: state, FlexibleRanges([:])))
    }
    var commit = ViewChanges()
    for _ in 0..<ViewChanges.foldedOperationLimit / 2 { commit.note(GroupOperation(.insert, 0, in: ByteString("g"))) }
    var folded = ViewChanges()
    folded.fold(commit)
    #expect(folded.operations?.count == commit.operations?.count)
    folded.fold(commit)
    #expect(folded.operations == nil)
    state.insert(41, at: 40, inGroup: ByteString("g"))
    let placed = mappings.current
    var ranges = placed.layout.map { placed.flexibleRanges(at: $0) } ?? FlexibleRanges([:])
    ranges.follow(folded)
    let after = try? placed.layout(at: 1, of: [ByteString("g")], in: state, ranges)
    #expect(after?.parts.first?.window == 36..<39)
  }

  @Test func `a group that appears is shown as one that was empty`() throws {
    try NumberView.with(1, 2, 3) { view in
      let mappings = YapDatabaseViewMappings(
        view: NumberView.name,
        filter: { _, _ in true },
        sort: { left, right, _ in left < right }
      )
      mappings.setRangeOptions(.flexible(length: 2, from: .end), forGroup: "h")
      try view.update(mappings)
      let stepwise = mappings.copy()
      try view.set(1, 2, 3, inGroup: "h")
      let first = try view.ui.beginLongLivedReadTransaction()
      try view.changes(first, stepwise)
      try view.set(4, inGroup: "h")
      let second = try view.ui.beginLongLivedReadTransaction()
      try view.changes(second, stepwise)
      try view.changes(first + second, mappings)
      #expect(try view.shown(mappings) == [[1, 2, 3], [1, 2, 3, 4]])
      #expect(stepwise.visibleRange(forGroup: "h") == mappings.visibleRange(forGroup: "h"))
    }
  }

  @Test func `a range shows the same part in another order`() throws {
    try NumberView.with(1, 2, 3, 4) { view in
      let mappings = YapDatabaseViewMappings(.flexible(length: 2, offset: 1, from: .end))
      try view.update(mappings)
      try view.writer.readWrite { transaction in
        let view = try #require(try transaction.ext(NumberView.name) as? YapDatabaseViewTransaction)
        let descending = YapDatabaseViewSorting.withKeyBlock { _, _, _, left, _, right in right.compare(left) }
        try view.setSorting(descending, versionTag: "descending")
      }
      try view.set(2.5)
      #expect(try view.jump(mappings).sectionChanges.isEmpty)
      #expect(try view.shown(mappings) == [[3, 2.5, 2]])
    }
  }

  @Test func `a range shows the same part after a registration`() throws {
    try NumberView.with(1, 2, 3, 4) { view in
      let mappings = YapDatabaseViewMappings(.flexible(length: 2, from: .end))
      try view.update(mappings)
      try view.database.unregister(NumberView.name)
      try view.database.register(view.extensionOfNumbers, withName: NumberView.name)
      try view.set(5)
      let changes = try view.jump(mappings)
      #expect(try view.shown(mappings) == [[3, 4, 5]])
      #expect(changes.summary == ["delete 0.0", "delete 0.1", "insert 0.0", "insert 0.1", "insert 0.2"])
    }
  }
}

extension NumberView {
  /// Moves mappings over commits to the bookmark.
  func changes(_ modifications: [YapDatabaseModification], _ mappings: YapDatabaseViewMappings) throws {
    try ui.read { transaction in
      let view = try #require(try transaction.ext(Self.name) as? YapDatabaseViewTransaction)
      _ = try view.changes(for: modifications, with: mappings)
    }
  }
}
