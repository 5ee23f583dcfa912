#define _POSIX_C_SOURCE 200809L

#include "CRawSQLite.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LOAD_ROWS = 10000 };

typedef enum {
  BEGIN,
  BEGIN_IMMEDIATE,
  COMMIT,
  SNAPSHOT,
  COUNT_UP,
  READ_ROW,
  SCAN_COLLECTION,
  SCAN_TABLE,
  SCAN_FROM,
  INSERT_ROW,
  UPDATE_ROW,
  DELETE_ROW,
  STATEMENTS
} statement_kind;

// Parameters: ?1 is the collection, ?2 the key, ?3 the value.
static const char *const sql[STATEMENTS] = {
    [BEGIN] = "BEGIN",
    [BEGIN_IMMEDIATE] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [SNAPSHOT] = "SELECT number FROM snapshot WHERE id = 1",
    [COUNT_UP] = "UPDATE snapshot SET number = number + 1 WHERE id = 1",
    [READ_ROW] = "SELECT object FROM data WHERE collection = ?1 AND key = ?2",
    [SCAN_COLLECTION] = "SELECT key, object FROM data WHERE collection = ?1",
    [SCAN_TABLE] = "SELECT key, object FROM data",
    [SCAN_FROM] = "SELECT key, object FROM data WHERE collection = ?1 AND key >= ?2 ORDER BY key LIMIT ?3",
    [INSERT_ROW] = "INSERT INTO data(collection, key, object, metadata) VALUES (?1, ?2, ?3, NULL)",
    [UPDATE_ROW] = "UPDATE data SET object = ?3, metadata = NULL WHERE collection = ?1 AND key = ?2",
    [DELETE_ROW] = "DELETE FROM data WHERE collection = ?1 AND key = ?2",
};

static const char *const tables[] = {
    [CRAW_ORIGINAL] = "CREATE TABLE IF NOT EXISTS data(rowid INTEGER PRIMARY KEY, collection TEXT NOT NULL,"
                      " key TEXT NOT NULL, object BLOB, metadata BLOB)",
    [CRAW_NUMBERED] = "CREATE TABLE IF NOT EXISTS data(rowid INTEGER PRIMARY KEY, collection INTEGER NOT NULL,"
                      " key TEXT NOT NULL, object BLOB NOT NULL, metadata BLOB)",
};

static const char collection_name[] = "messages";

craw_key *craw_keys_new(const char *bytes, uint32_t count) {
  craw_key *keys = malloc(count * sizeof *keys);
  if (!keys) abort();
  for (uint32_t row = 0; row < count; row++) {
    keys[row].size = CRAW_KEY_BYTES;
    keys[row].text = calloc(1, sizeof *keys[row].text);
    if (!keys[row].text) abort();
    memcpy(keys[row].text->bytes, bytes + (size_t)row * CRAW_KEY_BYTES, CRAW_KEY_BYTES);
  }
  return keys;
}

void craw_keys_free(craw_key *keys, uint32_t count) {
  for (uint32_t row = 0; row < count; row++) free(keys[row].text);
  free(keys);
}

struct craw_store {
  sqlite3 *database;
  sqlite3_stmt *statements[STATEMENTS];
  craw_layout layout;
  craw_rows rows;
  char error[256];
};

static bool check(craw_store *store, bool fine) {
  if (!fine) snprintf(store->error, sizeof store->error, "%s", sqlite3_errmsg(store->database));
  return fine;
}

static bool execute(craw_store *store, const char *text) {
  return check(store, sqlite3_exec(store->database, text, NULL, NULL, NULL) == SQLITE_OK);
}

static bool run(craw_store *store, statement_kind kind) {
  sqlite3_stmt *statement = store->statements[kind];
  int code = sqlite3_step(statement);
  bool fine = check(store, code == SQLITE_DONE || code == SQLITE_ROW);
  sqlite3_reset(statement);
  return fine;
}

static bool prepare(craw_store *store, int synchronous, int autocheckpoint) {
  char pragmas[160];
  const char *format = "PRAGMA journal_mode = WAL; PRAGMA synchronous = %d; PRAGMA wal_autocheckpoint = %d";
  snprintf(pragmas, sizeof pragmas, format, synchronous, autocheckpoint);
  sqlite3_busy_timeout(store->database, 5000);
  bool fine = execute(store, pragmas) && execute(store, tables[store->layout]) &&
              execute(store, "CREATE UNIQUE INDEX IF NOT EXISTS data_by_key ON data(collection, key);"
                             "CREATE TABLE IF NOT EXISTS snapshot(id INTEGER PRIMARY KEY, number INTEGER NOT NULL);"
                             "INSERT OR IGNORE INTO snapshot VALUES (1, 0)");
  for (int kind = 0; fine && kind < STATEMENTS; kind++) {
    sqlite3_stmt **statement = &store->statements[kind];
    int code = sqlite3_prepare_v3(store->database, sql[kind], -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
    fine = check(store, code == SQLITE_OK);
    // The collection is bound once: it is the same in every call, and sqlite3_reset keeps bindings.
    if (!fine || sqlite3_bind_parameter_count(*statement) == 0) continue;
    if (store->layout == CRAW_NUMBERED)
      sqlite3_bind_int64(*statement, 1, 1);
    else
      sqlite3_bind_text(*statement, 1, collection_name, -1, SQLITE_STATIC);
  }
  return fine;
}

craw_store *craw_open(const char *path, craw_layout layout, int synchronous, int autocheckpoint,
                      const craw_rows *rows) {
  craw_store *store = calloc(1, sizeof *store);
  if (!store) return NULL;
  store->layout = layout;
  store->rows = *rows;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
  if (check(store, sqlite3_open_v2(path, &store->database, flags, NULL) == SQLITE_OK))
    prepare(store, synchronous, autocheckpoint);
  return store;
}

void craw_close(craw_store *store) {
  for (int kind = 0; kind < STATEMENTS; kind++) sqlite3_finalize(store->statements[kind]);
  sqlite3_close(store->database);
  free(store);
}

const char *craw_error(const craw_store *store) { return store->error; }

static void bind_key(craw_store *store, sqlite3_stmt *statement, uint32_t row) {
  const craw_key *key = &store->rows.keys[row];
  sqlite3_bind_text(statement, 2, key->text->bytes, (int)key->size, SQLITE_STATIC);
}

static bool write_row(craw_store *store, statement_kind kind, uint32_t row, const uint8_t *value) {
  sqlite3_stmt *statement = store->statements[kind];
  bind_key(store, statement, row);
  sqlite3_bind_blob(statement, 3, value, (int)store->rows.value_bytes, SQLITE_STATIC);
  return run(store, kind) && check(store, sqlite3_changes(store->database) == 1);
}

bool craw_load(craw_store *store) {
  for (uint32_t row = 0; row < store->rows.row_count;) {
    if (!run(store, BEGIN_IMMEDIATE)) return false;
    for (uint32_t i = 0; i < LOAD_ROWS && row < store->rows.row_count; i++, row++)
      if (!write_row(store, INSERT_ROW, row, store->rows.initial + (size_t)row * store->rows.value_bytes)) return false;
    if (!run(store, COUNT_UP) || !run(store, COMMIT)) return false;
  }
  return true;
}

bool craw_insert(craw_store *store, const uint32_t *rows, size_t transactions, size_t rows_each) {
  for (size_t transaction = 0; transaction < transactions; transaction++) {
    if (!run(store, BEGIN_IMMEDIATE)) return false;
    for (size_t i = 0; i < rows_each; i++, rows++)
      if (!write_row(store, INSERT_ROW, *rows, store->rows.initial + (size_t)*rows * store->rows.value_bytes))
        return false;
    if (!run(store, COUNT_UP) || !run(store, COMMIT)) return false;
  }
  return true;
}

bool craw_remove(craw_store *store, const uint32_t *rows, size_t count) {
  if (!run(store, BEGIN_IMMEDIATE)) return false;
  for (size_t i = 0; i < count; i++) {
    bind_key(store, store->statements[DELETE_ROW], rows[i]);
    if (!run(store, DELETE_ROW)) return false;
  }
  return run(store, COUNT_UP) && run(store, COMMIT);
}

bool craw_read_nothing(craw_store *store, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!run(store, BEGIN) || !run(store, SNAPSHOT) || !run(store, COMMIT)) return false;
  return true;
}

// Returns the first eight bytes of a value, so that the read has an effect; 0 if the value is shorter.
static uint64_t stamp(sqlite3_stmt *statement, int column) {
  uint64_t stamp = 0;
  const void *bytes = sqlite3_column_blob(statement, column);
  if (sqlite3_column_bytes(statement, column) >= (int)sizeof stamp) memcpy(&stamp, bytes, sizeof stamp);
  return stamp;
}

static bool read_row(craw_store *store, uint32_t row, uint64_t *sum) {
  sqlite3_stmt *statement = store->statements[READ_ROW];
  bind_key(store, statement, row);
  bool found = check(store, sqlite3_step(statement) == SQLITE_ROW);
  if (found) *sum += stamp(statement, 0);
  sqlite3_reset(statement);
  return found;
}

bool craw_read_together(craw_store *store, const uint32_t *rows, size_t count, uint64_t *sum) {
  if (!run(store, BEGIN)) return false;
  for (size_t i = 0; i < count; i++)
    if (!read_row(store, rows[i], sum)) return false;
  return run(store, COMMIT);
}

bool craw_read_each(craw_store *store, const uint32_t *rows, size_t count, uint64_t *sum) {
  for (size_t i = 0; i < count; i++)
    if (!run(store, BEGIN) || !run(store, SNAPSHOT) || !read_row(store, rows[i], sum) || !run(store, COMMIT))
      return false;
  return true;
}

static bool scan(craw_store *store, statement_kind kind, uint64_t *count, uint64_t *sum) {
  sqlite3_stmt *statement = store->statements[kind];
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    *sum += stamp(statement, 1) + (uint64_t)(sqlite3_column_text(statement, 0) == NULL);
    *count += 1;
  }
  bool fine = check(store, code == SQLITE_DONE);
  sqlite3_reset(statement);
  return fine;
}

bool craw_scan(craw_store *store, bool in_table, uint64_t *count, uint64_t *sum) {
  return scan(store, in_table ? SCAN_TABLE : SCAN_COLLECTION, count, sum);
}

bool craw_scan_from(craw_store *store, const uint32_t *rows, size_t count, uint32_t limit, uint64_t *sum) {
  uint64_t found = 0;
  for (size_t i = 0; i < count; i++) {
    bind_key(store, store->statements[SCAN_FROM], rows[i]);
    sqlite3_bind_int64(store->statements[SCAN_FROM], 3, limit);
    if (!run(store, BEGIN) || !run(store, SNAPSHOT) || !scan(store, SCAN_FROM, &found, sum) || !run(store, COMMIT))
      return false;
  }
  return true;
}

bool craw_pin(craw_store *store) { return run(store, BEGIN) && run(store, SNAPSHOT); }

bool craw_unpin(craw_store *store) { return run(store, COMMIT); }

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

bool craw_update(craw_store *store, const uint32_t *rows, size_t transactions, size_t rows_each, bool counts,
                 uint64_t fresh, uint64_t *nanoseconds) {
  for (size_t transaction = 0; transaction < transactions; transaction++) {
    uint64_t begun = nanoseconds ? now() : 0;
    if (!run(store, BEGIN_IMMEDIATE)) return false;
    for (size_t i = 0; i < rows_each; i++, rows++, fresh++) {
      const uint8_t *value = store->rows.fresh + (size_t)(fresh % store->rows.fresh_count) * store->rows.value_bytes;
      if (!write_row(store, UPDATE_ROW, *rows, value)) return false;
    }
    if ((counts && !run(store, COUNT_UP)) || !run(store, COMMIT)) return false;
    if (nanoseconds) nanoseconds[transaction] = now() - begun;
  }
  return true;
}

bool craw_follow(craw_store *writer, craw_store *reader, const uint32_t *rows, size_t count, bool reads_row,
                 uint64_t fresh, uint64_t *nanoseconds, uint64_t *sum) {
  if (!run(reader, BEGIN) || !run(reader, SNAPSHOT)) return false;
  for (size_t i = 0; i < count; i++) {
    if (!craw_update(writer, rows + i, 1, 1, true, fresh + i, NULL)) return false;
    uint64_t begun = now();
    if (!run(reader, COMMIT) || !run(reader, BEGIN) || !run(reader, SNAPSHOT)) return false;
    if (reads_row && !read_row(reader, rows[i], sum)) return false;
    nanoseconds[i] = now() - begun;
  }
  return run(reader, COMMIT);
}

bool craw_checkpoint(craw_store *store) {
  int code = sqlite3_wal_checkpoint_v2(store->database, NULL, SQLITE_CHECKPOINT_RESTART, NULL, NULL);
  return check(store, code == SQLITE_OK);
}
