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
/// which says what to animate, or by `update(with:)`. Settings take effect with the next of either. For one thread.
public final class YapDatabaseViewMappings {
  /// The name of the view.
  public let view: String
  /// Whether groups have a section only while they show rows; a group's own setting is stronger.
  public var isDynamicSectionForAllGroups = false

  private let choice: GroupChoice
  private var settings: [ByteString: GroupSettings] = [:]
  private var consolidation: Int?
  private(set) var layout: MappingsLayout?

  private enum GroupChoice {
    case these([ByteString])
    case filtered(
      (String, YapDatabaseReadTransaction) throws -> Bool,
      (String, String, YapDatabaseReadTransaction) throws -> Bool
    )
  }

  /// Settings of one group.
  struct GroupSettings {
    var isDynamic: Bool?
    var range: YapDatabaseViewRangeOptions?
    var isReversed = false
    var dependencies: Set<Int> = []
  }

  /// - Parameters:
  ///   - groups: the sections, in this order.
  ///   - view: the name under which the view is registered.
  public init(groups: [String], view: String) {
    var seen: Set<ByteString> = []
    choice = .these(groups.map { ByteString($0) }.filter { seen.insert($0).inserted })
    self.view = view
  }

  /// Sections for the groups that the view has at the moment.
  /// - Parameters:
  ///   - view: the name that it is registered under.
  ///   - filter: whether a group is to be shown.
  ///   - areInIncreasingOrder: the order of two groups.
  public init(
    view: String,
    filter: @escaping (_ group: String, _ transaction: YapDatabaseReadTransaction) throws -> Bool,
    sort areInIncreasingOrder:
      @escaping (
        _ group1: String, _ group2: String, _ transaction: YapDatabaseReadTransaction
      ) throws -> Bool
  ) {
    choice = .filtered(filter, areInIncreasingOrder)
    self.view = view
  }

  // MARK: Settings

  /// Whether a group has a section only while it shows rows.
  public func setIsDynamicSection(_ isDynamic: Bool, forGroup group: String) {
    settings[ByteString(group), default: GroupSettings()].isDynamic = isDynamic
  }

  public func isDynamicSection(forGroup group: String) -> Bool { isDynamic(ByteString(group)) }

  func isDynamic(_ group: ByteString) -> Bool { settings[group]?.isDynamic ?? isDynamicSectionForAllGroups }

  /// Shows a part of a group; nil for all of it. A flexible range begins anew.
  public func setRangeOptions(_ range: YapDatabaseViewRangeOptions?, forGroup group: String) {
    settings[ByteString(group), default: GroupSettings()].range = range
    restarted.insert(ByteString(group))
  }

  /// Groups whose flexible range has been set since the last update.
  private var restarted: Set<ByteString> = []

  /// Shows a group from its end to its beginning.
  public func setIsReversed(_ isReversed: Bool, forGroup group: String) {
    settings[ByteString(group), default: GroupSettings()].isReversed = isReversed
  }

  /// A cell of the group is drawn with what the cells at these offsets hold: with -1, the cell before it. When one of
  /// those changes, or is another one, the cell is told as updated.
  public func setCellDrawingDependencies(_ offsets: Set<Int>, forGroup group: String) {
    settings[ByteString(group), default: GroupSettings()].dependencies = offsets.subtracting([0])
  }

  func dependencies(of group: ByteString) -> Set<Int> { settings[group]?.dependencies ?? [] }

  /// Shows one section with the rows of all groups, as long as there are fewer rows than this; nil for never.
  public func setConsolidation(below rows: Int?) { consolidation = rows }

  // MARK: Moving

  /// Stands on the transaction's snapshot from now on.
  /// - Throws: `notRegistered` where the view is not there; `invalidArgument` in a read-write transaction, whose
  ///   snapshot may never come to be.
  public func update(with transaction: YapDatabaseReadTransaction) throws {
    layout = try layout(for: transaction) { _, part, range in range?.window(count: part) ?? 0..<part }
    restarted = []
  }

  /// - Parameter window: chooses the indexes of a group that are shown, from its number of rows and its range.
  private func layout(
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
    let state = try view.state
    let parts = try groups(state, transaction).map { group in
      let count = state.group(named: group)?.count ?? 0
      return MappingsLayout.Part(
        group: group,
        count: count,
        window: try window(group, count, settings[group]?.range),
        isReversed: settings[group]?.isReversed ?? false
      )
    }
    return MappingsLayout(
      snapshot: transaction.snapshot,
      state: state,
      parts: parts,
      isDynamic: isDynamic,
      consolidatesBelow: consolidation
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

  /// Moves on, and lets flexible ranges follow their rows.
  /// - Parameter difference: what became of a group that was mapped before.
  func move(
    with transaction: YapDatabaseReadTransaction,
    _ difference: (ByteString) -> GroupDifference?
  ) throws {
    let before = layout?.parts ?? []
    let next = try layout(for: transaction) { group, count, range in
      guard let range, range.isFlexible, !restarted.contains(group) else {
        return range?.window(count: count) ?? 0..<count
      }
      guard let old = before.first(where: { $0.group == group }), let difference = difference(group) else {
        return range.window(count: count)
      }
      return range.window(after: old.window, difference, count: count)
    }
    layout = next
    restarted = []
  }
}
