#if TestPoints
  internal import CSQLite

  extension SQLiteHandle {
    /// Lowers the number of parameters that a statement may have: statements with more no longer compile.
    package func limitVariables(to limit: Int32) {
      sqlite3_limit(database, SQLITE_LIMIT_VARIABLE_NUMBER, limit)
    }
  }
#endif
