#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void cplatform_set_thread_name(const char *name) {
  char shortened[16] = {0};
  strncpy(shortened, name, sizeof shortened - 1);
  pthread_setname_np(pthread_self(), shortened);
}

void cplatform_set_exact_timers(void) {
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

void **cplatform_thread_slot(void) {
  static _Thread_local void *slot;
  return &slot;
}

void **cplatform_schedule_slot(void) {
  static _Thread_local void *slot;
  return &slot;
}

uint64_t cplatform_monotonic_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static struct timespec timespec_of(uint64_t nanoseconds) {
  struct timespec time = {
      .tv_sec = (time_t)(nanoseconds / 1000000000u),
      .tv_nsec = (long)(nanoseconds % 1000000000u),
  };
  return time;
}

void cplatform_sleep_until(uint64_t deadline) {
  struct timespec until = timespec_of(deadline);
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

bool cplatform_futex_wait(const void *word, uint32_t expected, uint64_t deadline) {
  struct timespec until = timespec_of(deadline);
  // FUTEX_WAIT_BITSET takes an absolute time on CLOCK_MONOTONIC; plain FUTEX_WAIT takes a relative one.
  long result = syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, expected,
                        deadline == UINT64_MAX ? NULL : &until, NULL, FUTEX_BITSET_MATCH_ANY);
  return !(result == -1 && errno == ETIMEDOUT);
}

void cplatform_futex_wake_one(const void *word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

uint64_t cplatform_file_birth(const char *path) {
  struct statx status;
  if (statx(AT_FDCWD, path, 0, STATX_BTIME, &status) != 0 || !(status.stx_mask & STATX_BTIME)) return 0;
  return (uint64_t)status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
}

int cplatform_rename_to_new(const char *from, const char *to) {
  if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  struct stat status;
  if (lstat(to, &status) == 0) {
    errno = EEXIST;
    return -1;
  }
  return rename(from, to);
}
