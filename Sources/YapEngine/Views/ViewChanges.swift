/// The net changes to a view by one or more commits: for each changed row its location before and after, and the parts
/// that changed. Indexes are not included, because they follow from the two states.
struct ViewChanges: Sendable {
  /// The location of a row in a view.
  struct Location: Sendable, Equatable {
    let rowid: Int64
    let group: ByteString
  }

  /// The change of one row. The key identifies the row, because a rowid may stand for two rows within one commit.
  struct Row: Sendable {
    /// nil if the view did not contain the row before.
    var before: Location?
    /// nil if the view does not contain the row afterwards.
    var after: Location?
    var change: KeyChange
  }

  var rows: [RowKey: Row] = [:]
  /// Groups that lost all their rows at once. `rows` may omit those rows.
  private(set) var resetGroups: Set<ByteString> = []
  /// Whether all groups may differ from before, because the view was registered or all rows were removed.
  private(set) var isReset = false
  /// The operations in the order in which they were made; nil if commits with too many of them were folded.
  private(set) var operations: [GroupOperation]? = []
  /// Groups that contained a changed row before or after one of several folded commits. The net change of the row may
  /// name other groups or none.
  private(set) var passedGroups: Set<ByteString> = []

  var isEmpty: Bool { rows.isEmpty && resetGroups.isEmpty && passedGroups.isEmpty && !isReset }

  /// The approximate memory in bytes.
  var estimatedBytes: Int {
    let operationBytes = (operations?.capacity ?? 0) * MemoryLayout<GroupOperation>.stride
    let bytes = 64 + 64 * (resetGroups.count + passedGroups.count) + operationBytes
    return rows.keys.reduce(bytes) { $0 + 160 + $1.key.text.utf8.count }
  }

  /// Records an operation of the upkeep. The change of the row, if it is known, is recorded separately.
  mutating func note(_ operation: GroupOperation) { operations?.append(operation) }

  /// - Parameter before: The location before the commit. Ignored after a reset: nothing is known then about rows that
  ///   have no change yet.
  mutating func note(_ change: KeyChange, of key: RowKey, before: Location?, after: Location?) {
    if var row = rows[key] {
      row.after = after
      row.change.formUnion(change)
      // A row that was added and removed again has not changed.
      rows[key] = row.before == nil && after == nil ? nil : row
    } else if !isReset && before != nil || after != nil {
      rows[key] = Row(before: isReset ? nil : before, after: after, change: change)
    }
  }

  /// Records that groups lost all their rows at once.
  mutating func noteClearing(of groups: Set<ByteString>) {
    for group in groups { note(GroupOperation(.clear, in: group)) }
    resetGroups.formUnion(groups)
    dropLocations { _, group in groups.contains(group) }
  }

  /// Records that the view lost all its rows at once.
  mutating func noteClearing() {
    note(GroupOperation(.clearAll))
    dropRows()
  }

  /// Records that the view was registered with these contents.
  mutating func noteRegistration(_ state: ViewState) {
    dropRows()
    noteRearrangement(state)
  }

  /// Records that the rows of all groups were arranged again, with these contents. The changes of the rows are recorded
  /// separately.
  mutating func noteRearrangement(_ state: ViewState) {
    note(GroupOperation(.clearAll))
    for name in state.groupNames {
      note(GroupOperation(.fill, state.group(named: name)?.count ?? 0, in: name))
    }
  }

  /// Adds the changes of a later commit, without its operations.
  mutating func follow(with later: ViewChanges) {
    if later.isReset || !later.resetGroups.isEmpty {
      // A row that left a group before the later commit cleared it has a change there, which is added below.
      dropLocations { key, group in
        (later.isReset || later.resetGroups.contains(group)) && later.rows[key] == nil
      }
    }
    for (key, row) in later.rows { note(row.change, of: key, before: row.before, after: row.after) }
    if later.isReset { isReset = true }
    resetGroups.formUnion(later.resetGroups)
  }

  /// The maximum number of operations that folded commits keep: 1 MiB.
  static var foldedOperationLimit: Int { 1 << 15 }

  /// Adds the changes of a later commit, with its operations unless they are too many, and records the groups of its
  /// changed rows in `passedGroups`.
  mutating func fold(_ later: ViewChanges) {
    follow(with: later)
    let count = operations?.count ?? 0
    if let added = later.operations, count + added.count < Self.foldedOperationLimit {
      if count > 0 { note(GroupOperation(.endOfCommit)) }
      operations?.append(contentsOf: added)
    } else {
      operations = nil
    }
    for row in later.rows.values {
      if let group = row.before?.group { passedGroups.insert(group) }
      if let group = row.after?.group { passedGroups.insert(group) }
    }
  }

  private mutating func dropRows() {
    isReset = true
    dropLocations { _, _ in true }
  }

  /// Records that rows which were in a group are in no group, if `isCleared` is true for the row and the group.
  private mutating func dropLocations(_ isCleared: (RowKey, ByteString) -> Bool) {
    for (key, row) in rows {
      guard let after = row.after, isCleared(key, after.group) else { continue }
      if row.before == nil { rows[key] = nil } else { rows[key]?.after = nil }
    }
  }

  func concerns(_ group: ByteString) -> Bool {
    isReset || resetGroups.contains(group) || passedGroups.contains(group)
      || rows.values.contains { $0.before?.group == group || $0.after?.group == group }
  }
}
