import HarnessPrimitives
import TestSupport

@testable import YapEngine

/// Groups of a view's state under random edits. No database is needed, so there can be very many edits.
///
/// Rowids are assigned with the lowest free one first, so that different rows soon have the same rowid.
struct RandomGroups {
  struct Commit {
    var changes = ViewChanges()
    var edits: [(group: ByteString, edit: GroupEdit)] = []
  }

  private(set) var state = ViewState()
  let names: [ByteString]
  private var rowids: [Int: Int64] = [:]
  private var lastRow = 0
  /// The changes of the commit that is being made.
  private var commit = Commit()

  init(groups: Int, rows: Int, _ random: inout RandomStream) {
    names = (0..<groups).map { ByteString("group \($0)") }
    for _ in 0..<rows { insert(nil, &random) }
  }

  /// The row that has a rowid.
  var rowOfRowid: [Int64: Int] { Dictionary(uniqueKeysWithValues: rowids.map { ($0.value, $0.key) }) }

  func rows(inGroup group: ByteString) -> [Int] {
    let rows = rowOfRowid
    return state.rowids(inGroup: group).compactMap { rows[$0] }
  }

  static func key(_ row: Int) -> RowKey { RowKey(collection: 1, key: ByteString("\(row)")) }

  /// Makes up to `edits` random edits.
  mutating func commit(edits: Int, _ random: inout RandomStream) -> Commit {
    commit = Commit()
    for _ in 0..<edits {
      switch random.below(24) {
      case 0...8: insert(nil, &random)
      case 9...14: if let row = anyRow(&random) { remove(row) }
      case 15...17: if let row = anyRow(&random) { move(row, &random) }
      case 18...20:
        if let row = anyRow(&random), let location = location(row) {
          commit.changes.note(.object, of: Self.key(row), before: location, after: location)
        }
      case 21...22:
        // A row that is removed and stored again, possibly with another rowid.
        guard let row = anyRow(&random) else { continue }
        remove(row)
        insert(nil, &random)
        insert(row, &random)
      default: if random.chance(oneIn: 3) { clear(&random) }
      }
    }
    return commit
  }

  private func anyRow(_ random: inout RandomStream) -> Int? {
    let rows = rowids.keys.sorted()
    return rows.isEmpty ? nil : rows[random.below(rows.count)]
  }

  private func location(_ row: Int) -> ViewChanges.Location? {
    rowids[row].flatMap { rowid in state.group(ofRow: rowid).map { ViewChanges.Location(rowid: rowid, group: $0) } }
  }

  private mutating func insert(_ known: Int?, _ random: inout RandomStream) {
    lastRow += 1
    let row = known ?? lastRow
    let taken = Set(rowids.values)
    var rowid: Int64 = 1
    while taken.contains(rowid) { rowid += 1 }
    rowids[row] = rowid
    put(row, rowid, &random)
    commit.changes.note([.object, .metadata, .inserted], of: Self.key(row), before: nil, after: location(row))
  }

  private mutating func put(_ row: Int, _ rowid: Int64, _ random: inout RandomStream) {
    let group = names[random.below(names.count)]
    let count = state.group(named: group)?.count ?? 0
    let index = [0, count, random.below(count + 1), random.below(count + 1)][random.below(4)]
    state.insert(rowid, at: index, inGroup: group)
    commit.changes.note(GroupOperation(.insert, index, in: group))
    commit.edits.append((group, .insert(row: row, index: index)))
  }

  /// Takes a row from its group.
  private mutating func take(_ row: Int, _ rowid: Int64) {
    guard let (group, index) = state.remove(rowid) else { return }
    commit.changes.note(GroupOperation(.remove, index, in: group))
    commit.edits.append((group, .remove(row: row)))
  }

  private mutating func remove(_ row: Int) {
    let before = location(row)
    if let rowid = rowids.removeValue(forKey: row) { take(row, rowid) }
    commit.changes.note(.removed, of: Self.key(row), before: before, after: nil)
  }

  private mutating func move(_ row: Int, _ random: inout RandomStream) {
    guard let before = location(row) else { return }
    take(row, before.rowid)
    put(row, before.rowid, &random)
    commit.changes.note(.object, of: Self.key(row), before: before, after: location(row))
  }

  private mutating func clear(_ random: inout RandomStream) {
    if random.chance(oneIn: 3) {
      for group in names { commit.edits.append((group, .clear)) }
      state.removeAll()
      rowids = [:]
      return commit.changes.noteClearing()
    }
    let group = names[random.below(names.count)]
    for (row, rowid) in rowids where state.group(ofRow: rowid) == group { rowids[row] = nil }
    state.removeGroup(group)
    commit.edits.append((group, .clear))
    commit.changes.noteClearing(of: [group])
  }
}
