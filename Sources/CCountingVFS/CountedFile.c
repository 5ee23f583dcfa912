#define _POSIX_C_SOURCE 200809L

#include "CountedFile.h"

#include <time.h>

#include "../CSQLite/shim.h"

/// Calls a method of the underlying file.
#define BELOW(method, ...) file_below(file)->pMethods->method(file_below(file), ##__VA_ARGS__)

/// The writes of the thread to the files of all databases.
static _Thread_local struct csqlite_thread_writes thread_writes;

static void count(_Atomic uint64_t *counter, uint64_t added) {
  atomic_fetch_add_explicit(counter, added, memory_order_relaxed);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int file_close(sqlite3_file *file) {
  int code = BELOW(xClose);
  ccountingvfs_release(((struct counted_file *)file)->account);
  return code;
}

static int file_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset) {
  int code = BELOW(xWrite, bytes, size, offset);
  struct counted_file *counted = (struct counted_file *)file;
  if (code == SQLITE_OK) {
    count(&counted->account->counts[counted->kind].bytes, (uint64_t)size);
    thread_writes.bytes += (uint64_t)size;
  }
  return code;
}

static int file_sync(sqlite3_file *file, int flags) {
  uint64_t start = now();
  int code = BELOW(xSync, flags);
  struct counted_file *counted = (struct counted_file *)file;
  count(&counted->account->counts[counted->kind].sync_nanoseconds, now() - start);
  if (code == SQLITE_OK) {
    count(&counted->account->counts[counted->kind].syncs, 1);
    thread_writes.syncs += 1;
  }
  return code;
}

static int file_read(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset) {
  return BELOW(xRead, bytes, size, offset);
}
static int file_truncate(sqlite3_file *file, sqlite3_int64 size) { return BELOW(xTruncate, size); }
static int file_size(sqlite3_file *file, sqlite3_int64 *size) { return BELOW(xFileSize, size); }
static int file_lock(sqlite3_file *file, int level) { return BELOW(xLock, level); }
static int file_unlock(sqlite3_file *file, int level) { return BELOW(xUnlock, level); }
static int file_check_reserved(sqlite3_file *file, int *is_held) { return BELOW(xCheckReservedLock, is_held); }
static int file_control(sqlite3_file *file, int operation, void *argument) {
  if (operation == CSQLITE_FCNTL_THREAD_WRITES) {
    *(struct csqlite_thread_writes *)argument = thread_writes;
    return SQLITE_OK;
  }
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

void counted_file_take_on_methods(struct counted_file *file) {
  const sqlite3_io_methods *below = file_below(&file->file)->pMethods;
  file->file.pMethods = NULL;
  if (below == NULL) return;
  // Methods that later versions of SQLite may add are not supported here.
  file->methods = (sqlite3_io_methods){.iVersion = below->iVersion < 3 ? below->iVersion : 3};
#define TAKE_ON(method, ours) file->methods.method = below->method != NULL ? (ours) : NULL
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
  if (below->iVersion >= 2) {
    TAKE_ON(xShmMap, file_shm_map);
    TAKE_ON(xShmLock, file_shm_lock);
    TAKE_ON(xShmBarrier, file_shm_barrier);
    TAKE_ON(xShmUnmap, file_shm_unmap);
  }
  if (below->iVersion >= 3) {
    TAKE_ON(xFetch, file_fetch);
    TAKE_ON(xUnfetch, file_unfetch);
  }
  file->file.pMethods = &file->methods;
}
