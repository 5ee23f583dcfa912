/// SQL that changes a file to the layout of an earlier version.
enum EarlierLayout {
  static let from4To3 = "DELETE FROM snapshot WHERE id = 3; PRAGMA user_version = 3;"

  static let from3To2 = """
    ALTER TABLE snapshot RENAME TO snapshot_3;
    CREATE TABLE snapshot(id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER NOT NULL);
    INSERT INTO snapshot SELECT * FROM snapshot_3 WHERE id = 1;
    DROP TABLE snapshot_3;
    PRAGMA user_version = 2;
    """

  static let from2To1 = "DROP TABLE extensions; DROP TABLE view_pages; PRAGMA user_version = 1;"
}
