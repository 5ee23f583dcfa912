#define _POSIX_C_SOURCE 200809L

#include "CountedFile.h"

#include <time.h>

#include "../CSQLite/shim.h"

/// Calls a method of the underlying file.
#define BELOW(method, ...) \
  cforwarding_file_below(file)->pMethods->method(cforwarding_file_below(file), ##__VA_ARGS__)

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

static int file_control(sqlite3_file *file, int operation, void *argument) {
  if (operation == CSQLITE_FCNTL_THREAD_WRITES) {
    *(struct csqlite_thread_writes *)argument = thread_writes;
    return SQLITE_OK;
  }
  return BELOW(xFileControl, operation, argument);
}

const sqlite3_io_methods counted_file_methods = {
    .xClose = file_close,
    .xWrite = file_write,
    .xSync = file_sync,
    .xFileControl = file_control,
};
