#ifndef RECORDING_H
#define RECORDING_H

#include "Scope.h"

/// A file's number in the scope's recording, as one open file knows it.
struct recorded_number {
  /// The recording to which `file` belongs; 0 if none.
  unsigned generation;
  uint32_t file;
};

/// Frees all operations and files.
void recording_clear(struct recording *recording);

/// Returns the number of the running recording; 0 if none runs.
unsigned recording_generation(struct cfaultvfs_scope *scope);

/// Records that a file was opened, if a recording runs.
///
/// - Parameter is_new: Whether it was created.
/// - Returns: Its number in the recording.
struct recorded_number recording_opened(
    struct cfaultvfs_scope *scope, const char *path, enum cfaultvfs_kind kind, int is_new);

void recording_wrote(
    struct cfaultvfs_scope *scope, struct recorded_number number, const void *bytes, int size, uint64_t offset);

void recording_truncated(struct cfaultvfs_scope *scope, struct recorded_number number, uint64_t size);

/// Records a sync. `begun` is the number of operations when it began.
void recording_synced(struct cfaultvfs_scope *scope, struct recorded_number number, int flags, size_t begun);

/// Records that the file at `path` was deleted, and whether the folder was then synced.
void recording_deleted(struct cfaultvfs_scope *scope, const char *path, enum cfaultvfs_kind kind, int syncs);

#endif
