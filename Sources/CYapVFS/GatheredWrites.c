#include "GatheredWrites.h"

#include <stdlib.h>
#include <string.h>

enum {
  /// SQLite's VFS "unix" would shorten a write of 128 KiB or more to the remainder.
  MOST_BYTES = 64 * 1024,
  FILE_HEADER_BYTES = 32,
  FRAME_HEADER_BYTES = 24,
  LEAST_PAGE_BYTES = 512,
};

/// Whether a frame's header has a size of the database after a commit, which only frames that commit have.
static bool commits(const unsigned char *header) { return (header[4] | header[5] | header[6] | header[7]) != 0; }

/// How a write continues the WAL.
enum part { FILE_HEADER, FRAME_HEADER, PAGE, REPLACEMENT };

static enum part part_of(const struct gathered_writes *gathered, int size, sqlite3_int64 offset) {
  if (gathered->expects_page && size >= LEAST_PAGE_BYTES && size <= MOST_BYTES && offset == gathered->end) return PAGE;
  if (offset == 0 && size == FILE_HEADER_BYTES) return FILE_HEADER;
  return size == FRAME_HEADER_BYTES && offset >= gathered->end ? FRAME_HEADER : REPLACEMENT;
}

int gathered_pass_on(struct gathered_writes *gathered, sqlite3_file *below) {
  if (gathered->size == 0) return SQLITE_OK;
  int code = below->pMethods->xWrite(below, gathered->bytes, gathered->size, gathered->offset);
  if (code == SQLITE_OK) gathered->size = 0;
  return code;
}

void gathered_end_transaction(struct gathered_writes *gathered) {
  gathered->size = 0;
  gathered->end = 0;
  gathered->expects_page = false;
}

void gathered_end(struct gathered_writes *gathered) { free(gathered->bytes); }

int gathered_write(
    struct gathered_writes *gathered, sqlite3_file *below, const void *bytes, int size, sqlite3_int64 offset) {
  enum part part = part_of(gathered, size, offset);
  if (gathered->bytes == NULL) gathered->bytes = malloc(MOST_BYTES);
  bool is_adjacent = offset == gathered->offset + gathered->size;
  if (part == REPLACEMENT || gathered->bytes == NULL || !is_adjacent || gathered->size + size > MOST_BYTES) {
    int code = gathered_pass_on(gathered, below);
    if (code != SQLITE_OK) return code;
  }
  if (part == REPLACEMENT || gathered->bytes == NULL) return below->pMethods->xWrite(below, bytes, size, offset);
  if (gathered->size == 0) gathered->offset = offset;
  memcpy(gathered->bytes + gathered->size, bytes, (size_t)size);
  gathered->size += size;
  if (part == PAGE && gathered->commits) {
    int code = gathered_pass_on(gathered, below);
    if (code != SQLITE_OK) gathered->size -= size;
    if (code != SQLITE_OK) return code;
  }
  gathered->end = offset + size;
  gathered->expects_page = part == FRAME_HEADER;
  if (part == FRAME_HEADER) gathered->commits = commits(bytes);
  return SQLITE_OK;
}
