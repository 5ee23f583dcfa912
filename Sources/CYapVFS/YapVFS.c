#include "CYapVFS.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "YapFile.h"

static struct forwarding_vfs yap;

/// Whether a file belongs to SQLite's VFS "unix", possibly behind others that only forward.
static int is_unix(sqlite3_file *file) {
  char *name = NULL;
  int code = file->pMethods->xFileControl(file, SQLITE_FCNTL_VFSNAME, &name);
  int answer = code == SQLITE_OK && name != NULL && strcmp(name, "unix") == 0;
  sqlite3_free(name);
  return answer;
}

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *opened, int flags, int *found) {
  struct yap_file *file = (struct yap_file *)opened;
  memset(file, 0, sizeof *file);
  sqlite3_vfs *below = cforwarding_vfs_below(vfs);
  sqlite3_file *real = calloc(1, (size_t)below->szOsFile);
  if (real == NULL) return SQLITE_NOMEM;
  int code = below->xOpen(below, name, real, flags, found);
  int is_of_database = name != NULL && (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL)) != 0;
  int is_own = code == SQLITE_OK && is_of_database && is_unix(real);
  cforwarding_take_on_file(&file->forwarding, real, is_own ? &yap_file_methods : &yap_other_file_methods);
  // SQLite closes a file that has methods, even if opening it has failed.
  if (opened->pMethods == NULL) free(real);
  if (!is_own) return code;
  mapping_begin(&file->mapping, real);
  if ((flags & SQLITE_OPEN_WAL) != 0) {
    file->database = (struct yap_file *)sqlite3_database_file_object(name);
    file->database->wal = file;
  }
  return code;
}

static int registration = SQLITE_ERROR;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int cyapvfs_register(void) {
  pthread_mutex_lock(&lock);
  sqlite3_vfs *below = sqlite3_vfs_find(NULL);
  if (registration != SQLITE_OK && below != NULL) {
    static const sqlite3_vfs own = {.xOpen = vfs_open};
    cforwarding_take_on_vfs(&yap, below, CYAPVFS_NAME, (int)sizeof(struct yap_file), &own);
    registration = sqlite3_vfs_register(&yap.vfs, 0);
  } else if (below != NULL && below != &yap.vfs && below->iVersion >= yap.vfs.iVersion) {
    cforwarding_set_vfs_below(&yap, below);
  }
  pthread_mutex_unlock(&lock);
  return registration;
}
