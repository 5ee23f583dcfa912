#ifndef YAP_FILE_H
#define YAP_FILE_H

#include <CForwardingVFS.h>

#include "GatheredWrites.h"
#include "Mapping.h"

/// A database file or a WAL as SQLite sees it.
struct yap_file {
  struct forwarding_file forwarding;
  struct mapping mapping;
  /// Of a WAL.
  struct gathered_writes gathered;
  /// The bytes of a database file of which SQLite borrows pages itself; 0 usually.
  sqlite3_int64 lent_limit;
  /// A database's open WAL; NULL without one.
  struct yap_file *wal;
  /// A WAL's database; NULL for another file.
  struct yap_file *database;
};

/// The methods of database files and WALs; NULL for those that only forward.
extern const sqlite3_io_methods yap_file_methods;
/// The methods of all other files.
extern const sqlite3_io_methods yap_other_file_methods;

#endif
