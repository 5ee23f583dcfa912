#ifndef CFORWARDINGVFS_H
#define CFORWARDINGVFS_H

#include <sqlite3.h>
#include <stdatomic.h>

/// The common part of SQLite VFSs that wrap another VFS: methods that forward each call. A VFS replaces those that it
/// has to watch, and calls the underlying ones from them.
///
/// Methods that later versions of SQLite may add are not supported: a wrapped file or VFS has at most version 3.

/// A file as SQLite sees it. It is the first member of the wrapping VFS's own file, which the file of the underlying
/// VFS follows in memory.
struct forwarding_file {
  sqlite3_file file;
  /// A method for each method that the underlying file has; NULL for methods that it lacks.
  sqlite3_io_methods methods;
  sqlite3_file *below;
};

/// A VFS that wraps another one.
struct forwarding_vfs {
  sqlite3_vfs vfs;
  _Atomic(sqlite3_vfs *) below;
};

/// Returns the file of the underlying VFS.
static inline sqlite3_file *cforwarding_file_below(sqlite3_file *file) {
  return ((struct forwarding_file *)file)->below;
}

/// Returns the underlying VFS.
static inline sqlite3_vfs *cforwarding_vfs_below(sqlite3_vfs *vfs) {
  return atomic_load_explicit(&((struct forwarding_vfs *)vfs)->below, memory_order_acquire);
}

/// Makes a registered VFS forward to another one from now on, which must have all methods of the earlier one. Open
/// files stay with the earlier one.
static inline void cforwarding_set_vfs_below(struct forwarding_vfs *vfs, sqlite3_vfs *below) {
  atomic_store_explicit(&vfs->below, below, memory_order_release);
}

/// Sets the methods according to those of `below`, which the underlying VFS has opened. If opening has failed and
/// `below` has no methods, `file` gets none.
///
/// - Parameter own: The wrapping VFS's methods. NULL members forward. A method that `below` lacks is not added.
void cforwarding_take_on_file(struct forwarding_file *file, sqlite3_file *below, const sqlite3_io_methods *own);

/// Makes `vfs` forward to `below`. It is not registered.
///
/// - Parameters:
///   - name: The name of the VFS, which must outlive it.
///   - file_size: The size of the wrapping VFS's own file, which the file of `below` follows.
///   - own: The wrapping VFS's methods. NULL members forward. A method that `below` lacks is not added.
void cforwarding_take_on_vfs(
    struct forwarding_vfs *vfs, sqlite3_vfs *below, const char *name, int file_size, const sqlite3_vfs *own);

#endif
