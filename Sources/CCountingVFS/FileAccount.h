#ifndef FILE_ACCOUNT_H
#define FILE_ACCOUNT_H

#include <stdatomic.h>

#include "CCountingVFS.h"

enum { KINDS = CCOUNTINGVFS_JOURNAL + 1 };

/// What is written to the files of one database, whichever handle writes.
struct ccountingvfs_account {
  struct {
    _Atomic uint64_t bytes;
    _Atomic uint64_t syncs;
    _Atomic uint64_t sync_nanoseconds;
  } counts[KINDS];
  /// The next account of the process; this and the next are guarded by the lock of all accounts.
  struct ccountingvfs_account *next;
  /// Open files, and those who want to know.
  unsigned holders;
  /// As the VFS below writes it in full.
  char path[];
};

/// The account of the database whose full path this is; null where there is no memory.
struct ccountingvfs_account *account_hold(const char *full_path);

#endif
