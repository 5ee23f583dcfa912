#include "DriverLoop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *loop_new(size_t size, const struct cloop_methods *methods, const craw_rows *rows) {
  cloop *loop = calloc(1, size);
  if (!loop) return NULL;
  loop->methods = methods;
  loop->rows = *rows;
  loop->value = malloc(rows->value_bytes);
  if (loop->value) return loop;
  loop_free(loop);
  return NULL;
}

void loop_free(cloop *loop) {
  free(loop->value);
  free(loop);
}

bool loop_fail(cloop *loop, const char *message) {
  snprintf(loop->error, sizeof loop->error, "%s", message);
  return false;
}

bool loop_take(cloop *loop, const void *bytes, size_t size, uint64_t *sum) {
  uint64_t stamp = 0;
  if (size != loop->rows.value_bytes || size < sizeof stamp) return loop_fail(loop, "a value has an unexpected size");
  memcpy(loop->value, bytes, size);
  memcpy(&stamp, loop->value, sizeof stamp);
  *sum += stamp;
  return true;
}

void cloop_close(cloop *loop) { loop->methods->close(loop); }

const char *cloop_error(const cloop *loop) { return loop->error; }

bool cloop_load(cloop *loop) { return loop->methods->load(loop); }

bool cloop_read_nothing(cloop *loop, size_t count) { return loop->methods->read_nothing(loop, count); }

bool cloop_read_together(cloop *loop, const uint32_t *rows, size_t count, uint64_t *sum) {
  return loop->methods->read_together(loop, rows, count, sum);
}

bool cloop_read_each(cloop *loop, const uint32_t *rows, size_t count, uint64_t *sum) {
  return loop->methods->read_each(loop, rows, count, sum);
}

bool cloop_update(cloop *loop, const uint32_t *rows, size_t transactions, size_t rows_each, uint64_t fresh) {
  return loop->methods->update(loop, rows, transactions, rows_each, fresh);
}
