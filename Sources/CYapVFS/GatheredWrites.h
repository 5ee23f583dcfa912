#ifndef GATHERED_WRITES_H
#define GATHERED_WRITES_H

#include <sqlite3.h>
#include <stdbool.h>

/// Adjacent writes to a WAL that have not been passed on. They belong to a transaction that has not committed: the
/// frame that commits is passed on together with them. https://sqlite.org/fileformat2.html#the_wal_file_format
struct gathered_writes {
  /// NULL until the first frame is written.
  char *bytes;
  int size;
  /// The offset in the file of the first byte.
  sqlite3_int64 offset;
  /// Whether the last bytes are a frame's header, which its page must follow.
  bool expects_page;
  /// Whether that frame commits.
  bool commits;
  /// The end of the last frame that the transaction has written. A write before it replaces a part of an earlier frame.
  sqlite3_int64 end;
};

/// Writes bytes to the WAL, now or later. If this fails, the bytes are not written later either.
int gathered_write(
    struct gathered_writes *gathered, sqlite3_file *below, const void *bytes, int size, sqlite3_int64 offset);

/// Passes on what was gathered. If this fails, it stays gathered.
int gathered_pass_on(struct gathered_writes *gathered, sqlite3_file *below);

/// Notes that the transaction has ended. What is still gathered was rolled back, and is dropped.
void gathered_end_transaction(struct gathered_writes *gathered);

/// Must be called before the WAL is closed.
void gathered_end(struct gathered_writes *gathered);

#endif
