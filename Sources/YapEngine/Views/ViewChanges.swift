/// What one commit did to a view, row by row, in sum: where a row was before, where it is after, and what of it has
/// changed. Indexes are not among it: those are found in the two states.
struct ViewChanges: Sendable {
  /// A row's place in a view.
  struct Place: Sendable, Equatable {
    let rowid: Int64
    let group: ByteString
  }

  /// What became of one row, known by its key: a rowid may stand for two rows in one commit.
  struct Row: Sendable {
    /// nil where the view did not have the row.
    var before: Place?
    /// nil where the view does not have it any more.
    var after: Place?
    var change: KeyChange
  }

  var rows: [RowKey: Row] = [:]
  /// Groups that lost all their rows at once. Those rows are not told of one by one.
  var resetGroups: Set<ByteString> = []
  /// All groups may be others than before: the view was made anew, or all rows were removed.
  var isReset = false
  /// Groups that a row was in before or after one of several folded commits. In sum the row may have been elsewhere, or
  /// nowhere.
  private(set) var passedGroups: Set<ByteString> = []

  var isEmpty: Bool { rows.isEmpty && resetGroups.isEmpty && passedGroups.isEmpty && !isReset }

  /// About how much memory it takes.
  var estimatedBytes: Int {
    rows.keys.reduce(64 + 64 * (resetGroups.count + passedGroups.count)) { $0 + 160 + $1.key.text.utf8.count }
  }

  mutating func note(_ key: RowKey, before: Place?, after: Place?, _ change: KeyChange) {
    if var row = rows[key] {
      row.after = after
      row.change.formUnion(change)
      // What came and went in one commit is nobody's business.
      rows[key] = row.before == nil && after == nil ? nil : row
    } else if before != nil || after != nil {
      rows[key] = Row(before: before, after: after, change: change)
    }
  }

  mutating func noteReset(of groups: Set<ByteString>) {
    resetGroups.formUnion(groups)
    dropPlaces { groups.contains($0) }
  }

  mutating func noteReset() {
    isReset = true
    dropPlaces { _ in true }
  }

  /// Adds a later commit to these.
  mutating func follow(with later: ViewChanges) {
    if later.isReset { noteReset() }
    if !later.resetGroups.isEmpty { noteReset(of: later.resetGroups) }
    for (key, row) in later.rows { note(key, before: row.before, after: row.after, row.change) }
  }

  /// Adds a later commit, and keeps what each commit concerned by itself.
  mutating func fold(_ later: ViewChanges) {
    follow(with: later)
    for row in later.rows.values {
      if let group = row.before?.group { passedGroups.insert(group) }
      if let group = row.after?.group { passedGroups.insert(group) }
    }
  }

  /// Rows in these groups are there no more.
  private mutating func dropPlaces(in isGone: (ByteString) -> Bool) {
    for (key, row) in rows {
      guard let after = row.after, isGone(after.group) else { continue }
      if row.before == nil { rows[key] = nil } else { rows[key]?.after = nil }
    }
  }

  func concerns(_ group: ByteString) -> Bool {
    isReset || resetGroups.contains(group) || passedGroups.contains(group)
      || rows.values.contains { $0.before?.group == group || $0.after?.group == group }
  }
}
