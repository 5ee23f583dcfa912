#include <sqlite3.h>

#include "DriverLoop.h"

typedef enum {
  BEGIN,
  BEGIN_IMMEDIATE,
  COMMIT,
  READ_NUMBER,
  COUNT_UP,
  READ_ROW,
  WRITE_ROW,
  STATEMENTS
} statement_kind;

#define TABLE "\"collection_messages\""

// Parameters: ?1 is the key, ?2 the value.
static const char *const sql[STATEMENTS] = {
    [BEGIN] = "BEGIN",
    [BEGIN_IMMEDIATE] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [READ_NUMBER] = "SELECT number FROM commits",
    [COUNT_UP] = "UPDATE commits SET number = number + 1",
    [READ_ROW] = "SELECT object FROM " TABLE " WHERE key = ?1",
    [WRITE_ROW] = "INSERT INTO " TABLE " VALUES (?1, ?2, NULL) "
                  "ON CONFLICT(key) DO UPDATE SET object = excluded.object, metadata = excluded.metadata",
};

// The automatic checkpoint is SQLite's own, at 1,000 frames.
static const char setup[] =
    "PRAGMA journal_mode = WAL;"
    "BEGIN IMMEDIATE;"
    "CREATE TABLE IF NOT EXISTS commits(id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER NOT NULL);"
    "INSERT OR IGNORE INTO commits VALUES (1, 0);"
    "CREATE TABLE IF NOT EXISTS " TABLE "(key TEXT NOT NULL PRIMARY KEY, object BLOB NOT NULL, metadata BLOB);"
    "COMMIT;"
    "PRAGMA synchronous = OFF";

struct sqlite_loop {
  cloop loop;
  sqlite3 *database;
  sqlite3_stmt *statements[STATEMENTS];
  /// The number of the last commit that the transaction sees.
  sqlite3_int64 number;
};

static bool check(struct sqlite_loop *self, bool fine) {
  return fine || loop_fail(&self->loop, sqlite3_errmsg(self->database));
}

static bool run(struct sqlite_loop *self, statement_kind kind) {
  sqlite3_stmt *statement = self->statements[kind];
  int code = sqlite3_step(statement);
  bool fine = check(self, code == SQLITE_DONE || code == SQLITE_ROW);
  sqlite3_reset(statement);
  return fine;
}

static void bind_key(struct sqlite_loop *self, sqlite3_stmt *statement, uint32_t row) {
  size_t size;
  const char *key = loop_key(&self->loop, row, &size);
  sqlite3_bind_text(statement, 1, key, (int)size, SQLITE_STATIC);
}

static bool read_row(struct sqlite_loop *self, uint32_t row, uint64_t *sum) {
  sqlite3_stmt *statement = self->statements[READ_ROW];
  bind_key(self, statement, row);
  bool found = check(self, sqlite3_step(statement) == SQLITE_ROW);
  if (found) {
    const void *bytes = sqlite3_column_blob(statement, 0);
    found = loop_take(&self->loop, bytes, (size_t)sqlite3_column_bytes(statement, 0), sum);
  }
  sqlite3_reset(statement);
  return found;
}

static bool write_row(struct sqlite_loop *self, uint32_t row, const uint8_t *value) {
  sqlite3_stmt *statement = self->statements[WRITE_ROW];
  bind_key(self, statement, row);
  sqlite3_bind_blob(statement, 2, value, (int)self->loop.rows.value_bytes, SQLITE_STATIC);
  return run(self, WRITE_ROW) && check(self, sqlite3_changes(self->database) == 1);
}

static bool read_number(struct sqlite_loop *self) {
  sqlite3_stmt *statement = self->statements[READ_NUMBER];
  bool found = check(self, sqlite3_step(statement) == SQLITE_ROW);
  if (found) self->number = sqlite3_column_int64(statement, 0);
  sqlite3_reset(statement);
  return found;
}

static bool begin_read(struct sqlite_loop *self) { return run(self, BEGIN) && read_number(self); }
static bool begin_write(struct sqlite_loop *self) { return run(self, BEGIN_IMMEDIATE) && read_number(self); }
static bool commit_write(struct sqlite_loop *self) { return run(self, COUNT_UP) && run(self, COMMIT); }

static bool load(cloop *loop) {
  struct sqlite_loop *self = (struct sqlite_loop *)loop;
  for (uint32_t row = 0; row < loop->rows.row_count;) {
    if (!begin_write(self)) return false;
    for (uint32_t i = 0; i < LOOP_LOAD_ROWS && row < loop->rows.row_count; i++, row++)
      if (!write_row(self, row, loop_initial(loop, row))) return false;
    if (!commit_write(self)) return false;
  }
  return true;
}

static bool read_nothing(cloop *loop, size_t count) {
  struct sqlite_loop *self = (struct sqlite_loop *)loop;
  for (size_t i = 0; i < count; i++)
    if (!begin_read(self) || !run(self, COMMIT)) return false;
  return true;
}

static bool read_together(cloop *loop, const uint32_t *rows, size_t count, uint64_t *sum) {
  struct sqlite_loop *self = (struct sqlite_loop *)loop;
  if (!begin_read(self)) return false;
  for (size_t i = 0; i < count; i++)
    if (!read_row(self, rows[i], sum)) return false;
  return run(self, COMMIT);
}

static bool read_each(cloop *loop, const uint32_t *rows, size_t count, uint64_t *sum) {
  struct sqlite_loop *self = (struct sqlite_loop *)loop;
  for (size_t i = 0; i < count; i++)
    if (!begin_read(self) || !read_row(self, rows[i], sum) || !run(self, COMMIT)) return false;
  return true;
}

static bool update(cloop *loop, const uint32_t *rows, size_t transactions, size_t rows_each, uint64_t fresh) {
  struct sqlite_loop *self = (struct sqlite_loop *)loop;
  for (size_t transaction = 0; transaction < transactions; transaction++) {
    if (!begin_write(self)) return false;
    for (size_t i = 0; i < rows_each; i++, rows++, fresh++)
      if (!write_row(self, *rows, loop_fresh(loop, fresh))) return false;
    if (!commit_write(self)) return false;
  }
  return true;
}

static void close_sqlite(cloop *loop) {
  struct sqlite_loop *self = (struct sqlite_loop *)loop;
  for (int kind = 0; kind < STATEMENTS; kind++) sqlite3_finalize(self->statements[kind]);
  sqlite3_close(self->database);
  loop_free(loop);
}

static const struct cloop_methods methods = {
    .close = close_sqlite,
    .load = load,
    .read_nothing = read_nothing,
    .read_together = read_together,
    .read_each = read_each,
    .update = update,
};

cloop *cloop_open_sqlite(const char *path, const craw_rows *rows) {
  struct sqlite_loop *self = loop_new(sizeof *self, &methods, rows);
  if (!self) return NULL;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
  // The VFS is named because the driver makes its counting VFS the default of the process.
  bool fine = check(self, sqlite3_open_v2(path, &self->database, flags, "unix") == SQLITE_OK);
  if (fine) {
    sqlite3_busy_timeout(self->database, 5000);
    fine = check(self, sqlite3_exec(self->database, setup, NULL, NULL, NULL) == SQLITE_OK);
  }
  for (int kind = 0; fine && kind < STATEMENTS; kind++) {
    sqlite3_stmt **statement = &self->statements[kind];
    int code = sqlite3_prepare_v3(self->database, sql[kind], -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
    fine = check(self, code == SQLITE_OK);
  }
  return &self->loop;
}
