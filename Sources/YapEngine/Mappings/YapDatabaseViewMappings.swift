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
/// by `changes(for:with:)`, which returns the changes to animate, or by `update(with:)`.
///
/// Settings take effect immediately. If one is changed after the first `update(with:)`, the list has to be reloaded:
/// the next changes begin with what the mappings show now.
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
    /// In the order of the view, even if the group is reversed.
    var range: YapDatabaseViewRangeOptions?
    var isReversed = false
    /// In the order of the view, even if the group is reversed.
    var dependencies: Set<Int> = []
  }

  /// The settings and the layout at one moment.
  struct State {
    fileprivate(set) var isDynamicForAllGroups = false
    fileprivate(set) var settings: [ByteString: GroupSettings] = [:]
    fileprivate(set) var consolidation: MappingsLayout.Consolidation?
    fileprivate(set) var layout: MappingsLayout?
    /// The number of changes of the layout.
    fileprivate var version = 0

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

  /// The groups with which the mappings were created; nil if each snapshot has its own.
  var fixedGroups: [ByteString]? {
    if case .these(let groups) = choice { groups } else { nil }
  }

  // MARK: Settings

  /// Whether groups have a section only while they show rows. Setting it discards the groups' own settings; a group's
  /// own setting overrides it.
  public var isDynamicSectionForAllGroups: Bool {
    get { state.withLock { $0.isDynamicForAllGroups } }
    set {
      state.withLock { state in
        state.isDynamicForAllGroups = newValue
        for group in Array(state.settings.keys) { state.settings[group]?.isDynamic = nil }
        state.arrange()
      }
    }
  }

  /// Sets whether a group has a section only while it shows rows.
  public func setIsDynamicSection(_ isDynamic: Bool, forGroup group: String) {
    change(group) { $0.isDynamic = isDynamic }
  }

  public func isDynamicSection(forGroup group: String) -> Bool { current.isDynamic(ByteString(group)) }

  /// Shows a part of a group, or all of it if `range` is nil. A flexible range begins with its length and offset.
  ///
  /// If the group is reversed at the time of the call, offset and pin refer to the order in which it is shown,
  /// otherwise to the order of the view.
  public func setRangeOptions(_ range: YapDatabaseViewRangeOptions?, forGroup group: String) {
    change(group, restartsRange: true) { $0.range = $0.isReversed ? range?.reversed : range }
  }

  /// Returns the range of a group; nil if all of it is shown. Length and offset of a flexible range are those at this
  /// moment; offset and pin refer to the order in which the group is shown.
  public func rangeOptions(forGroup group: String) -> YapDatabaseViewRangeOptions? {
    let (state, group) = (current, ByteString(group))
    guard let settings = state.settings[group], var range = settings.range else { return nil }
    if let part = state.layout?.part(of: group) { range = range.showing(part.window, count: part.count) }
    return settings.isReversed ? range.reversed : range
  }

  /// Sets whether a group is shown from its end to its beginning. The rows that are shown stay.
  public func setIsReversed(_ isReversed: Bool, forGroup group: String) {
    change(group) { $0.isReversed = isReversed }
  }

  public func isReversed(forGroup group: String) -> Bool { current.settings[ByteString(group)]?.isReversed ?? false }

  /// Declares that a cell of the group is drawn with the contents of the cells at these offsets; -1 is the cell before
  /// it. If one of those cells changes or is another cell than before, this cell is reported as updated.
  ///
  /// If the group is reversed at the time of the call, the offsets refer to the order in which it is shown, otherwise
  /// to the order of the view.
  public func setCellDrawingDependencies(_ offsets: Set<Int>, forGroup group: String) {
    state.withLock { state in
      let isReversed = state.settings[ByteString(group)]?.isReversed ?? false
      let offsets = isReversed ? offsets.reversedOffsets : offsets
      state.settings[ByteString(group), default: GroupSettings()].dependencies = offsets.subtracting([0])
    }
  }

  /// Returns the offsets of the cells with which a cell of the group is drawn, in the order in which it is shown.
  public func cellDrawingDependencyOffsets(forGroup group: String) -> Set<Int> {
    let settings = current.settings[ByteString(group)] ?? GroupSettings()
    return settings.isReversed ? settings.dependencies.reversedOffsets : settings.dependencies
  }

  /// Shows the rows of all groups in one section while fewer than `rows` are shown; nil or 0 for never. Also never
  /// while a mapped group has the name of that section.
  public func setConsolidation(below rows: Int?, withName name: String = "all") {
    state.withLock { state in
      let rows = max(rows ?? 0, 0)
      state.consolidation = rows > 0 ? MappingsLayout.Consolidation(below: rows, name: ByteString(name)) : nil
      state.arrange()
    }
  }

  private func change(_ group: String, restartsRange: Bool = false, _ change: (inout GroupSettings) -> Void) {
    state.withLock { state in
      let group = ByteString(group)
      change(&state.settings[group, default: GroupSettings()])
      state.arrange(restartingRangeOf: restartsRange ? group : nil)
    }
  }

  // MARK: Moving

  /// The state at this moment.
  var current: State { state.withLock { $0 } }

  var layout: MappingsLayout? { state.withLock { $0.layout } }

  /// Moves the mappings to the transaction's snapshot. Flexible ranges keep their length and their distance from the
  /// pinned end.
  /// - Throws: `notRegistered` if the view is not registered at the snapshot; `invalidArgument` in a read-write
  ///   transaction, because its snapshot may never exist; the errors of the closures that select the groups.
  public func update(with transaction: YapDatabaseReadTransaction) throws {
    // Another thread may change a setting while the layout is made.
    while true {
      let before = current
      let layout = try layout(after: before, for: transaction, FlexibleRanges([:]))
      if adopt(layout, after: before) { return }
    }
  }

  /// Moves the mappings to `layout`, unless they have changed since they were in the state `before`.
  private func adopt(_ layout: MappingsLayout, after before: State) -> Bool {
    state.withLock { state in
      guard state.version == before.version else { return false }
      state.adopt(layout)
      return true
    }
  }

  /// Returns the layout at the transaction's snapshot.
  /// - Parameter ranges: The flexible ranges at the snapshot. Those that are not known keep their length and their
  ///   distance from the pinned end.
  /// - Throws: `mismatchedMappings` if the ranges have not followed the commits that lead to the snapshot.
  func layout(
    after before: State,
    for transaction: YapDatabaseReadTransaction,
    _ ranges: FlexibleRanges
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
    let state = try view.state
    return try before.layout(at: transaction.snapshot, of: groups(state, transaction), in: state, ranges)
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

  /// Moves the mappings to `layout`.
  /// - Throws: `mismatchedMappings` if the mappings were moved or got other settings since they were in the state
  ///   `before`.
  func move(from before: State, to layout: MappingsLayout) throws {
    if adopt(layout, after: before) { return }
    throw YapDatabaseError(
      .mismatchedMappings,
      "mappings of view \"\(view)\" were changed by two calls at the same time, so the changes of this call do not fit "
        + "their contents: move them and set their options by one call at a time, call update(with:), and reload the "
        + "list"
    )
  }
}

extension YapDatabaseViewMappings.State {
  fileprivate mutating func adopt(_ layout: MappingsLayout) {
    self.layout = layout
    version += 1
  }

  /// Applies the settings to the layout. Rows stay shown, except that a new range begins.
  /// - Parameter restarted: The group whose range has been set; nil for none.
  fileprivate mutating func arrange(restartingRangeOf restarted: ByteString? = nil) {
    guard let old = layout else { return }
    let arranged = layout(at: old.snapshot, of: old.parts.map(\.group), in: old.state) { group, _ in
      group == restarted ? nil : old.part(of: group)?.window
    }
    adopt(arranged)
  }

  /// Returns the layout at a later snapshot.
  /// - Parameters:
  ///   - groups: The mapped groups.
  ///   - view: The view's state at the snapshot.
  ///   - ranges: The flexible ranges at the snapshot. Those that are not known keep their length and their distance
  ///     from the pinned end.
  /// - Throws: `mismatchedMappings` if the ranges have not followed the commits that lead to the snapshot.
  func layout(
    at snapshot: UInt64,
    of groups: [ByteString],
    in view: ViewState,
    _ ranges: FlexibleRanges
  ) throws -> MappingsLayout {
    try layout(at: snapshot, of: groups, in: view) { group, count in
      guard let options = settings[group]?.range, options.isFlexible else { return nil }
      if let range = ranges.range(of: group) {
        guard range.count == count else { throw ViewChanges.mismatch(inGroup: group) }
        return range.window
      }
      return layout?.part(of: group).map { options.reshowing($0.window, count: $0.count).window(count: count) }
    }
  }

  /// - Parameter window: Returns the indexes of a group that are shown, given its number of rows; nil if the range of
  ///   the group begins.
  private func layout(
    at snapshot: UInt64,
    of groups: [ByteString],
    in view: ViewState,
    _ window: (ByteString, Int) throws -> Range<Int>?
  ) rethrows -> MappingsLayout {
    func part(_ group: ByteString) throws -> MappingsLayout.Part {
      let count = view.group(named: group)?.count ?? 0
      return MappingsLayout.Part(
        group: group,
        count: count,
        window: try window(group, count) ?? settings[group]?.range?.window(count: count) ?? 0..<count,
        isReversed: settings[group]?.isReversed ?? false
      )
    }
    let mapped = Set(groups)
    let unmapped = settings.filter { !mapped.contains($0.key) && $0.value.range?.isFlexible == true }
    return MappingsLayout(
      snapshot: snapshot,
      state: view,
      parts: try groups.map(part),
      unmappedParts: try unmapped.keys.map(part),
      isDynamic: isDynamic,
      consolidation: consolidation
    )
  }

  /// Returns the flexible ranges of all groups that have one, mapped or not, as they are at the layout's snapshot.
  func flexibleRanges(at layout: MappingsLayout) -> FlexibleRanges {
    var ranges: [ByteString: FlexibleRange] = [:]
    for (group, settings) in settings {
      guard let options = settings.range, options.isFlexible, let part = layout.part(of: group) else { continue }
      ranges[group] = FlexibleRange(options, window: part.window, count: part.count)
    }
    return FlexibleRanges(ranges)
  }
}

extension Set<Int> {
  /// The offsets in a group that is shown in the other direction.
  var reversedOffsets: Self { Set(map { $0 == .min ? .max : -$0 }) }
}
