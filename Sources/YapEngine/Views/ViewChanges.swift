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
  var resetGroups: Set<ByteString> = []
  /// Whether all groups may differ from before, because the view was registered or all rows were removed.
  var isReset = false
  /// Groups that contained a changed row before or after one of several folded commits. The net change of the row may
  /// name other groups or none.
  private(set) var passedGroups: Set<ByteString> = []

  var isEmpty: Bool { rows.isEmpty && resetGroups.isEmpty && passedGroups.isEmpty && !isReset }

  /// The approximate memory in bytes.
  var estimatedBytes: Int {
    rows.keys.reduce(64 + 64 * (resetGroups.count + passedGroups.count)) { $0 + 160 + $1.key.text.utf8.count }
  }

  mutating func note(_ change: KeyChange, of key: RowKey, before: Location?, after: Location?) {
    if var row = rows[key] {
      row.after = after
      row.change.formUnion(change)
      // A row that was added and removed again has not changed.
      rows[key] = row.before == nil && after == nil ? nil : row
    } else if before != nil || after != nil {
      rows[key] = Row(before: before, after: after, change: change)
    }
  }

  mutating func noteReset(of groups: Set<ByteString>) {
    resetGroups.formUnion(groups)
    dropLocations { groups.contains($0) }
  }

  mutating func noteReset() {
    isReset = true
    dropLocations { _ in true }
  }

  /// Adds the changes of a later commit.
  mutating func follow(with later: ViewChanges) {
    if later.isReset { noteReset() }
    if !later.resetGroups.isEmpty { noteReset(of: later.resetGroups) }
    for (key, row) in later.rows { note(row.change, of: key, before: row.before, after: row.after) }
  }

  /// Adds the changes of a later commit, and records the groups of its changed rows in `passedGroups`.
  mutating func fold(_ later: ViewChanges) {
    follow(with: later)
    for row in later.rows.values {
      if let group = row.before?.group { passedGroups.insert(group) }
      if let group = row.after?.group { passedGroups.insert(group) }
    }
  }

  /// Records that the rows of the reset groups are in no group.
  private mutating func dropLocations(in isResetGroup: (ByteString) -> Bool) {
    for (key, row) in rows {
      guard let after = row.after, isResetGroup(after.group) else { continue }
      if row.before == nil { rows[key] = nil } else { rows[key]?.after = nil }
    }
  }

  func concerns(_ group: ByteString) -> Bool {
    isReset || resetGroups.contains(group) || passedGroups.contains(group)
      || rows.values.contains { $0.before?.group == group || $0.after?.group == group }
  }
}
