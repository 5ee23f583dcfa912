#include "Scope.h"

#include <stdlib.h>
#include <string.h>

#include "Recording.h"

static pthread_mutex_t scopes_lock = PTHREAD_MUTEX_INITIALIZER;
static struct cfaultvfs_scope *newest;

struct cfaultvfs_scope *scope_begin(const char *prefix) {
  size_t length = strlen(prefix) + 1;
  struct cfaultvfs_scope *scope = calloc(1, sizeof *scope + length);
  if (scope == NULL) return NULL;
  pthread_mutex_init(&scope->lock, NULL);
  scope->recording.is_complete = 1;
  scope->holders = 1;
  memcpy(scope->prefix, prefix, length);
  pthread_mutex_lock(&scopes_lock);
  scope->next = newest;
  newest = scope;
  pthread_mutex_unlock(&scopes_lock);
  return scope;
}

static int covers(const struct cfaultvfs_scope *scope, const char *path) {
  if (scope->is_ended) return 0;
  size_t length = strlen(scope->prefix);
  return path == NULL ? length == 0 : strncmp(path, scope->prefix, length) == 0;
}

struct cfaultvfs_scope *scope_hold(const char *path) {
  pthread_mutex_lock(&scopes_lock);
  struct cfaultvfs_scope *scope = newest;
  while (scope != NULL && !covers(scope, path)) scope = scope->next;
  if (scope != NULL) scope->holders += 1;
  pthread_mutex_unlock(&scopes_lock);
  return scope;
}

void scope_release(struct cfaultvfs_scope *scope) {
  pthread_mutex_lock(&scopes_lock);
  scope->holders -= 1;
  int is_last = scope->holders == 0;
  if (is_last) {
    struct cfaultvfs_scope **link = &newest;
    while (*link != scope) link = &(*link)->next;
    *link = scope->next;
  }
  pthread_mutex_unlock(&scopes_lock);
  if (!is_last) return;
  recording_clear(&scope->recording);
  pthread_mutex_destroy(&scope->lock);
  free(scope);
}

void cfaultvfs_end_scope(struct cfaultvfs_scope *scope) {
  cfaultvfs_stop_recording(scope);
  cfaultvfs_remove_fault(scope);
  cfaultvfs_set_sync_delay(scope, 0);
  pthread_mutex_lock(&scopes_lock);
  scope->is_ended = 1;
  pthread_mutex_unlock(&scopes_lock);
  scope_release(scope);
}

void cfaultvfs_set_sync_delay(struct cfaultvfs_scope *scope, unsigned microseconds) {
  atomic_store_explicit(&scope->sync_delay_microseconds, microseconds, memory_order_relaxed);
}
