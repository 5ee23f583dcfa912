#ifndef COUNTED_FILE_H
#define COUNTED_FILE_H

#include <sqlite3.h>

#include "CCountingVFS.h"
#include "FileAccount.h"

/// A file as SQLite sees it. The file of the underlying VFS follows it in memory.
struct counted_file {
  sqlite3_file file;
  /// Our method for each method that the underlying file has; NULL for methods that it lacks.
  sqlite3_io_methods methods;
  struct ccountingvfs_account *account;
  enum ccountingvfs_kind kind;
};

/// Returns the file of the underlying VFS.
static inline sqlite3_file *file_below(sqlite3_file *file) {
  return (sqlite3_file *)((struct counted_file *)file + 1);
}

/// Sets the methods according to those of the underlying file, which SQLite's VFS has opened. If opening has failed and
/// the underlying file has no methods, `file` gets none.
void counted_file_take_on_methods(struct counted_file *file);

#endif
