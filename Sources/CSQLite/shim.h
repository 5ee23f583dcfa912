#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>
#include <stdint.h>
#include <time.h>

/// Returns SQLITE_TRANSIENT, which Swift does not import because it is a cast in a macro.
static inline sqlite3_destructor_type csqlite_transient(void) {
  return SQLITE_TRANSIENT;
}

/// Sets whether closing the last handle of a database makes a checkpoint. Swift does not import sqlite3_db_config,
/// because it has variable arguments.
static inline int csqlite_set_checkpoint_on_close(sqlite3 *database, int on) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !on, (int *)0);
}

/// Returns the header of the WAL-index that the handle maps; NULL if it has an unknown format, or if the database's VFS
/// has no shared memory. SQLite must have opened the WAL. The header stays mapped until the handle is closed:
/// https://sqlite.org/walformat.html#the_wal_index_header
static inline const uint32_t *csqlite_wal_index(sqlite3 *database) {
  enum { REGION_BYTES = 32768, VERSION = 3007000 };
  sqlite3_file *file = 0;
  void volatile *region = 0;
  if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
  if (!file || !file->pMethods || file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
  if (file->pMethods->xShmMap(file, 0, REGION_BYTES, 0, &region) != SQLITE_OK || !region) return 0;
  const uint32_t *header = (const uint32_t *)region;
  return header[0] == VERSION ? header : 0;
}

/// Returns the header's count of the transactions that were written to the WAL by all programs.
static inline uint32_t csqlite_wal_revision(const uint32_t *header) {
  return __atomic_load_n(&header[2], __ATOMIC_ACQUIRE);
}

/// Calls sqlite3_step and adds its duration to `nanoseconds`.
static inline int csqlite_timed_step(sqlite3_stmt *statement, uint64_t *nanoseconds) {
  struct timespec begun, ended;
  clock_gettime(CLOCK_MONOTONIC, &begun);
  int code = sqlite3_step(statement);
  clock_gettime(CLOCK_MONOTONIC, &ended);
  *nanoseconds += (uint64_t)((ended.tv_sec - begun.tv_sec) * 1000000000L + ended.tv_nsec - begun.tv_nsec);
  return code;
}

/// The bytes that the calling thread has written to the files of databases since its start, and its syncs of them.
struct csqlite_thread_writes {
  uint64_t bytes;
  uint64_t syncs;
};

/// The file control with which a VFS reports its counts. A VFS that does not count returns SQLITE_NOTFOUND. SQLite
/// leaves numbers from 100 on to applications.
#define CSQLITE_FCNTL_THREAD_WRITES 5901

/// Stores the counts of the calling thread in `writes`; returns SQLITE_NOTFOUND if the database's VFS does not count.
static inline int csqlite_thread_writes(sqlite3 *database, struct csqlite_thread_writes *writes) {
  return sqlite3_file_control(database, (const char *)0, CSQLITE_FCNTL_THREAD_WRITES, writes);
}

#endif
