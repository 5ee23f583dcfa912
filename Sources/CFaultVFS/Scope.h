#ifndef SCOPE_H
#define SCOPE_H

#include <pthread.h>
#include <stdatomic.h>

#include "CFaultVFS.h"

/// A file of a recording.
struct recorded_file {
  char *path;
  enum cfaultvfs_kind kind;
  /// Whether the file is still at its path.
  int is_linked;
};

/// The operations so far. Guarded by the lock of the scope.
struct recording {
  int is_on;
  /// Whether no operation is missing.
  int is_complete;
  /// The number of recordings that the scope has started.
  unsigned generation;
  struct cfaultvfs_operation *operations;
  size_t operation_count, operation_capacity;
  struct recorded_file *files;
  size_t file_count, file_capacity;
};

struct cfaultvfs_scope {
  pthread_mutex_t lock;
  struct recording recording;
  /// Guarded by `lock`, like the counts.
  struct cfaultvfs_fault fault;
  int has_fault;
  struct cfaultvfs_fault_count fault_count;
  _Atomic unsigned sync_delay_microseconds;
  /// The next older scope. Guarded by the lock of all scopes, like the members that follow.
  struct cfaultvfs_scope *next;
  /// The number of open files, plus 1 until the scope is ended.
  unsigned holders;
  int is_ended;
  char prefix[];
};

/// Begins a scope with a resolved prefix. Returns NULL if memory is exhausted.
struct cfaultvfs_scope *scope_begin(const char *prefix);

/// Returns the newest scope that covers the path, and adds a holder; NULL if there is none.
///
/// - Parameter path: NULL for a file without a name.
struct cfaultvfs_scope *scope_hold(const char *path);

/// Removes a holder. The last one frees the scope.
void scope_release(struct cfaultvfs_scope *scope);

#endif
