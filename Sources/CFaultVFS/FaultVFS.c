#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "FaultFile.h"
#include "Faults.h"

static struct forwarding_vfs fault_vfs;
/// The previous default VFS, to which all calls are forwarded.
static sqlite3_vfs *below;

static int ends_with(const char *path, const char *suffix) {
  size_t length = strlen(path), end = strlen(suffix);
  return length >= end && strcmp(path + length - end, suffix) == 0;
}

static enum cfaultvfs_kind kind_of_path(const char *path) {
  if (ends_with(path, "-wal")) return CFAULTVFS_WAL;
  return ends_with(path, "-journal") ? CFAULTVFS_JOURNAL : CFAULTVFS_DATABASE;
}

static enum cfaultvfs_kind kind_of_flags(int flags) {
  if ((flags & SQLITE_OPEN_MAIN_DB) != 0) return CFAULTVFS_DATABASE;
  if ((flags & SQLITE_OPEN_WAL) != 0) return CFAULTVFS_WAL;
  return (flags & SQLITE_OPEN_MAIN_JOURNAL) != 0 ? CFAULTVFS_JOURNAL : CFAULTVFS_OTHER;
}

/// Opens a file of a scope, which the opened file holds until it is closed.
static int open_in_scope(
    struct cfaultvfs_scope *scope, const char *name, sqlite3_file *opened, int flags, int *found) {
  struct fault_file *file = (struct fault_file *)opened;
  memset(file, 0, sizeof *file);
  file->scope = scope;
  file->kind = kind_of_flags(flags);
  file->name = name;
  int code = fault_code(scope, CFAULTVFS_METHOD_OPEN, file->kind, NULL);
  if (code == SQLITE_OK) {
    sqlite3_file *real = (sqlite3_file *)(file + 1);
    real->pMethods = NULL;
    int is_new = name != NULL && access(name, F_OK) != 0;
    code = below->xOpen(below, name, real, flags, found);
    cforwarding_take_on_file(&file->forwarding, real, &fault_file_methods);
    if (code == SQLITE_OK && name != NULL && file->kind != CFAULTVFS_OTHER) {
      file->number = recording_opened(scope, name, file->kind, is_new);
    }
  }
  // SQLite closes a file that has methods, even if opening it has failed.
  if (opened->pMethods == NULL) scope_release(scope);
  return code;
}

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *found) {
  (void)vfs;
  struct cfaultvfs_scope *scope = scope_hold(name);
  if (scope != NULL) return open_in_scope(scope, name, file, flags, found);
  return below->xOpen(below, name, file, flags, found);
}

/// Returns the code with which a method that concerns a path has to fail; SQLITE_OK otherwise.
static int path_fault_code(enum cfaultvfs_method method, const char *path) {
  struct cfaultvfs_scope *scope = scope_hold(path);
  if (scope == NULL) return SQLITE_OK;
  int code = fault_code(scope, method, kind_of_path(path), NULL);
  scope_release(scope);
  return code;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
  (void)vfs;
  int due = path_fault_code(CFAULTVFS_METHOD_DELETE, name);
  if (due != SQLITE_OK) return due;
  int code = below->xDelete(below, name, syncs);
  struct cfaultvfs_scope *scope = code == SQLITE_OK ? scope_hold(name) : NULL;
  if (scope == NULL) return code;
  recording_deleted(scope, name, kind_of_path(name), syncs);
  scope_release(scope);
  return code;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *answer) {
  (void)vfs;
  int due = path_fault_code(CFAULTVFS_METHOD_ACCESS, name);
  return due != SQLITE_OK ? due : below->xAccess(below, name, flags, answer);
}

static int vfs_full_pathname(sqlite3_vfs *vfs, const char *name, int size, char *path) {
  (void)vfs;
  int code = below->xFullPathname(below, name, size, path);
  if ((code & 0xff) != SQLITE_OK) return code;
  int due = path_fault_code(CFAULTVFS_METHOD_FULL_PATHNAME, path);
  return due != SQLITE_OK ? due : code;
}

void fault_vfs_sleep(unsigned microseconds) { below->xSleep(below, (int)microseconds); }

static int registration = SQLITE_ERROR;

static void register_once(void) {
  below = sqlite3_vfs_find(NULL);
  if (below == NULL) return;
  static const sqlite3_vfs own = {
      .xOpen = vfs_open, .xDelete = vfs_delete, .xAccess = vfs_access, .xFullPathname = vfs_full_pathname};
  cforwarding_take_on_vfs(&fault_vfs, below, "fault", (int)sizeof(struct fault_file), &own);
  registration = sqlite3_vfs_register(&fault_vfs.vfs, 1);
}

int cfaultvfs_register(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_once);
  return registration;
}

struct cfaultvfs_scope *cfaultvfs_begin_scope(const char *prefix) {
  if (prefix[0] == 0) return scope_begin(prefix);
  char *full = calloc(1, (size_t)below->mxPathname + 2);
  if (full == NULL) return NULL;
  // The code may be SQLITE_OK_SYMLINK if a link was followed.
  int code = below->xFullPathname(below, prefix, below->mxPathname + 1, full);
  size_t length = strlen(full);
  if (ends_with(prefix, "/") && !ends_with(full, "/")) full[length] = '/';
  struct cfaultvfs_scope *scope = (code & 0xff) == SQLITE_OK ? scope_begin(full) : NULL;
  free(full);
  return scope;
}
