internal import SQLiteBinding

/// A database file that was made from a dump: the tables and rows of an engine's file without the marks that identify
/// it, which are `application_id` and `user_version`.
///
/// SQLite's shell makes such files (`.dump`, `.clone`, and `.recover` of some versions). They are the usual way to save
/// what can be read of a damaged database.
struct DumpedFile {
  private let handle: SQLiteHandle

  /// - Returns: nil if the file has marks, or if its tables are not exactly the engine's.
  init?(_ handle: SQLiteHandle) throws(SQLiteError) {
    guard try handle.integer("PRAGMA application_id") == 0, try handle.integer("PRAGMA user_version") == 0 else {
      return nil
    }
    let found = try Self.schema(of: handle)
    let new = try SQLiteHandle(path: ":memory:")
    try new.execute(Schema.tables)
    guard try found == Self.schema(of: new) else { return nil }
    self.handle = handle
  }

  /// Describes each table by its columns, and each index by its columns and its uniqueness. SQLite may not know the
  /// module of a virtual table, or the tables of a view, so these have no columns here.
  private static func schema(of handle: SQLiteHandle) throws(SQLiteError) -> Set<String> {
    let statement = try handle.prepare(
      """
      SELECT m.type || ' ' || m.name || ' ' || m.tbl_name || ' ' || coalesce(CASE
        WHEN m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL %' THEN
          (SELECT group_concat(name || ' ' || type || ' ' || "notnull" || ' ' || pk) FROM pragma_table_xinfo(m.name))
        WHEN m.type = 'index' THEN
          (SELECT group_concat(i.name) || ' ' || l."unique"
            FROM pragma_index_list(m.tbl_name) l JOIN pragma_index_info(l.name) i WHERE l.name = m.name)
        END, '')
      FROM sqlite_master m WHERE m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      """
    )
    var lines: Set<String> = []
    while try statement.step() { lines.insert(statement.text(at: 0)) }
    return lines
  }

  /// Gives the file the engine's marks and a new id, if its contents are sound.
  /// - Throws: `corrupt`, with the part that is not sound. The file is then unchanged.
  func accept(path: String) throws {
    try handle.execute("BEGIN IMMEDIATE")
    do {
      try check(path)
      try handle.execute("DELETE FROM extensions; DELETE FROM view_pages; \(Schema.newID) \(Schema.marks) COMMIT")
    } catch {
      // If ROLLBACK fails, closing the handle rolls back. The earlier error is the cause.
      try? handle.execute("ROLLBACK")
      throw error
    }
  }

  private func check(_ path: String) throws {
    let integrity = try handle.text("PRAGMA integrity_check(1)")
    guard integrity == "ok" else { throw Self.damage(path, "SQLite finds: \(integrity ?? "nothing")") }
    let counts: [(sql: String, problem: String)] = [
      (
        "FROM data WHERE collection NOT IN (SELECT number FROM collections)",
        "rows that belong to a collection without a name"
      ),
      (
        "FROM data WHERE typeof(key) <> 'text' OR typeof(object) <> 'blob' OR typeof(metadata) NOT IN ('blob', 'null')",
        "rows whose key is not text, or whose values are not blobs"
      ),
      (
        "FROM collections WHERE typeof(name) <> 'text' OR number NOT BETWEEN 0 AND \(Int64(1) << 62 - 1)",
        "collections with an impossible name or number"
      ),
    ]
    for (sql, problem) in counts {
      let count = try handle.integer("SELECT count(*) \(sql)") ?? 0
      guard count == 0 else { throw Self.damage(path, "it has \(count) \(problem)") }
    }
    let number = try handle.integer("SELECT number FROM snapshot WHERE id = 1")
    guard let number, number >> 62 == 0 else {
      throw Self.damage(
        path,
        "the number of the newest commit in its table \"snapshot\" is \(number.map { "\($0)" } ?? "missing")"
      )
    }
  }

  private static func damage(_ path: String, _ problem: String) -> YapDatabaseError {
    YapDatabaseError(
      .corrupt,
      "\(path) was made from a dump, and is not accepted: \(problem). Correct or remove these rows with sqlite3, and "
        + "open the file again. It was not changed."
    )
  }

  /// The error for a dump beside a WAL. SQLite applies any WAL to the file beside it.
  static func foreignWAL(_ path: String) -> YapDatabaseError {
    YapDatabaseError(
      .foreignWAL,
      "\(path)-wal belongs to another database than \(path), which was made from a dump. Neither was changed. Move "
        + "\(path)-wal away, and open the file again."
    )
  }

  /// The error for a dump that is opened without the option.
  static func refusal(_ path: String) -> YapDatabaseError {
    YapDatabaseError(
      .incompatible,
      "\(path) has the tables of an engine's database, but not its application_id: it was probably made from a dump "
        + "(sqlite3 .dump, .clone or .recover). To check and accept it, open it once with the option acceptsDump."
    )
  }
}
