#ifndef DRIVERLOOP_H
#define DRIVERLOOP_H

#include "CDriverLoops.h"

/// The number of rows in a transaction of cloop_load.
enum { LOOP_LOAD_ROWS = 10000 };

/// The loops over one library. Each function is a whole loop, so that no call inside is indirect.
struct cloop_methods {
  void (*close)(cloop *loop);
  bool (*load)(cloop *loop);
  bool (*read_nothing)(cloop *loop, size_t count);
  bool (*read_together)(cloop *loop, const uint32_t *rows, size_t count, uint64_t *sum);
  bool (*read_each)(cloop *loop, const uint32_t *rows, size_t count, uint64_t *sum);
  bool (*update)(cloop *loop, const uint32_t *rows, size_t transactions, size_t rows_each, uint64_t fresh);
};

/// The first part of each loop.
struct cloop {
  const struct cloop_methods *methods;
  craw_rows rows;
  /// The copy of the last value that was read.
  uint8_t *value;
  char error[256];
};

/// Allocates a loop of `size` bytes, which begins with a struct cloop; NULL if memory is exhausted.
void *loop_new(size_t size, const struct cloop_methods *methods, const craw_rows *rows);

/// Frees the loop. Called at the end of `close`.
void loop_free(cloop *loop);

/// Stores the message as the error, and returns false.
bool loop_fail(cloop *loop, const char *message);

/// Copies a value that was read, and adds its first eight bytes to `sum`. Fails if the value has another size than the
/// rows.
bool loop_take(cloop *loop, const void *bytes, size_t size, uint64_t *sum);

static inline const char *loop_key(const cloop *loop, uint32_t row, size_t *size) {
  *size = loop->rows.keys[row].size;
  return loop->rows.keys[row].text->bytes;
}

static inline const uint8_t *loop_initial(const cloop *loop, uint32_t row) {
  return loop->rows.initial + (size_t)row * loop->rows.value_bytes;
}

static inline const uint8_t *loop_fresh(const cloop *loop, uint64_t number) {
  return loop->rows.fresh + (size_t)(number % loop->rows.fresh_count) * loop->rows.value_bytes;
}

#endif
