#ifndef FAULT_FILE_H
#define FAULT_FILE_H

#include <CForwardingVFS.h>

#include "Recording.h"

/// A file of a scope as SQLite sees it. The file of the underlying VFS follows it in memory.
struct fault_file {
  struct forwarding_file forwarding;
  struct cfaultvfs_scope *scope;
  enum cfaultvfs_kind kind;
  /// SQLite's name of the file, which is valid while the file is open; NULL for a file without a name.
  const char *name;
  struct recorded_number number;
};

/// The methods that record or can fail; NULL for those that only forward.
extern const sqlite3_io_methods fault_file_methods;

/// Blocks the thread for this time.
void fault_vfs_sleep(unsigned microseconds);

#endif
