#ifndef COUNTED_FILE_H
#define COUNTED_FILE_H

#include <CForwardingVFS.h>

#include "CCountingVFS.h"
#include "FileAccount.h"

/// A file as SQLite sees it. The file of the underlying VFS follows it in memory.
struct counted_file {
  struct forwarding_file forwarding;
  struct ccountingvfs_account *account;
  enum ccountingvfs_kind kind;
};

/// The methods that count; NULL for those that only forward.
extern const sqlite3_io_methods counted_file_methods;

#endif
