#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "CountedFile.h"

static struct forwarding_vfs counting;
/// The previous default VFS, to which all calls are forwarded.
static sqlite3_vfs *below;

static int open_counted(
    const char *name, const char *database, enum ccountingvfs_kind kind, sqlite3_file *opened, int flags, int *found) {
  struct counted_file *file = (struct counted_file *)opened;
  memset(file, 0, sizeof *file);
  file->account = account_hold(database);
  if (file->account == NULL) return SQLITE_NOMEM;
  file->kind = kind;
  sqlite3_file *real = (sqlite3_file *)(file + 1);
  real->pMethods = NULL;
  int code = below->xOpen(below, name, real, flags, found);
  cforwarding_take_on_file(&file->forwarding, real, &counted_file_methods);
  // SQLite closes a file that has methods, even if opening it has failed.
  if (opened->pMethods == NULL) ccountingvfs_release(file->account);
  return code;
}

/// Opens a file. Only databases, their WALs and their rollback journals are counted. The underlying VFS alone opens all
/// other files, such as temporary files for sorting.
static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *found) {
  (void)vfs;
  if (name != NULL && (flags & SQLITE_OPEN_MAIN_DB) != 0) {
    return open_counted(name, name, CCOUNTINGVFS_DATABASE, file, flags, found);
  }
  if (name != NULL && (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0) {
    enum ccountingvfs_kind kind = (flags & SQLITE_OPEN_WAL) != 0 ? CCOUNTINGVFS_WAL : CCOUNTINGVFS_JOURNAL;
    return open_counted(name, sqlite3_filename_database(name), kind, file, flags, found);
  }
  return below->xOpen(below, name, file, flags, found);
}

static int registration = SQLITE_ERROR;

static void register_once(void) {
  below = sqlite3_vfs_find(NULL);
  if (below == NULL) return;
  static const sqlite3_vfs own = {.xOpen = vfs_open};
  cforwarding_take_on_vfs(&counting, below, "counting", (int)sizeof(struct counted_file), &own);
  registration = sqlite3_vfs_register(&counting.vfs, 1);
}

int ccountingvfs_register(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_once);
  return registration;
}

struct ccountingvfs_account *ccountingvfs_hold(const char *path) {
  // SQLite opens the database by its full path.
  char *full = calloc(1, (size_t)below->mxPathname + 1);
  if (full == NULL) return NULL;
  // The code may be SQLITE_OK_SYMLINK if a link was followed.
  int code = below->xFullPathname(below, path, below->mxPathname + 1, full);
  struct ccountingvfs_account *account = (code & 0xff) == SQLITE_OK ? account_hold(full) : NULL;
  free(full);
  return account;
}
