#ifndef CDRIVERLOOPS_H
#define CDRIVERLOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CRawSQLite.h"

/// The work of the harness's drivers as hand-written C programs: the same files and the same calls of the library, and
/// nothing else. A driver is faithful if it is nearly as fast as its loop.
typedef struct cloop cloop;

/// Opens a handle on the file of the driver `sqlite`, without syncs, and creates the tables if they do not exist.
/// @param rows must outlive the loop, including what it points to.
/// @return NULL if memory is exhausted; otherwise a loop, even if opening has failed: see cloop_error.
cloop *_Nullable cloop_open_sqlite(const char *_Nonnull path, const craw_rows *_Nonnull rows);

/// Does the same for the file of the driver `lmdb`. Defined only in builds with the package trait LMDB.
cloop *_Nullable cloop_open_lmdb(const char *_Nonnull path, const craw_rows *_Nonnull rows);

/// Does the same for the folder of the driver `rocksdb`. Defined only in builds with the package trait RocksDB.
cloop *_Nullable cloop_open_rocksdb(const char *_Nonnull path, const craw_rows *_Nonnull rows);

/// Closes the handle and frees the loop.
void cloop_close(cloop *_Nonnull loop);

/// Returns the message of the last failure, of opening or of a call that returned false; empty without a failure.
const char *_Nonnull cloop_error(const cloop *_Nonnull loop);

/// Stores every row with its initial value, in transactions of 10,000 rows.
bool cloop_load(cloop *_Nonnull loop);

/// Runs `count` read transactions that read only the number of the last commit.
bool cloop_read_nothing(cloop *_Nonnull loop, size_t count);

/// Reads rows by key in one transaction, which reads the number of the last commit first. Each value is copied.
/// @param sum is increased by the first eight bytes of each value.
bool cloop_read_together(cloop *_Nonnull loop, const uint32_t *_Nonnull rows, size_t count, uint64_t *_Nonnull sum);

/// Reads each row in its own transaction, as above.
bool cloop_read_each(cloop *_Nonnull loop, const uint32_t *_Nonnull rows, size_t count, uint64_t *_Nonnull sum);

/// Changes the values of rows, `rows_each` in a transaction. Each transaction also increments the number of the last
/// commit.
/// @param fresh the number of the first value; each further row gets the next value, and the first follows the last.
bool cloop_update(cloop *_Nonnull loop, const uint32_t *_Nonnull rows, size_t transactions, size_t rows_each,
                  uint64_t fresh);

#endif
