#ifndef CCOUNTINGVFS_H
#define CCOUNTINGVFS_H

#include <stdint.h>

/// A SQLite VFS that counts the writes to the files of each database and forwards every call to the previous default
/// VFS. It must be registered explicitly; a program that registers it has all databases counted that the process opens
/// from then on.
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
  /// Bytes of successful writes, including overwritten ones.
  uint64_t bytes;
  /// Successful syncs.
  uint64_t syncs;
  /// The duration of all syncs, including failed ones.
  uint64_t sync_nanoseconds;
};

/// Makes the VFS the default of this process. Later calls have no effect. Returns a result code of SQLite.
int ccountingvfs_register(void);

struct ccountingvfs_account;

/// Returns the account of the database at `path`. It counts from the time at which its first holder, or the first open
/// file of the database, exists until the last is released. Must be called after `ccountingvfs_register` has succeeded.
/// Returns NULL if memory is exhausted or the path is invalid.
struct ccountingvfs_account *_Nullable ccountingvfs_hold(const char *_Nonnull path);

/// Releases an account that `ccountingvfs_hold` returned.
void ccountingvfs_release(struct ccountingvfs_account *_Nonnull account);

/// Returns the counts so far. Other threads may write meanwhile.
struct ccountingvfs_counts ccountingvfs_read(
    const struct ccountingvfs_account *_Nonnull account, enum ccountingvfs_kind kind);

#endif
