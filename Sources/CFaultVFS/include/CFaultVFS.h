#ifndef CFAULTVFS_H
#define CFAULTVFS_H

#include <stddef.h>
#include <stdint.h>

/// A SQLite VFS, named "fault", that records the changes of database files and makes calls fail. It is for stress
/// campaigns and tests only. It wraps the VFS that was the process's default when it was registered.
///
/// Recording and faults belong to a *scope*, which covers the files whose full path begins with a prefix. All other
/// files are opened by the underlying VFS alone, without any cost. To use it:
///
/// 1. `cfaultvfs_register`, once per process. Handles that open their database with the default VFS then use it.
/// 2. `cfaultvfs_begin_scope` with the path of a database, before the database is opened. The WAL and the rollback
///    journal begin with the same path. The empty prefix covers all files of the process.
/// 3. `cfaultvfs_start_recording` or `cfaultvfs_set_fault`, at any time, also while files are open.
/// 4. `cfaultvfs_end_scope`.
///
/// All functions may be called on any thread. Scopes are independent of each other.

/// The kinds of files.
enum cfaultvfs_kind {
  CFAULTVFS_DATABASE,
  CFAULTVFS_WAL,
  CFAULTVFS_JOURNAL,
  /// Temporary files. Those without a name belong only to a scope with the empty prefix.
  CFAULTVFS_OTHER,
};

struct cfaultvfs_scope;

/// Makes the VFS the default of this process. Returns a result code of SQLite. Later calls only return the same code.
int cfaultvfs_register(void);

/// Begins a scope. Of several scopes that cover a file, the file belongs to the newest one that exists when the file is
/// opened, until it is closed.
///
/// - Parameter prefix: The beginning of the full paths. It is resolved as SQLite resolves the paths of databases. With
///   a trailing slash it covers the files of a folder.
/// - Returns: NULL if memory is exhausted or the prefix cannot be resolved. `cfaultvfs_register` must have succeeded.
struct cfaultvfs_scope *_Nullable cfaultvfs_begin_scope(const char *_Nonnull prefix);

/// Ends a scope: nothing is recorded and nothing fails any more. Files that are still open remain usable. The pointer
/// and all bytes of its recording become invalid.
void cfaultvfs_end_scope(struct cfaultvfs_scope *_Nonnull scope);

/// Makes each xSync wait for this time before it syncs, as on a slow disk. Initially 0.
void cfaultvfs_set_sync_delay(struct cfaultvfs_scope *_Nonnull scope, unsigned microseconds);

// Recording

/// The kinds of recorded operations.
enum cfaultvfs_operation_kind {
  /// A file was created, with length 0. Its entry in the folder is not durable yet.
  CFAULTVFS_CREATE,
  /// A file that existed was opened, and no earlier operation of the recording concerns it.
  CFAULTVFS_OPEN,
  CFAULTVFS_WRITE,
  CFAULTVFS_TRUNCATE,
  /// xSync has succeeded. It covers the file's operations that were recorded before it began.
  CFAULTVFS_SYNC,
  /// A file was deleted. Its removal from the folder is not durable yet.
  CFAULTVFS_DELETE,
  /// xDelete has synced the folder: all earlier creations and deletions in it are durable.
  ///
  /// SQLite also syncs the folder inside the first xSync of a new WAL or journal, which is not recorded here.
  CFAULTVFS_DIRECTORY_SYNC,
  /// `cfaultvfs_mark`.
  CFAULTVFS_MARK,
};

struct cfaultvfs_operation {
  enum cfaultvfs_operation_kind kind;
  /// The number of the file in the recording; 0 for marks.
  uint32_t file;
  /// SYNC: the flags of xSync. MARK: the kind of the mark.
  uint32_t flags;
  /// WRITE: the number of bytes.
  uint32_t size;
  /// WRITE: the offset in the file. TRUNCATE: the new length. SYNC: the number of operations that were recorded when it
  /// began. MARK: the number of the mark.
  uint64_t offset;
  /// WRITE: the bytes, which are valid until the scope ends or its next recording starts.
  const uint8_t *_Nullable bytes;
};

/// A file of a recording. A file that is created at the path of a deleted one is another file.
struct cfaultvfs_file {
  const char *_Nonnull path;
  enum cfaultvfs_kind kind;
};

/// Starts a recording, and drops the previous one. It contains the creations, openings, writes, truncations, syncs and
/// deletions of databases, WALs and rollback journals that have succeeded, in an order that agrees with the order in
/// which SQLite's threads rely on them. The shared memory is not recorded.
void cfaultvfs_start_recording(struct cfaultvfs_scope *_Nonnull scope);

/// Stops the recording, which can be read further.
void cfaultvfs_stop_recording(struct cfaultvfs_scope *_Nonnull scope);

/// Adds a mark to the recording, if one runs. `kind` and `number` have the meaning that the caller gives them, such as
/// "commit 7 is acknowledged". A mark that a thread makes follows all operations that the thread has finished.
void cfaultvfs_mark(struct cfaultvfs_scope *_Nonnull scope, uint32_t kind, uint64_t number);

/// Returns the number of operations so far.
size_t cfaultvfs_operation_count(struct cfaultvfs_scope *_Nonnull scope);

/// Returns an operation. `index` must be less than `cfaultvfs_operation_count`.
struct cfaultvfs_operation cfaultvfs_operation_at(struct cfaultvfs_scope *_Nonnull scope, size_t index);

/// Returns the number of files so far.
size_t cfaultvfs_file_count(struct cfaultvfs_scope *_Nonnull scope);

/// Returns a file. `number` must be less than `cfaultvfs_file_count`. The path is valid as long as the recording.
struct cfaultvfs_file cfaultvfs_file_at(struct cfaultvfs_scope *_Nonnull scope, size_t number);

/// Returns 0 if memory was exhausted, so that operations are missing; otherwise 1.
int cfaultvfs_is_recording_complete(struct cfaultvfs_scope *_Nonnull scope);

// Faults

/// The methods that can fail.
enum cfaultvfs_method {
  CFAULTVFS_METHOD_READ,
  CFAULTVFS_METHOD_WRITE,
  CFAULTVFS_METHOD_TRUNCATE,
  CFAULTVFS_METHOD_SYNC,
  CFAULTVFS_METHOD_FILE_SIZE,
  CFAULTVFS_METHOD_LOCK,
  CFAULTVFS_METHOD_CHECK_RESERVED_LOCK,
  CFAULTVFS_METHOD_SHM_MAP,
  /// Only calls that acquire a lock count and fail.
  CFAULTVFS_METHOD_SHM_LOCK,
  CFAULTVFS_METHOD_FETCH,
  CFAULTVFS_METHOD_OPEN,
  CFAULTVFS_METHOD_DELETE,
  CFAULTVFS_METHOD_ACCESS,
  CFAULTVFS_METHOD_FULL_PATHNAME,
};

enum { CFAULTVFS_METHOD_COUNT = CFAULTVFS_METHOD_FULL_PATHNAME + 1 };

/// A failure of one call, or of all calls from one on. The failing call does not reach the underlying VFS, except as
/// `writes_half` states. A read that fails with SQLITE_IOERR_SHORT_READ sets its buffer to zeros, as SQLite demands.
struct cfaultvfs_fault {
  enum cfaultvfs_method method;
  /// The kinds of files whose calls count: a sum of `1 << kind`; 0 for all kinds.
  uint32_t kinds;
  /// The number of the first call that fails, from 1 on, counted from `cfaultvfs_set_fault`; 0 only counts.
  uint64_t call;
  /// The result code of SQLite.
  int code;
  /// Not 0 if all later calls fail too, until the fault is removed.
  int is_sticky;
  /// Not 0 if a failing xWrite writes the first half of its bytes, as on a full disk.
  int writes_half;
};

struct cfaultvfs_fault_count {
  /// Calls that the fault concerns, including those that failed.
  uint64_t calls;
  uint64_t failures;
};

/// Sets the scope's fault, replaces the previous one, and starts its counts at 0.
void cfaultvfs_set_fault(struct cfaultvfs_scope *_Nonnull scope, struct cfaultvfs_fault fault);

/// Removes the scope's fault. The counts remain.
void cfaultvfs_remove_fault(struct cfaultvfs_scope *_Nonnull scope);

/// Returns the counts of the fault that was set last.
struct cfaultvfs_fault_count cfaultvfs_count_faults(struct cfaultvfs_scope *_Nonnull scope);

#endif
