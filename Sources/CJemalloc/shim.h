#ifndef CJEMALLOC_SHIM_H
#define CJEMALLOC_SHIM_H

#include <jemalloc/jemalloc.h>
#include <stddef.h>
#include <stdint.h>

/// Makes jemalloc's statistics current; they stand still between two calls.
static inline int cjemalloc_refresh(void) {
  uint64_t epoch = 1;
  return mallctl("epoch", NULL, NULL, &epoch, sizeof epoch);
}

/// Reads one statistic in bytes, such as "stats.allocated"; 0 where it is not known.
static inline size_t cjemalloc_read(const char *name) {
  size_t value = 0;
  size_t size = sizeof value;
  return mallctl(name, &value, &size, NULL, 0) == 0 ? value : 0;
}

#endif
