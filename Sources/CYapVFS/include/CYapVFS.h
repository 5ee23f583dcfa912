#ifndef CYAPVFS_H
#define CYAPVFS_H

/// The engine's SQLite VFS. It forwards to the default VFS, except that
/// - a page is copied from a mapping of the database file or the WAL instead of being read by a call of the system;
/// - the writes of one commit to the WAL reach the file together, at most 64 KiB at a time.
///
/// The mapping is that of SQLite's VFS "unix", so it covers at most the first 2 GiB of a file, and no more than the
/// file had when it was last mapped; everything behind it is read. SQLite's protocol permits no handle to read behind
/// the end of a file that another handle truncates. If another program truncates the file nevertheless, or the disk
/// fails, the kernel sends SIGBUS: it ends only the copy, and the page is read, so that the error is SQLite's usual
/// one. The handler is installed when the first file is mapped, and passes all other signals to the earlier one. A
/// handler that the application installs later must do the same.
///
/// Files of a default VFS that is not "unix", or does not forward to it, are neither mapped nor written differently.

/// The name of the VFS.
#define CYAPVFS_NAME "yap"

/// Registers the VFS once, and makes it forward to the process's default VFS, which may have changed since the last
/// call. It never becomes the default itself. Returns a result code of SQLite.
int cyapvfs_register(void);

#endif
