#ifndef CCOUNTINGVFS_H
#define CCOUNTINGVFS_H

#include <stdint.h>

/// A SQLite VFS that counts what is written to the files of each database, and leaves everything to the VFS that was
/// the default before it. It is there for those who ask for it, and for nobody else: a program that registers it has
/// every database counted that the process opens from then on.
///
/// What it wraps is a file's methods. The file itself, with its locks and its mapped memory, is the other VFS's own.

/// A database's files.
enum ccountingvfs_kind {
  CCOUNTINGVFS_WAL,
  CCOUNTINGVFS_DATABASE,
  /// Rollback journals; in WAL mode only a new database, or one that leaves the mode, has one.
  CCOUNTINGVFS_JOURNAL,
};

/// What was written to the files of one kind.
struct ccountingvfs_counts {
  /// By writes that succeeded, whatever was there before.
  uint64_t bytes;
  /// Those that succeeded.
  uint64_t syncs;
  /// What they took, also those that failed.
  uint64_t sync_nanoseconds;
};

/// Makes the VFS the default of this process, once.
/// Returns a result code of SQLite.
int ccountingvfs_register(void);

struct ccountingvfs_account;

/// The account of the database at `path`, which counts from the first that holds it, or has a file of the database
/// open, to the last. To be called after `ccountingvfs_register` has succeeded.
/// Returns null where there is no memory, or no such path can be.
struct ccountingvfs_account *_Nullable ccountingvfs_hold(const char *_Nonnull path);

/// Gives back what `ccountingvfs_hold` gave.
void ccountingvfs_release(struct ccountingvfs_account *_Nonnull account);

/// What was counted so far, while others go on writing.
struct ccountingvfs_counts ccountingvfs_read(
    const struct ccountingvfs_account *_Nonnull account, enum ccountingvfs_kind kind);

#endif
