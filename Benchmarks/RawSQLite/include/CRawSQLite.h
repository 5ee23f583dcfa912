#ifndef CRAWSQLITE_H
#define CRAWSQLITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What a program in C, written by hand over SQLite, does in the engine's place: every statement is prepared once,
/// bound without a copy, and nothing else is done. The figures of the engine are held against these loops.

/// Bytes of a key.
enum { CRAW_KEY_BYTES = 16 };

/// How the rows lie.
typedef enum {
  /// YapDatabase's own table: rowid, the collection's name in each row, unique index over both texts.
  CRAW_ORIGINAL,
  /// The engine's table: the collection as a number.
  CRAW_NUMBERED,
} craw_layout;

/// The rows, which belong to the caller and outlive every store that is given them.
typedef struct {
  /// CRAW_KEY_BYTES of each row.
  const char *_Nonnull keys;
  /// What each row holds at first, `value_bytes` each.
  const uint8_t *_Nonnull initial;
  /// What rows are changed to, by turns: SQLite leaves out a write of identical bytes.
  const uint8_t *_Nonnull fresh;
  uint32_t row_count, fresh_count, value_bytes;
} craw_rows;

typedef struct craw_store craw_store;

/// Opens a handle on `path`, with the tables, and with SQLite's own automatic checkpoint after so many pages (0: none).
/// @param synchronous as in PRAGMA synchronous: 0 off, 1 normal, 2 full.
/// @return NULL where there is no memory; otherwise a store, even a failed one: ask craw_error.
craw_store *_Nullable craw_open(const char *_Nonnull path, craw_layout layout, int synchronous, int autocheckpoint,
                                const craw_rows *_Nonnull rows);

/// Closes the handle and frees the store.
void craw_close(craw_store *_Nonnull store);

/// What SQLite said of the last call that returned false.
const char *_Nonnull craw_error(const craw_store *_Nonnull store);

/// Stores every row with its first value, in transactions of 10,000.
bool craw_load(craw_store *_Nonnull store);

/// Read transactions that read the snapshot row and nothing else.
bool craw_read_nothing(craw_store *_Nonnull store, size_t count);

/// Reads rows by key, all in one transaction.
/// @param sum is raised by each value's first eight bytes.
bool craw_read_together(craw_store *_Nonnull store, const uint32_t *_Nonnull rows, size_t count,
                        uint64_t *_Nonnull sum);

/// Reads rows by key, in a transaction each, which reads the snapshot row first.
bool craw_read_each(craw_store *_Nonnull store, const uint32_t *_Nonnull rows, size_t count, uint64_t *_Nonnull sum);

/// Reads keys and values of the collection.
/// @param in_table whether the table is read from end to end; otherwise the collection is asked for, by its index.
bool craw_scan(craw_store *_Nonnull store, bool in_table, uint64_t *_Nonnull count, uint64_t *_Nonnull sum);

/// Gives rows another value, so many in a transaction.
/// @param counts whether each transaction counts up the snapshot row, too.
/// @param fresh number of the first value; the following ones are taken in turn.
/// @param nanoseconds where not NULL, how long each transaction took.
bool craw_update(craw_store *_Nonnull store, const uint32_t *_Nonnull rows, size_t transactions, size_t rows_each,
                 bool counts, uint64_t fresh, uint64_t *_Nullable nanoseconds);

/// Copies the WAL to the file, all of it; the next commit writes over it from its beginning.
bool craw_checkpoint(craw_store *_Nonnull store);

#endif
