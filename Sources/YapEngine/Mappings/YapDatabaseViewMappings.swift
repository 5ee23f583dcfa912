internal import ThreadingPrimitives

/// How the groups of a view become the sections of a list in a user interface.
///
///     let mappings = YapDatabaseViewMappings(groups: ["unread", "read"], view: "messages")
///     try ui.beginLongLivedReadTransaction()
///     try ui.read { try mappings.update(with: $0) }
///     // for each notification:
///     let modifications = try ui.beginLongLivedReadTransaction()
///     let changes = try ui.read { transaction in
///       try (transaction.ext("messages") as? YapDatabaseViewTransaction)?.changes(for: modifications, with: mappings)
///     }
///
/// It stands on a snapshot, like the connection of the user interface, and moves with it: by `changes(for:with:)`,
/// which says what to animate, or by `update(with:)`. Settings take effect with the next of either.
///
/// Any thread may use it, and each call sees one state. An actor, or a task, that awaits its reads moves a `copy()` and
/// puts that in the place of the mappings together with the changes, so that its list and its mappings always agree.
public final class YapDatabaseViewMappings: Sendable {
  /// The name of the view.
  public let view: String

  private let choice: GroupChoice
  private let state: Guarded<State>

  private enum GroupChoice: Sendable {
    case these([ByteString])
    case filtered(
      @Sendable (String, YapDatabaseReadTransaction) throws -> Bool,
      @Sendable (String, String, YapDatabaseReadTransaction) throws -> Bool
    )
  }

  /// Settings of one group.
  struct GroupSettings {
    var isDynamic: Bool?
    var range: YapDatabaseViewRangeOptions?
    var isReversed = false
    var dependencies: Set<Int> = []
  }

  /// The settings and the layout at one moment.
  struct State {
    fileprivate var isDynamicForAllGroups = false
    fileprivate var settings: [ByteString: GroupSettings] = [:]
    fileprivate var consolidation: Int?
    /// Groups whose range has been set since the last move.
    fileprivate var restarted: Set<ByteString> = []
    fileprivate(set) var layout: MappingsLayout?
    /// The number of moves of the mappings.
    fileprivate var moves = 0

    func isDynamic(_ group: ByteString) -> Bool { settings[group]?.isDynamic ?? isDynamicForAllGroups }

    func dependencies(of group: ByteString) -> Set<Int> { settings[group]?.dependencies ?? [] }
  }

  /// - Parameters:
  ///   - groups: the sections, in this order.
  ///   - view: the name under which the view is registered.
  public init(groups: [String], view: String) {
    var seen: Set<ByteString> = []
    choice = .these(groups.map { ByteString($0) }.filter { seen.insert($0).inserted })
    self.view = view
    state = Guarded(State())
  }

  /// Sections for the groups that the view has at the moment.
  /// - Parameters:
  ///   - view: the name that it is registered under.
  ///   - filter: whether a group is to be shown.
  ///   - areInIncreasingOrder: the order of two groups.
  public init(
    view: String,
    filter: @escaping @Sendable (_ group: String, _ transaction: YapDatabaseReadTransaction) throws -> Bool,
    sort areInIncreasingOrder:
      @escaping @Sendable (
        _ group1: String, _ group2: String, _ transaction: YapDatabaseReadTransaction
      ) throws -> Bool
  ) {
    choice = .filtered(filter, areInIncreasingOrder)
    self.view = view
    state = Guarded(State())
  }

  private init(_ other: YapDatabaseViewMappings) {
    view = other.view
    choice = other.choice
    state = Guarded(other.current)
  }

  /// Mappings with the same settings that stand on the same snapshot, and move on their own.
  public func copy() -> YapDatabaseViewMappings { YapDatabaseViewMappings(self) }

  // MARK: Settings

  /// Whether groups have a section only while they show rows; a group's own setting is stronger.
  public var isDynamicSectionForAllGroups: Bool {
    get { state.withLock { $0.isDynamicForAllGroups } }
    set { state.withLock { $0.isDynamicForAllGroups = newValue } }
  }

  /// Whether a group has a section only while it shows rows.
  public func setIsDynamicSection(_ isDynamic: Bool, forGroup group: String) {
    change(group) { $0.isDynamic = isDynamic }
  }

  public func isDynamicSection(forGroup group: String) -> Bool { current.isDynamic(ByteString(group)) }

  /// Shows a part of a group; nil for all of it. A flexible range begins anew.
  public func setRangeOptions(_ range: YapDatabaseViewRangeOptions?, forGroup group: String) {
    state.withLock { state in
      state.settings[ByteString(group), default: GroupSettings()].range = range
      state.restarted.insert(ByteString(group))
    }
  }

  /// Shows a group from its end to its beginning.
  public func setIsReversed(_ isReversed: Bool, forGroup group: String) {
    change(group) { $0.isReversed = isReversed }
  }

  /// A cell of the group is drawn with what the cells at these offsets hold: with -1, the cell before it. When one of
  /// those changes, or is another one, the cell is told as updated.
  public func setCellDrawingDependencies(_ offsets: Set<Int>, forGroup group: String) {
    change(group) { $0.dependencies = offsets.subtracting([0]) }
  }

  /// Shows one section with the rows of all groups, as long as there are fewer rows than this; nil for never.
  public func setConsolidation(below rows: Int?) { state.withLock { $0.consolidation = rows } }

  private func change(_ group: String, _ change: (inout GroupSettings) -> Void) {
    state.withLock { change(&$0.settings[ByteString(group), default: GroupSettings()]) }
  }

  // MARK: Moving

  /// The state at this moment.
  var current: State { state.withLock { $0 } }

  var layout: MappingsLayout? { state.withLock { $0.layout } }

  /// Stands on the transaction's snapshot from now on.
  /// - Throws: `notRegistered` where the view is not there; `invalidArgument` in a read-write transaction, whose
  ///   snapshot may never come to be.
  public func update(with transaction: YapDatabaseReadTransaction) throws {
    let state = current
    let layout = try layout(state, for: transaction) { _, part, range in range?.window(count: part) ?? 0..<part }
    self.state.withLock { $0.adopt(layout) }
  }

  /// - Parameter window: chooses the indexes of a group that are shown, from its number of rows and its range.
  private func layout(
    _ state: State,
    for transaction: YapDatabaseReadTransaction,
    _ window: (ByteString, Int, YapDatabaseViewRangeOptions?) throws -> Range<Int>
  ) throws -> MappingsLayout {
    guard !(transaction is YapDatabaseReadWriteTransaction) else {
      throw YapDatabaseError(
        .invalidArgument,
        "mappings of view \"\(view)\" were used in a read-write transaction, whose snapshot is not there yet: use them "
          + "in a read on the connection of the user interface"
      )
    }
    guard let view = try transaction.ext(view) as? YapDatabaseViewTransaction else {
      throw YapDatabaseError(
        .notRegistered,
        "mappings are for view \"\(view)\", which is not registered at the transaction's snapshot"
      )
    }
    let viewState = try view.state
    let parts = try groups(viewState, transaction).map { group in
      let count = viewState.group(named: group)?.count ?? 0
      return MappingsLayout.Part(
        group: group,
        count: count,
        window: try window(group, count, state.settings[group]?.range),
        isReversed: state.settings[group]?.isReversed ?? false
      )
    }
    return MappingsLayout(
      snapshot: transaction.snapshot,
      state: viewState,
      parts: parts,
      isDynamic: state.isDynamic,
      consolidatesBelow: state.consolidation
    )
  }

  private func groups(_ state: ViewState, _ transaction: YapDatabaseReadTransaction) throws -> [ByteString] {
    switch choice {
    case .these(let groups): groups
    case .filtered(let filter, let areInIncreasingOrder):
      try state.groupNames.filter { try filter($0.text, transaction) }.sorted {
        try areInIncreasingOrder($0.text, $1.text, transaction)
      }
    }
  }

  /// The layout at the transaction's snapshot. Flexible ranges follow their rows.
  /// - Parameters:
  ///   - before: the state that the changes lead from.
  ///   - difference: what became of a group that was mapped before; nil where that is not known.
  func layout(
    after before: State,
    for transaction: YapDatabaseReadTransaction,
    _ difference: (ByteString) -> GroupDifference?
  ) throws -> MappingsLayout {
    try layout(before, for: transaction) { group, count, range in
      guard let range, range.isFlexible, !before.restarted.contains(group) else {
        return range?.window(count: count) ?? 0..<count
      }
      guard let old = before.layout?.parts.first(where: { $0.group == group }), let difference = difference(group)
      else {
        return range.window(count: count)
      }
      return range.window(after: old.window, difference, count: count)
    }
  }

  /// Shows `layout` from now on.
  /// - Throws: `mismatchedMappings` if the mappings have moved since they were in the state `before`.
  func move(from before: State, to layout: MappingsLayout) throws {
    let hasMoved = state.withLock { state in
      guard state.moves == before.moves else { return false }
      state.adopt(layout)
      return true
    }
    if hasMoved { return }
    throw YapDatabaseError(
      .mismatchedMappings,
      "mappings of view \"\(view)\" were moved by two calls at a time, and the changes of this one do not lead to what "
        + "they show: move them by one call after the other, call update(with:), and reload the list"
    )
  }
}

extension YapDatabaseViewMappings.State {
  fileprivate mutating func adopt(_ layout: MappingsLayout) {
    self.layout = layout
    restarted = []
    moves += 1
  }
}
