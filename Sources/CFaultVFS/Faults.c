#include "Faults.h"

#include <sqlite3.h>

int fault_code(
    struct cfaultvfs_scope *scope, enum cfaultvfs_method method, enum cfaultvfs_kind kind, int *writes_half) {
  int code = SQLITE_OK;
  pthread_mutex_lock(&scope->lock);
  const struct cfaultvfs_fault *fault = &scope->fault;
  if (scope->has_fault && fault->method == method && (fault->kinds == 0 || (fault->kinds & (1u << kind)) != 0)) {
    struct cfaultvfs_fault_count *count = &scope->fault_count;
    count->calls += 1;
    int is_due = fault->is_sticky ? count->calls >= fault->call : count->calls == fault->call;
    if (fault->call > 0 && is_due) {
      count->failures += 1;
      code = fault->code;
      if (writes_half != NULL) *writes_half = fault->writes_half;
    }
  }
  pthread_mutex_unlock(&scope->lock);
  return code;
}

void cfaultvfs_set_fault(struct cfaultvfs_scope *scope, struct cfaultvfs_fault fault) {
  pthread_mutex_lock(&scope->lock);
  scope->fault = fault;
  scope->has_fault = 1;
  scope->fault_count = (struct cfaultvfs_fault_count){0};
  pthread_mutex_unlock(&scope->lock);
}

void cfaultvfs_remove_fault(struct cfaultvfs_scope *scope) {
  pthread_mutex_lock(&scope->lock);
  scope->has_fault = 0;
  pthread_mutex_unlock(&scope->lock);
}

struct cfaultvfs_fault_count cfaultvfs_count_faults(struct cfaultvfs_scope *scope) {
  pthread_mutex_lock(&scope->lock);
  struct cfaultvfs_fault_count count = scope->fault_count;
  pthread_mutex_unlock(&scope->lock);
  return count;
}
