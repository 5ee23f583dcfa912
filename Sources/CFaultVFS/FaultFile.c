#include "FaultFile.h"

#include <string.h>

#include "Faults.h"

/// Calls a method of the underlying file.
#define BELOW(method, ...) \
  cforwarding_file_below(file)->pMethods->method(cforwarding_file_below(file), ##__VA_ARGS__)

/// Returns from the method if it has to fail.
#define FAIL_IF_DUE(method)                                                              \
  do {                                                                                   \
    int due = fault_code(of(file)->scope, CFAULTVFS_METHOD_##method, of(file)->kind, NULL); \
    if (due != SQLITE_OK) return due;                                                    \
  } while (0)

static struct fault_file *of(sqlite3_file *file) { return (struct fault_file *)file; }

/// Returns the file's number in the running recording. A recording may have started after the file was opened.
static struct recorded_number number_of(sqlite3_file *file) {
  struct fault_file *own = of(file);
  if (own->kind != CFAULTVFS_OTHER && own->number.generation != recording_generation(own->scope)) {
    own->number = recording_opened(own->scope, own->name, own->kind, 0);
  }
  return own->number;
}

static int file_close(sqlite3_file *file) {
  int code = BELOW(xClose);
  scope_release(of(file)->scope);
  return code;
}

static int file_read(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset) {
  int due = fault_code(of(file)->scope, CFAULTVFS_METHOD_READ, of(file)->kind, NULL);
  if (due == SQLITE_OK) return BELOW(xRead, bytes, size, offset);
  if (due == SQLITE_IOERR_SHORT_READ) memset(bytes, 0, (size_t)size);
  return due;
}

static int file_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset) {
  int writes_half = 0;
  int due = fault_code(of(file)->scope, CFAULTVFS_METHOD_WRITE, of(file)->kind, &writes_half);
  int written = due == SQLITE_OK ? size : writes_half ? size / 2 : 0;
  if (written == 0) return due;
  int code = BELOW(xWrite, bytes, written, offset);
  if (code == SQLITE_OK) recording_wrote(of(file)->scope, number_of(file), bytes, written, (uint64_t)offset);
  return due == SQLITE_OK ? code : due;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  FAIL_IF_DUE(TRUNCATE);
  int code = BELOW(xTruncate, size);
  if (code == SQLITE_OK) recording_truncated(of(file)->scope, number_of(file), (uint64_t)size);
  return code;
}

static int file_sync(sqlite3_file *file, int flags) {
  FAIL_IF_DUE(SYNC);
  size_t begun = cfaultvfs_operation_count(of(file)->scope);
  unsigned delay = atomic_load_explicit(&of(file)->scope->sync_delay_microseconds, memory_order_relaxed);
  if (delay > 0) fault_vfs_sleep(delay);
  int code = BELOW(xSync, flags);
  if (code == SQLITE_OK) recording_synced(of(file)->scope, number_of(file), flags, begun);
  return code;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  FAIL_IF_DUE(FILE_SIZE);
  return BELOW(xFileSize, size);
}

static int file_lock(sqlite3_file *file, int level) {
  FAIL_IF_DUE(LOCK);
  return BELOW(xLock, level);
}

static int file_check_reserved(sqlite3_file *file, int *is_held) {
  FAIL_IF_DUE(CHECK_RESERVED_LOCK);
  return BELOW(xCheckReservedLock, is_held);
}

static int file_shm_map(sqlite3_file *file, int region, int size, int extend, void volatile **memory) {
  FAIL_IF_DUE(SHM_MAP);
  return BELOW(xShmMap, region, size, extend, memory);
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  if ((flags & SQLITE_SHM_LOCK) != 0) FAIL_IF_DUE(SHM_LOCK);
  return BELOW(xShmLock, offset, count, flags);
}

static int file_fetch(sqlite3_file *file, sqlite3_int64 offset, int size, void **memory) {
  FAIL_IF_DUE(FETCH);
  return BELOW(xFetch, offset, size, memory);
}

const sqlite3_io_methods fault_file_methods = {
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xCheckReservedLock = file_check_reserved,
    .xShmMap = file_shm_map,
    .xShmLock = file_shm_lock,
    .xFetch = file_fetch,
};
