import Foundation
import HarnessPrimitives
import TestSupport

@testable import YapEngine

/// Random jumps of mappings over random commits, with random settings.
///
/// Each jump is made twice: over all its commits at once, and over one after the other. Both must lead to the same
/// layout, whose ranges are those of `RangeModel`, and each list of changes must turn the list before it into the list
/// after it.
struct JumpTrial {
  /// A mistake of this trial, planted to prove that its checks find one.
  enum Mistake: CaseIterable {
    /// The first operation of each commit is missing.
    case losesAnOperation
    /// The operations of a jump's commits count as those of one commit.
    case joinsCommits
    /// The model ends the commits of a jump once, as YapDatabase does.
    case endsCommitsOnce
    /// Ranges grow on the other side too.
    case growsOnBothSides
  }

  private var random: RandomStream
  private let mistake: Mistake?

  private var groups: RandomGroups
  /// The mapped groups, in the order of their sections.
  private var mapped: [ByteString] = []
  private var mappings = YapDatabaseViewMappings(groups: [], view: "v")
  private var models: [ByteString: RangeModel] = [:]

  init(seed: UInt64, mistake: Mistake? = nil) {
    random = RandomStream(seed: seed)
    groups = RandomGroups(groups: 1, rows: 0, &random)
    self.mistake = mistake
  }

  static let jumpsPerRun = 8

  /// Makes 8 jumps.
  mutating func run() throws {
    groups = RandomGroups(groups: 1 + random.below(4), rows: random.below(40), &random)
    mapped = groups.names.shuffled(using: &random)
    mappings = YapDatabaseViewMappings(groups: [], view: "v")
    models = [:]
    for group in groups.names { setOptions(of: group) }
    if random.chance(oneIn: 2) { mappings.isDynamicSectionForAllGroups = random.chance(oneIn: 2) }
    let state = mappings.current
    try mappings.move(from: state, to: state.layout(at: 0, of: mapped, in: groups.state, FlexibleRanges([:])))
    for _ in 0..<Self.jumpsPerRun {
      if random.chance(oneIn: 3) { setOptions(of: groups.names[random.below(groups.names.count)]) }
      try checkRanges()
      try jump()
    }
  }

  // MARK: Settings

  private mutating func setOptions(of group: ByteString) {
    let name = group.text
    if random.chance(oneIn: 2) { mappings.setIsReversed(random.chance(oneIn: 2), forGroup: name) }
    let range = randomRange()
    mappings.setRangeOptions(range, forGroup: name)
    models[group] = range.map { model($0, of: group) }
    if random.chance(oneIn: 2) { mappings.setIsReversed(random.chance(oneIn: 2), forGroup: name) }
    if random.chance(oneIn: 2) { mappings.setIsDynamicSection(random.chance(oneIn: 2), forGroup: name) }
    if random.chance(oneIn: 2) {
      let offsets: [Set<Int>] = [[-1], [1], [-1, 1], [-2, 1], [.min, 3], [.max, -3], []]
      mappings.setCellDrawingDependencies(offsets[random.below(offsets.count)], forGroup: name)
    }
    if random.chance(oneIn: 8) { mappings.setConsolidation(below: random.below(60)) }
  }

  private mutating func randomRange() -> YapDatabaseViewRangeOptions? {
    let pin: YapDatabaseViewRangeOptions.Pin = random.chance(oneIn: 2) ? .beginning : .end
    let (length, offset) = (random.below(12), random.below(4))
    switch random.below(6) {
    case 0: return nil
    case 1: return .fixed(length: length, offset: offset, from: pin)
    default:
      var range = YapDatabaseViewRangeOptions.flexible(length: length, offset: offset, from: pin)
      if random.chance(oneIn: 3) { range.maxLength = 1 + random.below(20) }
      if random.chance(oneIn: 3) { range.minLength = random.below(8) }
      if random.chance(oneIn: 2) {
        range.growth = [.inRangeOnly, .onPinSide, .onNonPinSide, .onBothSides][random.below(4)]
      }
      return range
    }
  }

  /// Returns the model of a range that has just been set.
  private func model(_ range: YapDatabaseViewRangeOptions, of group: ByteString) -> RangeModel {
    var range = range
    if mappings.isReversed(forGroup: group.text) {
      let pin: YapDatabaseViewRangeOptions.Pin = range.pin == .beginning ? .end : .beginning
      var other =
        range.isFlexible
        ? YapDatabaseViewRangeOptions.flexible(length: range.length, offset: range.offset, from: pin)
        : .fixed(length: range.length, offset: range.offset, from: pin)
      (other.maxLength, other.minLength, other.growth) = (range.maxLength, range.minLength, range.growth)
      range = other
    }
    if mistake == .growsOnBothSides { range.growth = .onBothSides }
    return RangeModel(range, rows: groups.rows(inGroup: group))
  }

  // MARK: Jumps

  private mutating func jump() throws {
    let stepping = mappings.copy()
    let oldRows = groups.rowOfRowid
    var commits: [ViewChanges] = []
    var nextMapped = mapped
    if random.chance(oneIn: 8) { nextMapped = groups.names.shuffled(using: &random) }
    if random.chance(oneIn: 8) { nextMapped = nextMapped.dropLast() }
    let count = 1 + random.below(8)
    for number in 1...count {
      let rows = groups.rowOfRowid
      let commit = groups.commit(edits: random.below(8), &random)
      follow(commit, endsCommit: number == count || mistake != .endsCommitsOnce)
      commits.append(commit.changes)
      let isLast = number == count
      try move(
        stepping,
        over: [commit.changes],
        to: isLast ? nextMapped : mapped,
        from: isLast && random.chance(oneIn: 4) ? rows : nil
      )
    }
    mapped = nextMapped
    try move(mappings, over: jumped(commits), to: mapped, from: oldRows)
    try checkRanges()
    try Discrepancy.check(Shape(mappings), Shape(stepping), "one jump over \(count) commits instead of \(count) jumps")
  }

  private mutating func follow(_ commit: RandomGroups.Commit, endsCommit: Bool) {
    for (group, edit) in commit.edits { models[group]?.apply(edit) }
    if endsCommit { for group in groups.names { models[group]?.endCommit() } }
  }

  /// The commits as the mappings get them: some folded, and with the planted mistake.
  private mutating func jumped(_ commits: [ViewChanges]) -> [ViewChanges] {
    var commits = commits.filter { !$0.isEmpty }
    switch mistake {
    case .losesAnOperation: commits = commits.map { $0.with(operations: ($0.operations ?? []).dropFirst()) }
    case .joinsCommits:
      let operations = commits.flatMap { $0.operations ?? [] }
      return [commits.reduce(into: ViewChanges()) { $0.follow(with: $1) }.with(operations: operations[...])]
    default: break
    }
    guard commits.count > 1, random.chance(oneIn: 3) else { return commits }
    let folded = 2 + random.below(commits.count - 1)
    return [commits[..<folded].reduce(into: ViewChanges()) { $0.fold($1) }] + commits[folded...]
  }

  /// Moves mappings to the groups' present state.
  /// - Parameter oldRows: The rows before, by rowid; nil if the changes are not to be checked.
  private func move(
    _ mappings: YapDatabaseViewMappings,
    over commits: [ViewChanges],
    to mapped: [ByteString],
    from oldRows: [Int64: Int]?
  ) throws {
    let state = mappings.current
    guard let before = state.layout else { throw Discrepancy("the mappings have no layout") }
    var jump = MappingsJump(from: before, in: state)
    for commit in commits { jump.follow(commit) }
    let after = try state.layout(at: before.snapshot + 1, of: mapped, in: groups.state, jump.ranges)
    if let oldRows {
      let newRows = groups.rowOfRowid
      let changes = try jump.changes(
        to: after,
        keyOfRow: { RandomGroups.key(newRows[$0] ?? 0) },
        nameOf: { _ in "" }
      )
      let check = ChangesCheck(
        before: ShownList(before) { "\(oldRows[$0] ?? 0)" },
        after: ShownList(after) { "\(newRows[$0] ?? 0)" },
        changes: changes,
        commits: commits.reduce(into: ViewChanges()) { $0.follow(with: $1) },
        mappings: mappings
      )
      try check.run()
    }
    try mappings.move(from: state, to: after)
  }

  // MARK: Checks

  private func checkRanges() throws {
    guard let layout = mappings.layout else { throw Discrepancy("the mappings have no layout") }
    for part in layout.parts {
      try Discrepancy.check(part.window.clamped(to: 0..<part.count), part.window, "range of \(part.group.text)")
      let expected = try models[part.group]?.window() ?? 0..<part.count
      let options = mappings.rangeOptions(forGroup: part.group.text)
      try Discrepancy.check(part.window, expected, "range of \(part.group.text), \(options as Any)")
    }
  }

  /// The shown contents of mappings, to compare.
  private struct Shape: Equatable {
    let sections: [String]
    let windows: [String: Range<Int>?]

    init(_ mappings: YapDatabaseViewMappings) {
      sections = mappings.visibleGroups
      windows = Dictionary(uniqueKeysWithValues: mappings.layout?.parts.map { ($0.group.text, $0.window) } ?? [])
    }
  }
}

extension ViewChanges {
  /// The same changes with other operations.
  fileprivate func with(operations: ArraySlice<GroupOperation>) -> ViewChanges {
    var changes = ViewChanges()
    changes.follow(with: self)
    for operation in operations { changes.note(operation) }
    return changes
  }
}
