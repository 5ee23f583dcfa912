#include "CForwardingVFS.h"

#include <stddef.h>

/// Calls a method of the underlying VFS.
#define BELOW(method, ...) cforwarding_vfs_below(vfs)->method(cforwarding_vfs_below(vfs), ##__VA_ARGS__)

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *found) {
  return BELOW(xOpen, name, file, flags, found);
}
static int vfs_delete(sqlite3_vfs *vfs, const char *name, int syncs) { return BELOW(xDelete, name, syncs); }
static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *answer) {
  return BELOW(xAccess, name, flags, answer);
}
static int vfs_full_pathname(sqlite3_vfs *vfs, const char *name, int size, char *path) {
  return BELOW(xFullPathname, name, size, path);
}
static void *vfs_dl_open(sqlite3_vfs *vfs, const char *name) { return BELOW(xDlOpen, name); }
static void vfs_dl_error(sqlite3_vfs *vfs, int size, char *message) { BELOW(xDlError, size, message); }
static void (*vfs_dl_sym(sqlite3_vfs *vfs, void *library, const char *name))(void) {
  return BELOW(xDlSym, library, name);
}
static void vfs_dl_close(sqlite3_vfs *vfs, void *library) { BELOW(xDlClose, library); }
static int vfs_randomness(sqlite3_vfs *vfs, int size, char *bytes) { return BELOW(xRandomness, size, bytes); }
static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) { return BELOW(xSleep, microseconds); }
static int vfs_current_time(sqlite3_vfs *vfs, double *days) { return BELOW(xCurrentTime, days); }
static int vfs_last_error(sqlite3_vfs *vfs, int size, char *message) { return BELOW(xGetLastError, size, message); }
static int vfs_current_time_int64(sqlite3_vfs *vfs, sqlite3_int64 *milliseconds) {
  return BELOW(xCurrentTimeInt64, milliseconds);
}
static int vfs_set_system_call(sqlite3_vfs *vfs, const char *name, sqlite3_syscall_ptr call) {
  return BELOW(xSetSystemCall, name, call);
}
static sqlite3_syscall_ptr vfs_get_system_call(sqlite3_vfs *vfs, const char *name) {
  return BELOW(xGetSystemCall, name);
}
static const char *vfs_next_system_call(sqlite3_vfs *vfs, const char *name) { return BELOW(xNextSystemCall, name); }

void cforwarding_take_on_vfs(
    struct forwarding_vfs *vfs, sqlite3_vfs *below, const char *name, int file_size, const sqlite3_vfs *own) {
  vfs->below = below;
  vfs->vfs = (sqlite3_vfs){
      .iVersion = below->iVersion < 3 ? below->iVersion : 3,
      .szOsFile = file_size + below->szOsFile,
      .mxPathname = below->mxPathname,
      .zName = name,
  };
#define TAKE_ON(method, forwarding) \
  vfs->vfs.method = below->method == NULL ? NULL : own->method != NULL ? own->method : (forwarding)
  TAKE_ON(xOpen, vfs_open);
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
}
