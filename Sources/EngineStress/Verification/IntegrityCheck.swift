internal import SQLiteBinding

extension SQLiteHandle {
  /// Returns descriptions of the problems that SQLite's integrity check finds in the file; none if it is sound.
  func integrityProblems() throws(SQLiteError) -> [String] {
    let rows = try prepare("PRAGMA integrity_check")
    var lines: [String] = []
    while try rows.step() { lines.append(rows.text(at: 0)) }
    if lines.isEmpty { lines = ["no answer"] }
    return lines == ["ok"] ? [] : lines.map { "SQLite's integrity check: \($0)" }
  }
}
