#ifndef COUNTED_FILE_H
#define COUNTED_FILE_H

#include <sqlite3.h>

#include "CCountingVFS.h"
#include "FileAccount.h"

/// A file as SQLite sees it; the file of the VFS below lies behind it in memory.
struct counted_file {
  sqlite3_file file;
  /// Ours in place of each method that the file below has, and nothing where it has none.
  sqlite3_io_methods methods;
  struct ccountingvfs_account *account;
  enum ccountingvfs_kind kind;
};

/// The file of the VFS below.
static inline sqlite3_file *file_below(sqlite3_file *file) {
  return (sqlite3_file *)((struct counted_file *)file + 1);
}

/// Takes on the methods of the file below, which has been opened; it has none where that has failed.
void counted_file_take_on_methods(struct counted_file *file);

#endif
