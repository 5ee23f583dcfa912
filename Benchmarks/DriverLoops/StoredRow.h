#ifndef STOREDROW_H
#define STOREDROW_H

#include <string.h>

#include "DriverLoop.h"

// The value of a row in the files of `lmdb` and `rocksdb`: 4 bytes, which are all ones for a row without metadata, and
// the object.

enum { ROW_HEADER_BYTES = 4 };

/// Returns the size of a row's stored value.
static inline size_t stored_bytes(const cloop *loop) { return ROW_HEADER_BYTES + (size_t)loop->rows.value_bytes; }

/// Writes a row's stored value to memory of `stored_bytes` bytes.
static inline void store_row(const cloop *loop, const uint8_t *object, void *memory) {
  memset(memory, 0xff, ROW_HEADER_BYTES);
  memcpy((uint8_t *)memory + ROW_HEADER_BYTES, object, loop->rows.value_bytes);
}

/// Does the same as loop_take for the object of a stored value.
static inline bool take_row(cloop *loop, const void *stored, size_t size, uint64_t *sum) {
  if (size < ROW_HEADER_BYTES) return loop_fail(loop, "a stored value is too short");
  return loop_take(loop, (const uint8_t *)stored + ROW_HEADER_BYTES, size - ROW_HEADER_BYTES, sum);
}

#endif
