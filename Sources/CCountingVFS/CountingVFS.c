#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "CountedFile.h"

/// The previous default VFS, to which all calls are forwarded.
static sqlite3_vfs *below;

static int open_counted(
    const char *name, const char *database, enum ccountingvfs_kind kind, sqlite3_file *opened, int flags, int *found) {
  struct counted_file *file = (struct counted_file *)opened;
  memset(file, 0, sizeof *file);
  file->account = account_hold(database);
  if (file->account == NULL) return SQLITE_NOMEM;
  file->kind = kind;
  sqlite3_file *real = file_below(opened);
  real->pMethods = NULL;
  int code = below->xOpen(below, name, real, flags, found);
  counted_file_take_on_methods(file);
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

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
  (void)vfs;
  return below->xDelete(below, name, syncs);
}
static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *answer) {
  (void)vfs;
  return below->xAccess(below, name, flags, answer);
}
static int vfs_full_pathname(sqlite3_vfs *vfs, const char *name, int size, char *path) {
  (void)vfs;
  return below->xFullPathname(below, name, size, path);
}
static void *vfs_dl_open(sqlite3_vfs *vfs, const char *name) {
  (void)vfs;
  return below->xDlOpen(below, name);
}
static void vfs_dl_error(sqlite3_vfs *vfs, int size, char *message) {
  (void)vfs;
  below->xDlError(below, size, message);
}
static void (*vfs_dl_sym(sqlite3_vfs *vfs, void *library, const char *name))(void) {
  (void)vfs;
  return below->xDlSym(below, library, name);
}
static void vfs_dl_close(sqlite3_vfs *vfs, void *library) {
  (void)vfs;
  below->xDlClose(below, library);
}
static int vfs_randomness(sqlite3_vfs *vfs, int size, char *bytes) {
  (void)vfs;
  return below->xRandomness(below, size, bytes);
}
static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  return below->xSleep(below, microseconds);
}
static int vfs_current_time(sqlite3_vfs *vfs, double *days) {
  (void)vfs;
  return below->xCurrentTime(below, days);
}
static int vfs_last_error(sqlite3_vfs *vfs, int size, char *message) {
  (void)vfs;
  return below->xGetLastError(below, size, message);
}
static int vfs_current_time_int64(sqlite3_vfs *vfs, sqlite3_int64 *milliseconds) {
  (void)vfs;
  return below->xCurrentTimeInt64(below, milliseconds);
}
static int vfs_set_system_call(sqlite3_vfs *vfs, const char *name, sqlite3_syscall_ptr call) {
  (void)vfs;
  return below->xSetSystemCall(below, name, call);
}
static sqlite3_syscall_ptr vfs_get_system_call(sqlite3_vfs *vfs, const char *name) {
  (void)vfs;
  return below->xGetSystemCall(below, name);
}
static const char *vfs_next_system_call(sqlite3_vfs *vfs, const char *name) {
  (void)vfs;
  return below->xNextSystemCall(below, name);
}

static sqlite3_vfs counting;
static int registration = SQLITE_ERROR;

static void register_once(void) {
  below = sqlite3_vfs_find(NULL);
  if (below == NULL) return;
  counting = (sqlite3_vfs){
      .iVersion = below->iVersion < 3 ? below->iVersion : 3,
      .szOsFile = (int)sizeof(struct counted_file) + below->szOsFile,
      .mxPathname = below->mxPathname,
      .zName = "counting",
      .xOpen = vfs_open,
  };
#define TAKE_ON(method, ours) counting.method = below->method != NULL ? (ours) : NULL
  TAKE_ON(xDelete, vfs_delete);
  TAKE_ON(xAccess, vfs_access);
  TAKE_ON(xFullPathname, vfs_full_pathname);
  TAKE_ON(xDlOpen, vfs_dl_open);
  TAKE_ON(xDlError, vfs_dl_error);
  TAKE_ON(xDlSym, vfs_dl_sym);
  TAKE_ON(xDlClose, vfs_dl_close);
  TAKE_ON(xRandomness, vfs_randomness);
  TAKE_ON(xSleep, vfs_sleep);
  TAKE_ON(xCurrentTime, vfs_current_time);
  TAKE_ON(xGetLastError, vfs_last_error);
  if (below->iVersion >= 2) TAKE_ON(xCurrentTimeInt64, vfs_current_time_int64);
  if (below->iVersion >= 3) {
    TAKE_ON(xSetSystemCall, vfs_set_system_call);
    TAKE_ON(xGetSystemCall, vfs_get_system_call);
    TAKE_ON(xNextSystemCall, vfs_next_system_call);
  }
  registration = sqlite3_vfs_register(&counting, 1);
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
