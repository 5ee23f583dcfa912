#ifndef CRAWSQLITE_H
#define CRAWSQLITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The work of the engine as a hand-written C program over SQLite: every statement is prepared once, bound without a
/// copy, and nothing else is done. The figures of the engine are compared with these loops.

/// The size of a key in bytes.
enum { CRAW_KEY_BYTES = 16 };

/// The layout of the rows.
typedef enum {
  /// YapDatabase's own table: rowid, the collection's name in each row, and a unique index over both texts.
  CRAW_ORIGINAL,
  /// The engine's table: the collection as a number.
  CRAW_NUMBERED,
} craw_layout;

/// A key as large in memory as a string in Swift: 16 bytes that refer to an allocation with a header of 32 bytes, the
/// text and a terminating 0. The engine and the drivers get their keys as strings, and reading those of random rows
/// misses the processor's caches. The keys of the loops do so as often.
typedef struct {
  size_t size;
  struct craw_text {
    uint8_t header[32];
    char bytes[CRAW_KEY_BYTES + 1];
  } *_Nonnull text;
} craw_key;

/// Copies keys of CRAW_KEY_BYTES each, every one into an allocation of its own. Aborts if memory is exhausted.
craw_key *_Nonnull craw_keys_new(const char *_Nonnull bytes, uint32_t count);

void craw_keys_free(craw_key *_Nonnull keys, uint32_t count);

/// The rows. They belong to the caller and must outlive every store that uses them.
typedef struct {
  const craw_key *_Nonnull keys;
  /// The initial values, `value_bytes` each.
  const uint8_t *_Nonnull initial;
  /// The values to which rows are changed in turn. They differ because SQLite skips a write of identical bytes.
  const uint8_t *_Nonnull fresh;
  uint32_t row_count, fresh_count, value_bytes;
} craw_rows;

typedef struct craw_store craw_store;

/// Opens a handle on `path`, creates the tables if they do not exist, and sets up SQLite's automatic checkpoint.
/// @param synchronous as in PRAGMA synchronous: 0 off, 1 normal, 2 full.
/// @param autocheckpoint the number of pages in the WAL that triggers a checkpoint; 0 for none.
/// @return NULL if memory is exhausted; otherwise a store, even if opening has failed: see craw_error.
craw_store *_Nullable craw_open(const char *_Nonnull path, craw_layout layout, int synchronous, int autocheckpoint,
                                const craw_rows *_Nonnull rows);

/// Closes the handle and frees the store.
void craw_close(craw_store *_Nonnull store);

/// Returns SQLite's message for the last failure, of opening or of a call that returned false; empty without a failure.
const char *_Nonnull craw_error(const craw_store *_Nonnull store);

/// Stores every row with its initial value, in transactions of 10,000 rows.
bool craw_load(craw_store *_Nonnull store);

/// Inserts rows with their initial values, `rows_each` in a transaction. None of them may be stored.
bool craw_insert(craw_store *_Nonnull store, const uint32_t *_Nonnull rows, size_t transactions, size_t rows_each);

/// Removes rows, all in one transaction.
bool craw_remove(craw_store *_Nonnull store, const uint32_t *_Nonnull rows, size_t count);

/// Runs `count` read transactions that read only the snapshot row.
bool craw_read_nothing(craw_store *_Nonnull store, size_t count);

/// Reads rows by key, all in one transaction, which does not read the snapshot row.
/// @param sum is increased by the first eight bytes of each value.
bool craw_read_together(craw_store *_Nonnull store, const uint32_t *_Nonnull rows, size_t count,
                        uint64_t *_Nonnull sum);

/// Reads each row by key in its own transaction, which reads the snapshot row first.
bool craw_read_each(craw_store *_Nonnull store, const uint32_t *_Nonnull rows, size_t count, uint64_t *_Nonnull sum);

/// Reads the keys and values of the collection. `count` is increased by the number of rows, and `sum` as above.
/// @param in_table whether to read the whole table; otherwise the collection is read through its index.
bool craw_scan(craw_store *_Nonnull store, bool in_table, uint64_t *_Nonnull count, uint64_t *_Nonnull sum);

/// For each of some rows, reads the keys and values from its key on, in the order of keys, each in its own transaction.
/// @param limit the largest number of rows that follow a key, with its own.
/// @param sum is increased by the first eight bytes of each value.
bool craw_scan_from(craw_store *_Nonnull store, const uint32_t *_Nonnull rows, size_t count, uint32_t limit,
                    uint64_t *_Nonnull sum);

/// Begins a read transaction, which stays at its snapshot until craw_unpin.
bool craw_pin(craw_store *_Nonnull store);

bool craw_unpin(craw_store *_Nonnull store);

/// Changes the values of rows, `rows_each` in a transaction.
/// @param counts whether each transaction increments the snapshot row as well.
/// @param fresh the number of the first value; each further row gets the next value, and the first follows the last.
/// @param nanoseconds receives the duration of each transaction, unless it is NULL.
bool craw_update(craw_store *_Nonnull store, const uint32_t *_Nonnull rows, size_t transactions, size_t rows_each,
                 bool counts, uint64_t fresh, uint64_t *_Nullable nanoseconds);

/// Lets `writer` change rows, one in a transaction, and `reader`, another handle of the same file, follow each commit:
/// it ends its read transaction, begins another, and reads the snapshot row. After a failure, craw_error of one of them
/// has the message.
/// @param reads_row whether the reader then reads the changed row by key as well.
/// @param fresh as in craw_update.
/// @param nanoseconds receives the duration of each step of the reader.
/// @param sum is increased by the first eight bytes of each value that the reader has read.
bool craw_follow(craw_store *_Nonnull writer, craw_store *_Nonnull reader, const uint32_t *_Nonnull rows, size_t count,
                 bool reads_row, uint64_t fresh, uint64_t *_Nonnull nanoseconds, uint64_t *_Nonnull sum);

/// Copies the whole WAL to the file, so that the next commit restarts the WAL. Fails if another handle prevents this
/// for more than 5 seconds.
bool craw_checkpoint(craw_store *_Nonnull store);

#endif
