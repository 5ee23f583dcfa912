#include "CForwardingVFS.h"

#include <stddef.h>

/// Calls a method of the underlying file.
#define BELOW(method, ...) \
  cforwarding_file_below(file)->pMethods->method(cforwarding_file_below(file), ##__VA_ARGS__)

static int file_close(sqlite3_file *file) { return BELOW(xClose); }
static int file_read(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset) {
  return BELOW(xRead, bytes, size, offset);
}
static int file_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset) {
  return BELOW(xWrite, bytes, size, offset);
}
static int file_truncate(sqlite3_file *file, sqlite3_int64 size) { return BELOW(xTruncate, size); }
static int file_sync(sqlite3_file *file, int flags) { return BELOW(xSync, flags); }
static int file_size(sqlite3_file *file, sqlite3_int64 *size) { return BELOW(xFileSize, size); }
static int file_lock(sqlite3_file *file, int level) { return BELOW(xLock, level); }
static int file_unlock(sqlite3_file *file, int level) { return BELOW(xUnlock, level); }
static int file_check_reserved(sqlite3_file *file, int *is_held) { return BELOW(xCheckReservedLock, is_held); }
static int file_control(sqlite3_file *file, int operation, void *argument) {
  return BELOW(xFileControl, operation, argument);
}
static int file_sector_size(sqlite3_file *file) { return BELOW(xSectorSize); }
static int file_characteristics(sqlite3_file *file) { return BELOW(xDeviceCharacteristics); }
static int file_shm_map(sqlite3_file *file, int region, int size, int extend, void volatile **memory) {
  return BELOW(xShmMap, region, size, extend, memory);
}
static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return BELOW(xShmLock, offset, count, flags);
}
static void file_shm_barrier(sqlite3_file *file) { BELOW(xShmBarrier); }
static int file_shm_unmap(sqlite3_file *file, int removes) { return BELOW(xShmUnmap, removes); }
static int file_fetch(sqlite3_file *file, sqlite3_int64 offset, int size, void **memory) {
  return BELOW(xFetch, offset, size, memory);
}
static int file_unfetch(sqlite3_file *file, sqlite3_int64 offset, void *memory) {
  return BELOW(xUnfetch, offset, memory);
}

void cforwarding_take_on_file(struct forwarding_file *file, sqlite3_file *below, const sqlite3_io_methods *own) {
  const sqlite3_io_methods *found = below->pMethods;
  file->below = below;
  file->file.pMethods = NULL;
  if (found == NULL) return;
  file->methods = (sqlite3_io_methods){.iVersion = found->iVersion < 3 ? found->iVersion : 3};
#define TAKE_ON(method, forwarding) \
  file->methods.method = found->method == NULL ? NULL : own->method != NULL ? own->method : (forwarding)
  TAKE_ON(xClose, file_close);
  TAKE_ON(xRead, file_read);
  TAKE_ON(xWrite, file_write);
  TAKE_ON(xTruncate, file_truncate);
  TAKE_ON(xSync, file_sync);
  TAKE_ON(xFileSize, file_size);
  TAKE_ON(xLock, file_lock);
  TAKE_ON(xUnlock, file_unlock);
  TAKE_ON(xCheckReservedLock, file_check_reserved);
  TAKE_ON(xFileControl, file_control);
  TAKE_ON(xSectorSize, file_sector_size);
  TAKE_ON(xDeviceCharacteristics, file_characteristics);
  if (found->iVersion >= 2) {
    TAKE_ON(xShmMap, file_shm_map);
    TAKE_ON(xShmLock, file_shm_lock);
    TAKE_ON(xShmBarrier, file_shm_barrier);
    TAKE_ON(xShmUnmap, file_shm_unmap);
  }
  if (found->iVersion >= 3) {
    TAKE_ON(xFetch, file_fetch);
    TAKE_ON(xUnfetch, file_unfetch);
  }
  file->file.pMethods = &file->methods;
}
