#include "YapFile.h"

#include <stdlib.h>

/// Calls a method of the underlying file.
#define BELOW(method, ...) \
  cforwarding_file_below(opened)->pMethods->method(cforwarding_file_below(opened), ##__VA_ARGS__)

/// The lock for writing, in the WAL-index: https://sqlite.org/walformat.html#the_wal_index_lock_area
enum { WRITE_LOCK = 0 };

static struct yap_file *of(sqlite3_file *opened) { return (struct yap_file *)opened; }

static int pass_on(sqlite3_file *opened) {
  return gathered_pass_on(&of(opened)->gathered, cforwarding_file_below(opened));
}

static int other_file_close(sqlite3_file *opened) {
  int code = BELOW(xClose);
  free(cforwarding_file_below(opened));
  return code;
}

static int file_close(sqlite3_file *opened) {
  struct yap_file *file = of(opened);
  mapping_end(&file->mapping, cforwarding_file_below(opened));
  gathered_end(&file->gathered);
  if (file->wal != NULL) file->wal->database = NULL;
  if (file->database != NULL) file->database->wal = NULL;
  return other_file_close(opened);
}

static int file_read(sqlite3_file *opened, void *bytes, int size, sqlite3_int64 offset) {
  struct yap_file *file = of(opened);
  // A transaction reads its own frames if its pages did not fit into the cache.
  if (offset + size > file->gathered.offset && file->gathered.size > 0) {
    int code = pass_on(opened);
    if (code != SQLITE_OK) return code;
  }
  if (mapping_read(&file->mapping, cforwarding_file_below(opened), bytes, size, offset)) return SQLITE_OK;
  return BELOW(xRead, bytes, size, offset);
}

static int file_write(sqlite3_file *opened, const void *bytes, int size, sqlite3_int64 offset) {
  struct yap_file *file = of(opened);
  if (file->database == NULL) return BELOW(xWrite, bytes, size, offset);
  return gathered_write(&file->gathered, cforwarding_file_below(opened), bytes, size, offset);
}

static int file_truncate(sqlite3_file *opened, sqlite3_int64 size) {
  int code = pass_on(opened);
  if (code != SQLITE_OK) return code;
  mapping_truncate(&of(opened)->mapping, size);
  return BELOW(xTruncate, size);
}

static int file_sync(sqlite3_file *opened, int flags) {
  int code = pass_on(opened);
  return code != SQLITE_OK ? code : BELOW(xSync, flags);
}

static int file_size(sqlite3_file *opened, sqlite3_int64 *size) {
  int code = pass_on(opened);
  return code != SQLITE_OK ? code : BELOW(xFileSize, size);
}

static int file_control(sqlite3_file *opened, int operation, void *argument) {
  struct yap_file *file = of(opened);
  if (operation != SQLITE_FCNTL_MMAP_SIZE) return BELOW(xFileControl, operation, argument);
  // SQLite's own mapping, which `PRAGMA mmap_size` sets: it lends pages, so that the file must not be mapped again.
  sqlite3_int64 *limit = argument, earlier = file->lent_limit;
  if (*limit >= 0 && *limit != earlier) {
    sqlite3_file *below = cforwarding_file_below(opened);
    mapping_end(&file->mapping, below);
    file->lent_limit = mapping_set_limit(below, *limit);
    if (file->lent_limit == 0) mapping_begin(&file->mapping, below);
  }
  *limit = earlier;
  return SQLITE_OK;
}

static int file_shm_lock(sqlite3_file *opened, int offset, int count, int flags) {
  struct yap_file *wal = of(opened)->wal;
  int ends_writing = offset == WRITE_LOCK && (flags & SQLITE_SHM_UNLOCK) != 0 && (flags & SQLITE_SHM_EXCLUSIVE) != 0;
  if (wal != NULL && ends_writing) gathered_end_transaction(&wal->gathered);
  return BELOW(xShmLock, offset, count, flags);
}

static int file_fetch(sqlite3_file *opened, sqlite3_int64 offset, int size, void **memory) {
  if (of(opened)->lent_limit > 0) return BELOW(xFetch, offset, size, memory);
  *memory = NULL;
  return SQLITE_OK;
}

static int file_unfetch(sqlite3_file *opened, sqlite3_int64 offset, void *memory) {
  // Without a page it would drop the mapping, as after each commit of another handle.
  return of(opened)->lent_limit > 0 ? BELOW(xUnfetch, offset, memory) : SQLITE_OK;
}

const sqlite3_io_methods yap_file_methods = {
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xFileControl = file_control,
    .xShmLock = file_shm_lock,
    .xFetch = file_fetch,
    .xUnfetch = file_unfetch,
};

const sqlite3_io_methods yap_other_file_methods = {.xClose = other_file_close};
