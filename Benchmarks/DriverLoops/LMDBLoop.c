#ifdef LMDB

#include <lmdb.h>
#include <string.h>

#include "DriverLoop.h"
#include "StoredRow.h"

static const size_t map_bytes = (size_t)64 << 30;

struct lmdb_loop {
  cloop loop;
  MDB_env *environment;
  MDB_dbi commits, messages;
  /// Renewed for each read, so that it keeps its slot in the reader table.
  MDB_txn *reader;
};

static bool check(struct lmdb_loop *self, int code) {
  return code == MDB_SUCCESS || loop_fail(&self->loop, mdb_strerror(code));
}

/// Reads the number of the last commit that the transaction sees; 0 before the first one.
static bool read_number(struct lmdb_loop *self, MDB_txn *transaction, uint64_t *number) {
  uint8_t zero = 0;
  MDB_val key = {sizeof zero, &zero}, value;
  int code = mdb_get(transaction, self->commits, &key, &value);
  *number = 0;
  if (code == MDB_NOTFOUND) return true;
  if (!check(self, code)) return false;
  if (value.mv_size != sizeof *number) return loop_fail(&self->loop, "the number of the last commit has another size");
  memcpy(number, value.mv_data, sizeof *number);
  return true;
}

static bool write_number(struct lmdb_loop *self, MDB_txn *transaction, uint64_t number) {
  uint8_t zero = 0;
  MDB_val key = {sizeof zero, &zero}, value = {sizeof number, &number};
  return check(self, mdb_put(transaction, self->commits, &key, &value, 0));
}

static MDB_val key_of(struct lmdb_loop *self, uint32_t row) {
  MDB_val key;
  key.mv_data = (void *)loop_key(&self->loop, row, &key.mv_size);
  return key;
}

static bool read_row(struct lmdb_loop *self, MDB_txn *transaction, uint32_t row, uint64_t *sum) {
  MDB_val key = key_of(self, row), value;
  if (!check(self, mdb_get(transaction, self->messages, &key, &value))) return false;
  return take_row(&self->loop, value.mv_data, value.mv_size, sum);
}

static bool write_row(struct lmdb_loop *self, MDB_txn *transaction, uint32_t row, const uint8_t *bytes) {
  MDB_val key = key_of(self, row), value = {stored_bytes(&self->loop), NULL};
  if (!check(self, mdb_put(transaction, self->messages, &key, &value, MDB_RESERVE))) return false;
  store_row(&self->loop, bytes, value.mv_data);
  return true;
}

static bool begin_write(struct lmdb_loop *self, MDB_txn **transaction, uint64_t *number) {
  return check(self, mdb_txn_begin(self->environment, NULL, 0, transaction)) &&
         read_number(self, *transaction, number);
}

static bool commit_write(struct lmdb_loop *self, MDB_txn *transaction, uint64_t number) {
  return write_number(self, transaction, number + 1) && check(self, mdb_txn_commit(transaction));
}

static bool load(cloop *loop) {
  struct lmdb_loop *self = (struct lmdb_loop *)loop;
  for (uint32_t row = 0; row < loop->rows.row_count;) {
    MDB_txn *transaction;
    uint64_t number;
    if (!begin_write(self, &transaction, &number)) return false;
    for (uint32_t i = 0; i < LOOP_LOAD_ROWS && row < loop->rows.row_count; i++, row++)
      if (!write_row(self, transaction, row, loop_initial(loop, row))) return false;
    if (!commit_write(self, transaction, number)) return false;
  }
  return true;
}

static bool begin_read(struct lmdb_loop *self) {
  uint64_t number;
  return check(self, mdb_txn_renew(self->reader)) && read_number(self, self->reader, &number);
}

static bool read_nothing(cloop *loop, size_t count) {
  struct lmdb_loop *self = (struct lmdb_loop *)loop;
  for (size_t i = 0; i < count; i++) {
    if (!begin_read(self)) return false;
    mdb_txn_reset(self->reader);
  }
  return true;
}

static bool read_together(cloop *loop, const uint32_t *rows, size_t count, uint64_t *sum) {
  struct lmdb_loop *self = (struct lmdb_loop *)loop;
  if (!begin_read(self)) return false;
  for (size_t i = 0; i < count; i++)
    if (!read_row(self, self->reader, rows[i], sum)) return false;
  mdb_txn_reset(self->reader);
  return true;
}

static bool read_each(cloop *loop, const uint32_t *rows, size_t count, uint64_t *sum) {
  struct lmdb_loop *self = (struct lmdb_loop *)loop;
  for (size_t i = 0; i < count; i++) {
    if (!begin_read(self) || !read_row(self, self->reader, rows[i], sum)) return false;
    mdb_txn_reset(self->reader);
  }
  return true;
}

static bool update(cloop *loop, const uint32_t *rows, size_t transactions, size_t rows_each, uint64_t fresh) {
  struct lmdb_loop *self = (struct lmdb_loop *)loop;
  for (size_t i = 0; i < transactions; i++) {
    MDB_txn *transaction;
    uint64_t number;
    if (!begin_write(self, &transaction, &number)) return false;
    for (size_t j = 0; j < rows_each; j++, rows++, fresh++)
      if (!write_row(self, transaction, *rows, loop_fresh(loop, fresh))) return false;
    if (!commit_write(self, transaction, number)) return false;
  }
  return true;
}

static void close_lmdb(cloop *loop) {
  struct lmdb_loop *self = (struct lmdb_loop *)loop;
  mdb_txn_abort(self->reader);
  mdb_env_close(self->environment);
  loop_free(loop);
}

static const struct cloop_methods methods = {
    .close = close_lmdb,
    .load = load,
    .read_nothing = read_nothing,
    .read_together = read_together,
    .read_each = read_each,
    .update = update,
};

static bool open_databases(struct lmdb_loop *self) {
  MDB_txn *transaction;
  return check(self, mdb_txn_begin(self->environment, NULL, 0, &transaction)) &&
         check(self, mdb_dbi_open(transaction, "commits", MDB_CREATE, &self->commits)) &&
         check(self, mdb_dbi_open(transaction, "collection_messages", MDB_CREATE, &self->messages)) &&
         check(self, mdb_txn_commit(transaction));
}

static bool open_reader(struct lmdb_loop *self) {
  if (!check(self, mdb_txn_begin(self->environment, NULL, MDB_RDONLY, &self->reader))) return false;
  mdb_txn_reset(self->reader);
  return true;
}

cloop *cloop_open_lmdb(const char *path, const craw_rows *rows) {
  struct lmdb_loop *self = loop_new(sizeof *self, &methods, rows);
  if (!self) return NULL;
  unsigned flags = MDB_NOSUBDIR | MDB_NOTLS | MDB_NOSYNC;
  if (check(self, mdb_env_create(&self->environment)) &&
      check(self, mdb_env_set_mapsize(self->environment, map_bytes)) &&
      check(self, mdb_env_set_maxdbs(self->environment, 2)) &&
      check(self, mdb_env_open(self->environment, path, flags, 0644)) && open_databases(self))
    open_reader(self);
  return &self->loop;
}

#endif
