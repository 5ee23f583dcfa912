#include "Mapping.h"

#include <stddef.h>
#include <stdint.h>

#include "GuardedCopy.h"

enum {
  /// A file is mapped again when a read lies this far behind its mapping, or an eighth of the mapping: its pages are
  /// then faulted in again, which takes about as long as reading one page in 16.
  LEAST_GROWTH = 64 * 1024,
  /// Some versions of SQLite lend no memory that is nearer to the end of a mapping.
  KEPT_BYTES = 256,
  /// Memory is mapped in units of at least this size.
  UNIT = 4096,
};

static const sqlite3_int64 NEVER = INT64_MAX;

sqlite3_int64 mapping_set_limit(sqlite3_file *below, sqlite3_int64 limit) {
  sqlite3_int64 in_force = limit;
  int code = below->pMethods->xFileControl(below, SQLITE_FCNTL_MMAP_SIZE, &in_force);
  // The control returns the earlier limit; -1 leaves it.
  in_force = -1;
  if (code == SQLITE_OK) code = below->pMethods->xFileControl(below, SQLITE_FCNTL_MMAP_SIZE, &in_force);
  return code == SQLITE_OK && in_force > 0 ? in_force : 0;
}

void mapping_begin(struct mapping *mapping, sqlite3_file *below) {
  // Addresses are scarce in 32 bits.
  int is_possible = sizeof(void *) >= 8 && below->pMethods->iVersion >= 3 && below->pMethods->xFetch != NULL;
  *mapping = (struct mapping){.next_size = is_possible ? 1 : NEVER};
}

static void unmap(struct mapping *mapping, sqlite3_file *below) {
  if (mapping->base == NULL) return;
  below->pMethods->xUnfetch(below, 0, (void *)mapping->base);
  mapping_set_limit(below, 0);
  mapping->base = NULL;
  mapping->size = 0;
}

/// Maps the file as far as it goes now.
static void map(struct mapping *mapping, sqlite3_file *below) {
  unmap(mapping, below);
  sqlite3_int64 size = 0, limit = mapping_set_limit(below, INT64_MAX);
  int code = below->pMethods->xFileSize(below, &size);
  if (size > limit) size = limit;
  void *base = NULL;
  // Memory of this length is lent only if it is mapped, even if the file has become shorter meanwhile.
  sqlite3_int64 lent = size - KEPT_BYTES;
  if (code == SQLITE_OK && lent > 0) code = below->pMethods->xFetch(below, 0, (int)lent, &base);
  if (code != SQLITE_OK || base == NULL) mapping_set_limit(below, 0);
  sqlite3_int64 growth = size / 8 > LEAST_GROWTH ? size / 8 : LEAST_GROWTH;
  mapping->next_size = code != SQLITE_OK || size == limit ? NEVER : size + growth;
  if (code != SQLITE_OK || base == NULL) return;
  mapping->base = base;
  mapping->size = size <= (lent + UNIT - 1) / UNIT * UNIT ? size : lent;
}

bool mapping_read(struct mapping *mapping, sqlite3_file *below, void *bytes, int size, sqlite3_int64 offset) {
  sqlite3_int64 end = offset + size;
  if (end > mapping->size) {
    // The underlying VFS must not copy from its mapping, because it does not guard the copy.
    bool begins_in_mapping = offset < mapping->size;
    if (end < mapping->next_size && !begins_in_mapping) return false;
    map(mapping, below);
    if (end > mapping->size) {
      if (offset < mapping->size) unmap(mapping, below);
      return false;
    }
  }
  if (guarded_copy(bytes, mapping->base + offset, (size_t)size)) return true;
  unmap(mapping, below);
  mapping->next_size = NEVER;
  return false;
}

void mapping_truncate(struct mapping *mapping, sqlite3_int64 size) {
  if (mapping->size > size) mapping->size = size;
}

void mapping_end(struct mapping *mapping, sqlite3_file *below) {
  unmap(mapping, below);
  mapping->next_size = NEVER;
}
