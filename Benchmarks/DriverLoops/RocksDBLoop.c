#ifdef ROCKSDB

#include <rocksdb/c.h>
#include <stdlib.h>
#include <string.h>

#include "DriverLoop.h"
#include "StoredRow.h"

static const char commit_key[] = "commit";
enum { COMMIT_KEY_BYTES = sizeof commit_key - 1 };

struct rocksdb_loop {
  cloop loop;
  rocksdb_t *database;
  rocksdb_options_t *options;
  rocksdb_readoptions_t *read_options;
  rocksdb_writeoptions_t *write_options;
  rocksdb_column_family_handle_t *commits, *messages;
  const rocksdb_snapshot_t *snapshot;
  rocksdb_writebatch_wi_t *batch;
  /// The number of the last commit.
  uint64_t number;
  /// Memory for a row's stored value.
  uint8_t *stored;
};

/// Frees RocksDB's message. Fails if there is one.
static bool check(struct rocksdb_loop *self, char *message) {
  if (!message) return true;
  loop_fail(&self->loop, message);
  rocksdb_free(message);
  return false;
}

/// Reads the number of the last commit in the snapshot; 0 before the first one.
static bool read_number(struct rocksdb_loop *self, uint64_t *number) {
  char *message = NULL;
  rocksdb_pinnableslice_t *found = rocksdb_get_pinned_cf(
      self->database, self->read_options, self->commits, commit_key, COMMIT_KEY_BYTES, &message);
  *number = 0;
  if (!found) return check(self, message);
  size_t size;
  const char *bytes = rocksdb_pinnableslice_value(found, &size);
  bool fine = size == sizeof *number || loop_fail(&self->loop, "the number of the last commit has another size");
  if (fine) memcpy(number, bytes, sizeof *number);
  rocksdb_pinnableslice_destroy(found);
  return fine;
}

static bool read_row(struct rocksdb_loop *self, uint32_t row, uint64_t *sum) {
  char *message = NULL;
  size_t size;
  const char *key = loop_key(&self->loop, row, &size);
  rocksdb_pinnableslice_t *found =
      rocksdb_get_pinned_cf(self->database, self->read_options, self->messages, key, size, &message);
  if (!found) return check(self, message) && loop_fail(&self->loop, "a row is missing");
  const char *bytes = rocksdb_pinnableslice_value(found, &size);
  bool fine = take_row(&self->loop, bytes, size, sum);
  rocksdb_pinnableslice_destroy(found);
  return fine;
}

static void write_row(struct rocksdb_loop *self, uint32_t row, const uint8_t *bytes) {
  store_row(&self->loop, bytes, self->stored);
  size_t size;
  const char *key = loop_key(&self->loop, row, &size);
  rocksdb_writebatch_wi_put_cf(self->batch, self->messages, key, size, (const char *)self->stored,
                               stored_bytes(&self->loop));
}

static bool commit_write(struct rocksdb_loop *self) {
  self->number += 1;
  rocksdb_writebatch_wi_put_cf(self->batch, self->commits, commit_key, COMMIT_KEY_BYTES, (const char *)&self->number,
                               sizeof self->number);
  char *message = NULL;
  rocksdb_write_writebatch_wi(self->database, self->write_options, self->batch, &message);
  rocksdb_writebatch_wi_clear(self->batch);
  return check(self, message);
}

static bool load(cloop *loop) {
  struct rocksdb_loop *self = (struct rocksdb_loop *)loop;
  for (uint32_t row = 0; row < loop->rows.row_count;) {
    for (uint32_t i = 0; i < LOOP_LOAD_ROWS && row < loop->rows.row_count; i++, row++)
      write_row(self, row, loop_initial(loop, row));
    if (!commit_write(self)) return false;
  }
  return true;
}

static bool begin_read(struct rocksdb_loop *self) {
  uint64_t number;
  self->snapshot = rocksdb_create_snapshot(self->database);
  rocksdb_readoptions_set_snapshot(self->read_options, self->snapshot);
  return read_number(self, &number);
}

static void end_read(struct rocksdb_loop *self) { rocksdb_release_snapshot(self->database, self->snapshot); }

static bool read_nothing(cloop *loop, size_t count) {
  struct rocksdb_loop *self = (struct rocksdb_loop *)loop;
  for (size_t i = 0; i < count; i++) {
    if (!begin_read(self)) return false;
    end_read(self);
  }
  return true;
}

static bool read_together(cloop *loop, const uint32_t *rows, size_t count, uint64_t *sum) {
  struct rocksdb_loop *self = (struct rocksdb_loop *)loop;
  if (!begin_read(self)) return false;
  for (size_t i = 0; i < count; i++)
    if (!read_row(self, rows[i], sum)) return false;
  end_read(self);
  return true;
}

static bool read_each(cloop *loop, const uint32_t *rows, size_t count, uint64_t *sum) {
  struct rocksdb_loop *self = (struct rocksdb_loop *)loop;
  for (size_t i = 0; i < count; i++) {
    if (!begin_read(self) || !read_row(self, rows[i], sum)) return false;
    end_read(self);
  }
  return true;
}

static bool update(cloop *loop, const uint32_t *rows, size_t transactions, size_t rows_each, uint64_t fresh) {
  struct rocksdb_loop *self = (struct rocksdb_loop *)loop;
  for (size_t i = 0; i < transactions; i++) {
    for (size_t j = 0; j < rows_each; j++, rows++, fresh++) write_row(self, *rows, loop_fresh(loop, fresh));
    if (!commit_write(self)) return false;
  }
  return true;
}

static void close_rocksdb(cloop *loop) {
  struct rocksdb_loop *self = (struct rocksdb_loop *)loop;
  rocksdb_writebatch_wi_destroy(self->batch);
  if (self->database) {
    rocksdb_column_family_handle_destroy(self->messages);
    rocksdb_column_family_handle_destroy(self->commits);
    rocksdb_close(self->database);
  }
  rocksdb_readoptions_destroy(self->read_options);
  rocksdb_writeoptions_destroy(self->write_options);
  rocksdb_options_destroy(self->options);
  free(self->stored);
  loop_free(loop);
}

static const struct cloop_methods methods = {
    .close = close_rocksdb,
    .load = load,
    .read_nothing = read_nothing,
    .read_together = read_together,
    .read_each = read_each,
    .update = update,
};

/// Returns the options of the driver.
static rocksdb_options_t *make_options(void) {
  rocksdb_options_t *options = rocksdb_options_create();
  rocksdb_block_based_table_options_t *table = rocksdb_block_based_options_create();
  rocksdb_cache_t *cache = rocksdb_cache_create_lru((size_t)64 << 20);
  rocksdb_block_based_options_set_block_cache(table, cache);
  rocksdb_block_based_options_set_filter_policy(table, rocksdb_filterpolicy_create_bloom_full(10));
  rocksdb_block_based_options_set_block_size(table, 16 << 10);
  rocksdb_block_based_options_set_cache_index_and_filter_blocks(table, 1);
  rocksdb_block_based_options_set_pin_l0_filter_and_index_blocks_in_cache(table, 1);
  rocksdb_options_set_block_based_table_factory(options, table);
  rocksdb_cache_destroy(cache);
  rocksdb_block_based_options_destroy(table);
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_options_set_create_missing_column_families(options, 1);
  rocksdb_options_increase_parallelism(options, 2);
  rocksdb_options_set_level_compaction_dynamic_level_bytes(options, 1);
  rocksdb_options_set_write_buffer_size(options, (size_t)64 << 20);
  rocksdb_options_set_compression(options, rocksdb_no_compression);
  rocksdb_options_set_bytes_per_sync(options, 1 << 20);
  rocksdb_options_set_wal_recovery_mode(options, 2);
  rocksdb_options_enable_statistics(options);
  rocksdb_options_set_stats_dump_period_sec(options, 0);
  rocksdb_options_set_stats_persist_period_sec(options, 0);
  rocksdb_options_set_info_log_level(options, 2);
  rocksdb_options_set_keep_log_file_num(options, 1);
  return options;
}

cloop *cloop_open_rocksdb(const char *path, const craw_rows *rows) {
  struct rocksdb_loop *self = loop_new(sizeof *self, &methods, rows);
  if (!self) return NULL;
  self->options = make_options();
  self->read_options = rocksdb_readoptions_create();
  self->write_options = rocksdb_writeoptions_create();
  // With one record for each key, as in the driver.
  self->batch = rocksdb_writebatch_wi_create(0, 1);
  self->stored = malloc(stored_bytes(&self->loop));
  if (!self->stored) {
    loop_fail(&self->loop, "out of memory");
    return &self->loop;
  }
  const char *const names[] = {"default", "collection_messages"};
  const rocksdb_options_t *const options[] = {self->options, self->options};
  rocksdb_column_family_handle_t *families[2];
  char *message = NULL;
  self->database = rocksdb_open_column_families(self->options, path, 2, names, options, families, &message);
  if (!check(self, message)) return &self->loop;
  self->commits = families[0];
  self->messages = families[1];
  read_number(self, &self->number);
  return &self->loop;
}

#endif
