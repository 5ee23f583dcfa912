#ifndef FILE_ACCOUNT_H
#define FILE_ACCOUNT_H

#include <stdatomic.h>

#include "CCountingVFS.h"

enum { KINDS = CCOUNTINGVFS_JOURNAL + 1 };

/// The writes to the files of one database by all handles of the process.
struct ccountingvfs_account {
  struct {
    _Atomic uint64_t bytes;
    _Atomic uint64_t syncs;
    _Atomic uint64_t sync_nanoseconds;
  } counts[KINDS];
  /// The next account of the process. `next` and `holders` are guarded by the lock of all accounts.
  struct ccountingvfs_account *next;
  /// The number of open files of the database, and of results of `ccountingvfs_hold` that were not released.
  unsigned holders;
  /// The full path, as returned by the underlying VFS.
  char path[];
};

/// Returns the account of the database with this full path, and adds a holder; NULL if memory is exhausted.
struct ccountingvfs_account *account_hold(const char *full_path);

#endif
