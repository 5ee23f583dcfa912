#ifndef CCOUNTINGVFS_H
#define CCOUNTINGVFS_H

#include <stdint.h>

/// A SQLite VFS that counts the writes to the files of each database and forwards every call to the previous default
/// VFS. A program must register it; it counts the databases that the process opens afterwards.
///
/// It wraps a file's methods. The file itself, with its locks and its mapped memory, belongs to the underlying VFS.

/// The kinds of a database's files.
enum ccountingvfs_kind {
  CCOUNTINGVFS_WAL,
  CCOUNTINGVFS_DATABASE,
  /// Rollback journals. In WAL mode only a new database, or one that leaves the mode, has one.
  CCOUNTINGVFS_JOURNAL,
};

/// The writes to the files of one kind.
struct ccountingvfs_counts {
  /// Bytes of successful writes, including bytes that were overwritten later.
  uint64_t bytes;
  /// Successful syncs.
  uint64_t syncs;
  /// The duration of all syncs, including failed ones.
  uint64_t sync_nanoseconds;
};

/// Makes the VFS the default of this process. Returns a result code of SQLite. Later calls only return the same code.
int ccountingvfs_register(void);

struct ccountingvfs_account;

/// Returns the account of the database at `path`; NULL if memory is exhausted or the path is invalid. An account
/// exists, and counts, as long as a file of the database is open or a result of this function has not been released.
/// Must be called after `ccountingvfs_register` has succeeded.
struct ccountingvfs_account *_Nullable ccountingvfs_hold(const char *_Nonnull path);

/// Releases an account that `ccountingvfs_hold` returned.
void ccountingvfs_release(struct ccountingvfs_account *_Nonnull account);

/// Returns the counts so far. Other threads may write meanwhile, so the numbers may belong to different moments.
struct ccountingvfs_counts ccountingvfs_read(
    const struct ccountingvfs_account *_Nonnull account, enum ccountingvfs_kind kind);

#endif
