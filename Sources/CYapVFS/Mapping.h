#ifndef MAPPING_H
#define MAPPING_H

#include <sqlite3.h>
#include <stdbool.h>

/// The memory to which the underlying VFS has mapped the beginning of a file.
struct mapping {
  /// NULL while the file is not mapped.
  const char *base;
  sqlite3_int64 size;
  /// The size that is worth mapping the file again.
  sqlite3_int64 next_size;
};

/// Sets the number of bytes of a file that the underlying VFS may map. Returns the number that is in force.
sqlite3_int64 mapping_set_limit(sqlite3_file *below, sqlite3_int64 limit);

/// The file is mapped when it is first read.
void mapping_begin(struct mapping *mapping, sqlite3_file *below);

/// Copies bytes of the file. Returns false if they are not mapped and must be read.
bool mapping_read(struct mapping *mapping, sqlite3_file *below, void *bytes, int size, sqlite3_int64 offset);

/// Notes that the underlying file gets this size.
void mapping_truncate(struct mapping *mapping, sqlite3_int64 size);

/// Unmaps the file for good, as before it is closed.
void mapping_end(struct mapping *mapping, sqlite3_file *below);

#endif
