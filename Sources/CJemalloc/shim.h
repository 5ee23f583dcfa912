#ifndef CJEMALLOC_SHIM_H
#define CJEMALLOC_SHIM_H

#include <jemalloc/jemalloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// Refreshes jemalloc's statistics, which do not change between two refreshes; returns 0 on success.
static inline int cjemalloc_refresh(void) {
  uint64_t epoch = 1;
  return mallctl("epoch", NULL, NULL, &epoch, sizeof epoch);
}

/// Returns one statistic, such as "stats.allocated", as of the last refresh; 0 if jemalloc does not report it.
static inline size_t cjemalloc_read(const char *name) {
  size_t value = 0;
  size_t size = sizeof value;
  return mallctl(name, &value, &size, NULL, 0) == 0 ? value : 0;
}

/// Creates an arena; returns 0 on success.
static inline int cjemalloc_create_arena(uint32_t *arena) {
  unsigned created = 0;
  size_t size = sizeof created;
  int error = mallctl("arenas.create", &created, &size, NULL, 0);
  *arena = created;
  return error;
}

/// Makes the calling thread allocate from this arena, and stores its former arena in `previous`; returns 0 on success.
static inline int cjemalloc_use_arena(uint32_t arena, uint32_t *previous) {
  unsigned before = 0, after = arena;
  size_t size = sizeof before;
  int error = mallctl("thread.arena", &before, &size, &after, sizeof after);
  *previous = before;
  return error;
}

/// Empties the calling thread's cache, which adds the allocations that it has served to the counts of the arena.
static inline void cjemalloc_flush_thread(void) { mallctl("thread.tcache.flush", NULL, NULL, NULL, 0); }

/// Returns the number of allocations from this arena up to the last refresh, without those that the cache of a thread
/// has served since its last flush.
static inline uint64_t cjemalloc_allocations(uint32_t arena) {
  char name[64];
  snprintf(name, sizeof name, "stats.arenas.%u.small.nrequests", arena);
  uint64_t count = cjemalloc_read(name);
  snprintf(name, sizeof name, "stats.arenas.%u.large.nrequests", arena);
  return count + cjemalloc_read(name);
}

#endif
