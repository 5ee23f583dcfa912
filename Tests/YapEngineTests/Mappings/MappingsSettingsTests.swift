import Foundation
import Testing

@testable import YapEngine

/// Settings of mappings: when they take effect, in which order they are made, and how they are read.
@Suite struct MappingsSettingsTests {
  @Test func `a range that is set after the first update takes effect immediately`() throws {
    try NumberView.with(1, 2, 3, 4, 5, 6) { view in
      let mappings = YapDatabaseViewMappings(nil)
      try view.update(mappings)
      mappings.setRangeOptions(.fixed(length: 4, from: .beginning), forGroup: "g")
      #expect(try view.shown(mappings) == [[1, 2, 3, 4]])
      mappings.setRangeOptions(.flexible(length: 2, from: .end), forGroup: "g")
      #expect(try view.shown(mappings) == [[5, 6]])
      // "Load more".
      let range = try #require(mappings.rangeOptions(forGroup: "g"))
      mappings.setRangeOptions(range.copy(withNewLength: range.length + 2), forGroup: "g")
      #expect(try view.shown(mappings) == [[3, 4, 5, 6]])
      try view.set(7)
      #expect(try view.jump(mappings).summary == ["insert 0.4"])
      mappings.removeRangeOptions(forGroup: "g")
      #expect(mappings.rangeOptions(forGroup: "g") == nil && mappings.numberOfItems(inGroup: "g") == 7)
    }
  }

  @Test func `the other settings take effect immediately too`() throws {
    try NumberView.with(1, 2, 3) { view in
      let mappings = YapDatabaseViewMappings(groups: ["g", "h"], view: NumberView.name)
      try view.update(mappings)
      #expect(mappings.visibleGroups == ["g", "h"])
      mappings.isDynamicSectionForAllGroups = true
      #expect(mappings.visibleGroups == ["g"])
      mappings.setIsReversed(true, forGroup: "g")
      #expect(try view.shown(mappings) == [[3, 2, 1]] && mappings.isReversed(forGroup: "g"))
      mappings.setConsolidation(below: 4, withName: "few")
      #expect(mappings.visibleGroups == ["few"] && mappings.isUsingConsolidatedGroup)
      #expect(mappings.autoConsolidateGroupsThreshold == 4 && mappings.consolidatedGroupName == "few")
      mappings.setConsolidation(below: nil)
      #expect(mappings.autoConsolidateGroupsThreshold == 0 && mappings.consolidatedGroupName == nil)
      // The setting of all groups replaces those of groups that were made before, but not those made later.
      mappings.setIsDynamicSection(false, forGroup: "h")
      #expect(mappings.visibleGroups == ["g", "h"])
      mappings.setIsDynamicSectionForAllGroups(true)
      #expect(mappings.visibleGroups == ["g"])
    }
  }

  @Test func `update keeps the length of a flexible range`() throws {
    try NumberView.with(1, 2, 3, 4, 5, 6) { view in
      let mappings = YapDatabaseViewMappings(.flexible(length: 2, offset: 1, from: .end))
      try view.update(mappings)
      try view.set(4.5)
      _ = try view.jump(mappings)
      try view.set(5.5)
      _ = try view.jump(mappings)
      #expect(try view.shown(mappings) == [[4, 4.5, 5, 5.5]])
      try view.set(7, 8)
      try view.update(mappings)
      #expect(try view.shown(mappings) == [[5, 5.5, 6, 7]])
      #expect(mappings.rangeOptions(forGroup: "g")?.length == 4 && mappings.rangeOptions(forGroup: "g")?.offset == 1)
    }
  }

  @Test func `update lets a range without enough rows have its length as soon as it can`() throws {
    try NumberView.with { view in
      let mappings = YapDatabaseViewMappings(.flexible(length: 3, offset: 1, from: .beginning))
      try view.update(mappings)
      try view.set(1, 2)
      try view.update(mappings)
      #expect(try view.shown(mappings) == [[2]])
      try view.set(3, 4, 5, 6)
      try view.update(mappings)
      #expect(try view.shown(mappings) == [[2, 3, 4]])
      // A range that was shortened stays short.
      try view.remove(2)
      _ = try view.jump(mappings)
      try view.update(mappings)
      #expect(try view.shown(mappings) == [[3, 4]])
    }
  }

  // MARK: Reversed groups

  @Test func `a range that is set after the reversal is counted as the rows are shown`() throws {
    try NumberView.with(1, 2, 3, 4, 5) { view in
      let (first, second) = (YapDatabaseViewMappings(nil), YapDatabaseViewMappings(nil))
      first.setIsReversed(true, forGroup: "g")
      first.setRangeOptions(.fixed(length: 2, from: .beginning), forGroup: "g")
      second.setRangeOptions(.fixed(length: 2, from: .end), forGroup: "g")
      second.setIsReversed(true, forGroup: "g")
      try view.update(first, second)
      for mappings in [first, second] {
        #expect(try view.shown(mappings) == [[5, 4]])
        #expect(mappings.rangeOptions(forGroup: "g")?.pin == .beginning)
        #expect(mappings.rangePosition(forGroup: "g") == .init(offsetFromBeginning: 0, offsetFromEnd: 3, length: 2))
      }
      first.setIsReversed(false, forGroup: "g")
      #expect(try view.shown(first) == [[4, 5]] && first.rangeOptions(forGroup: "g")?.pin == .end)
    }
  }

  @Test func `dependencies that are set before the reversal are counted in the order of the view`() throws {
    for isReversedFirst in [true, false] {
      try NumberView.with(1, 2, 3, 4, 5) { view in
        let mappings = YapDatabaseViewMappings(nil)
        if isReversedFirst { mappings.setIsReversed(true, forGroup: "g") }
        // A cell is drawn with the next larger number: shown before it, and after it in the view.
        mappings.setCellDrawingDependencyForNeighboringCell(withOffset: isReversedFirst ? -1 : 1, forGroup: "g")
        mappings.setIsReversed(true, forGroup: "g")
        #expect(mappings.cellDrawingDependencyOffsets(forGroup: "g") == [-1])
        try view.update(mappings)
        try view.writer.readWrite { try $0.touchObject(forKey: "3.0", inCollection: "g") }
        let updates = try view.jump(mappings).rowChanges
        #expect(updates.map(\.key) == ["3.0", "2.0"])
        #expect(updates.map { $0.changes.contains(.dependency) } == [false, true])
      }
    }
  }

  @Test(arguments: [Int.min, .min + 1, -1_000_000_000_000, 1_000_000_000_000, .max])
  func `a dependency on a cell that does not exist has no effect`(_ offset: Int) throws {
    try NumberView.with { view in
      try view.set((10..<30).map(Double.init))
      for isReversed in [false, true] {
        let mappings = YapDatabaseViewMappings(nil)
        mappings.setIsReversed(isReversed, forGroup: "g")
        mappings.setCellDrawingDependencies([offset, 0], forGroup: "g")
        try view.update(mappings)
        try view.set(isReversed ? 15.5 : 14.5)
        #expect(try view.jump(mappings).rowChanges.map(\.kind) == [.insert])
      }
    }
  }

  @Test func `a dependency on a distant cell updates the cells between`() throws {
    try NumberView.with { view in
      try view.set((0..<20).map(Double.init))
      let mappings = YapDatabaseViewMappings(nil)
      mappings.setCellDrawingDependencies([-5], forGroup: "g")
      try view.update(mappings)
      try view.set(9.5, 11.5)
      let changes = try view.jump(mappings).rowChanges
      // From the first insertion to the fifth cell after the last.
      let updated = changes.filter { $0.kind == .update }.map(\.newIndexPath?.row)
      #expect(updated == [11, 12, 14, 15, 16, 17, 18])
    }
  }

  // MARK: Consolidation

  @Test func `without rows there are fewer than any limit`() throws {
    try NumberView.with { view in
      let mappings = YapDatabaseViewMappings(groups: ["g", "h"], view: NumberView.name)
      mappings.setAutoConsolidateGroupsThreshold(3, withName: "few")
      #expect(mappings.numberOfSections() == 0 && !mappings.isUsingConsolidatedGroup)
      try view.update(mappings)
      #expect(mappings.numberOfSections() == 1 && mappings.group(forSection: 0) == "few")
      #expect(mappings.section(forGroup: "g") == 0 && mappings.section(forGroup: "few") == 0)
      try view.set(1, inGroup: "h")
      #expect(try view.jump(mappings).summary == ["insert 0.0"])
      try view.set(2)
      #expect(try view.jump(mappings).summary == ["insert 0.0"])
      #expect(try view.shown(mappings) == [[2, 1]])
      #expect(mappings.numberOfItems(inGroup: "few") == 2 && mappings.index(forRow: 1, inGroup: "few") == 0)
      try view.set(3)
      let changes = try view.jump(mappings)
      #expect(changes.summary == ["delete section 0", "insert section 0", "insert section 1"])
      #expect(changes.sectionChanges.map(\.group) == ["few", "g", "h"])
    }
  }

  @Test func `groups are not consolidated under the name of one of them`() throws {
    try NumberView.with(1) { view in
      let mappings = YapDatabaseViewMappings(groups: ["g", "h"], view: NumberView.name)
      mappings.setConsolidation(below: 5, withName: "h")
      try view.update(mappings)
      #expect(mappings.visibleGroups == ["g", "h"])
    }
  }

  // MARK: Questions

  @Test func `the nearest row is in the group, or before it, or after it`() throws {
    try NumberView.with(1, 2, 3) { view in
      let mappings = YapDatabaseViewMappings(groups: ["e", "g", "h", "i"], view: NumberView.name)
      #expect(mappings.nearestIndexPath(forRow: 0, inGroup: "g") == nil)
      try view.set(1, 2, inGroup: "i")
      try view.update(mappings)
      #expect(mappings.nearestIndexPath(forRow: 1, inGroup: "g") == [1, 1])
      #expect(mappings.nearestIndexPath(forRow: 9, inGroup: "g") == [1, 2])
      #expect(mappings.nearestIndexPath(forRow: -1, inGroup: "g") == [1, 0])
      #expect(mappings.nearestIndexPath(forRow: 0, inGroup: "h") == [1, 2])
      #expect(mappings.nearestIndexPath(forRow: 0, inGroup: "e") == [1, 0])
      #expect(mappings.nearestIndexPath(forRow: 0, inGroup: "none") == nil)
      mappings.setConsolidation(below: 9)
      #expect(mappings.nearestIndexPath(forRow: 1, inGroup: "i") == [0, 4])
    }
  }

  @Test func `YapDatabase's names are understood`() throws {
    try NumberView.with(1, 2, 3, 4) { view in
      let mappings = YapDatabaseViewMappings(
        groupFilterBlock: { group, _ in group != "h" },
        sortBlock: { left, right, _ in right.compare(left) },
        view: NumberView.name
      )
      var range = YapDatabaseViewRangeOptions.flexibleRange(withLength: 2, offset: 1, from: YapDatabaseViewPin.end)
      range.growOptions = [.pinSide, .nonPinSide]
      #expect(range.growth == .onBothSides && range.isFlexibleRange && !range.isFixedRange)
      #expect(range.copy(withNewOffset: 5).offset == 5)
      mappings.setRangeOptions(range, forGroup: "g")
      #expect(mappings.snapshotOfLastUpdate == nil)
      try view.set(1, inGroup: "h")
      try view.set(1, inGroup: "z")
      try view.update(mappings)
      #expect(mappings.snapshotOfLastUpdate == view.database.snapshot && mappings.allGroups == ["z", "g"])
      #expect(mappings.rangePosition(forGroup: "g") == .init(offsetFromBeginning: 1, offsetFromEnd: 1, length: 2))
      #expect(mappings.rangePosition(forGroup: "none") == .init(offsetFromBeginning: 0, offsetFromEnd: 0, length: 0))
      #expect(mappings.index(forRow: 1, inSection: 1) == 2 && mappings.index(forRow: 1, inGroup: "g") == 2)
      #expect(mappings.index(forRow: 2, inSection: 1) == nil && mappings.index(forRow: 2, inGroup: "g") == nil)
      #expect(mappings.row(forIndex: 2, inGroup: "g") == 1 && mappings.row(forIndex: 3, inGroup: "g") == nil)
      try view.set(2.5)
      let jumped = try view.ui.beginLongLivedReadTransaction()
      #expect(view.ui.numberOfRawChanges(forView: NumberView.name, in: jumped) == 1)
      let change = try view.ui.read { transaction in
        let view = try #require(try transaction.ext(NumberView.name) as? YapDatabaseViewTransaction)
        return try #require(try view.changes(for: jumped, with: mappings).rowChanges.first)
      }
      #expect(change.type == .insert && change.finalSection == 1 && change.finalIndex == 1)
      #expect(change.originalSection == nil && change.originalIndex == nil)
      #expect(change.collectionKey?.collection == "g" && change.collectionKey?.key == "2.5")
    }
  }
}
