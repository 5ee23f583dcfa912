internal import ThreadingPrimitives

/// Maps the groups of a view to the sections of a list in a user interface.
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
/// Mappings stand on a snapshot, as the connection of the user interface does, and are moved when the connection moves:
/// by `changes(for:with:)`, which returns the changes to animate, or by `update(with:)`. Settings take effect with the
/// next call of either.
///
/// Mappings may be used by any thread, and each call sees one consistent state. An actor or a task that awaits its
/// reads should move a `copy()`, and then replace the mappings by the copy when it applies the changes. Its list and
/// its mappings then always agree.
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

  /// Creates mappings of the given groups.
  /// - Parameters:
  ///   - groups: The groups in the order of their sections.
  ///   - view: The name under which the view is registered.
  public init(groups: [String], view: String) {
    var seen: Set<ByteString> = []
    choice = .these(groups.map { ByteString($0) }.filter { seen.insert($0).inserted })
    self.view = view
    state = Guarded(State())
  }

  /// Creates mappings of the groups that the view has at each snapshot.
  /// - Parameters:
  ///   - view: The name under which the view is registered.
  ///   - filter: Returns whether a group is shown.
  ///   - areInIncreasingOrder: Returns whether the first group comes before the second.
  public init(
    view: String,
    filter: @escaping @Sendable (_ group: String, _ transaction: YapDatabaseReadTransaction) throws -> Bool,
    sort areInIncreasingOrder:
      @escaping @Sendable (_ group1: String, _ group2: String, _ transaction: YapDatabaseReadTransaction) throws -> Bool
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

  /// Returns mappings with the same settings that stand on the same snapshot, and are moved independently.
  public func copy() -> YapDatabaseViewMappings { YapDatabaseViewMappings(self) }

  // MARK: Settings

  /// Whether groups have a section only while they show rows. A group's own setting overrides this one.
  public var isDynamicSectionForAllGroups: Bool {
    get { state.withLock { $0.isDynamicForAllGroups } }
    set { state.withLock { $0.isDynamicForAllGroups = newValue } }
  }

  /// Sets whether a group has a section only while it shows rows.
  public func setIsDynamicSection(_ isDynamic: Bool, forGroup group: String) {
    change(group) { $0.isDynamic = isDynamic }
  }

  public func isDynamicSection(forGroup group: String) -> Bool { current.isDynamic(ByteString(group)) }

  /// Shows a part of a group, or all of it if `range` is nil. A flexible range starts again from its length and offset.
  public func setRangeOptions(_ range: YapDatabaseViewRangeOptions?, forGroup group: String) {
    state.withLock { state in
      state.settings[ByteString(group), default: GroupSettings()].range = range
      state.restarted.insert(ByteString(group))
    }
  }

  /// Sets whether a group is shown from its end to its beginning.
  public func setIsReversed(_ isReversed: Bool, forGroup group: String) {
    change(group) { $0.isReversed = isReversed }
  }

  /// Declares that a cell of the group is drawn with the contents of the cells at these offsets; -1 is the cell before
  /// it. If one of those cells changes or is another cell than before, this cell is reported as updated.
  public func setCellDrawingDependencies(_ offsets: Set<Int>, forGroup group: String) {
    change(group) { $0.dependencies = offsets.subtracting([0]) }
  }

  /// Shows one section with the rows of all groups while at least 1, but fewer than `rows`, are shown; nil for never.
  public func setConsolidation(below rows: Int?) { state.withLock { $0.consolidation = rows } }

  private func change(_ group: String, _ change: (inout GroupSettings) -> Void) {
    state.withLock { change(&$0.settings[ByteString(group), default: GroupSettings()]) }
  }

  // MARK: Moving

  /// The state at this moment.
  var current: State { state.withLock { $0 } }

  var layout: MappingsLayout? { state.withLock { $0.layout } }

  /// Moves the mappings to the transaction's snapshot. Flexible ranges start again from their length and offset.
  /// - Throws: `notRegistered` if the view is not registered at the snapshot; `invalidArgument` in a read-write
  ///   transaction, because its snapshot may never exist; the errors of the closures that select the groups.
  public func update(with transaction: YapDatabaseReadTransaction) throws {
    let state = current
    let layout = try layout(state, for: transaction) { _, part, range in range?.window(count: part) ?? 0..<part }
    self.state.withLock { $0.adopt(layout) }
  }

  /// Returns the layout at the transaction's snapshot.
  /// - Parameter window: Returns the indexes of a group that are shown, given its number of rows and its range options.
  private func layout(
    _ state: State,
    for transaction: YapDatabaseReadTransaction,
    _ window: (ByteString, Int, YapDatabaseViewRangeOptions?) throws -> Range<Int>
  ) throws -> MappingsLayout {
    guard !(transaction is YapDatabaseReadWriteTransaction) else {
      throw YapDatabaseError(
        .invalidArgument,
        "mappings of view \"\(view)\" were used in a read-write transaction, whose snapshot does not exist before the "
          + "commit: use them in a read transaction of the user interface's connection"
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

  /// Returns the layout at the transaction's snapshot. Flexible ranges follow their rows where the difference is known.
  /// - Parameters:
  ///   - before: The state from which the changes lead.
  ///   - difference: Returns the difference of a group that was mapped before; nil if it is not known.
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
      else { return range.window(count: count) }
      return range.window(after: old.window, difference, count: count)
    }
  }

  /// Moves the mappings to `layout`.
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
      "mappings of view \"\(view)\" were moved by two calls at the same time, so the changes of this call do not fit "
        + "their contents: move them by one call at a time, call update(with:), and reload the list"
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
