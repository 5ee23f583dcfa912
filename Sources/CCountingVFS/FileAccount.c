#include "FileAccount.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ccountingvfs_account *first;

struct ccountingvfs_account *account_hold(const char *full_path) {
  pthread_mutex_lock(&lock);
  struct ccountingvfs_account *account = first;
  while (account != NULL && strcmp(account->path, full_path) != 0) account = account->next;
  if (account == NULL) {
    size_t length = strlen(full_path) + 1;
    account = calloc(1, sizeof *account + length);
    if (account != NULL) {
      memcpy(account->path, full_path, length);
      account->next = first;
      first = account;
    }
  }
  if (account != NULL) account->holders += 1;
  pthread_mutex_unlock(&lock);
  return account;
}

void ccountingvfs_release(struct ccountingvfs_account *account) {
  pthread_mutex_lock(&lock);
  account->holders -= 1;
  if (account->holders == 0) {
    struct ccountingvfs_account **link = &first;
    while (*link != account) link = &(*link)->next;
    *link = account->next;
    free(account);
  }
  pthread_mutex_unlock(&lock);
}

struct ccountingvfs_counts ccountingvfs_read(
    const struct ccountingvfs_account *account, enum ccountingvfs_kind kind) {
  return (struct ccountingvfs_counts){
      .bytes = atomic_load_explicit(&account->counts[kind].bytes, memory_order_relaxed),
      .syncs = atomic_load_explicit(&account->counts[kind].syncs, memory_order_relaxed),
      .sync_nanoseconds = atomic_load_explicit(&account->counts[kind].sync_nanoseconds, memory_order_relaxed),
  };
}
