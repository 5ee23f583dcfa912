#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
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

/// Returns the lowest address of the calling thread's stack; UINTPTR_MAX if it is not known.
static uintptr_t lowest_stack_address(void) {
  pthread_attr_t attributes;
  void *lowest = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return UINTPTR_MAX;
  int code = pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return code == 0 && lowest ? (uintptr_t)lowest : UINTPTR_MAX;
}

size_t cplatform_stack_left(void) {
  static _Thread_local uintptr_t lowest;
  if (lowest == 0) lowest = lowest_stack_address();
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  // Code that runs on a stack of its own, such as a fibre's, may be below the thread's stack.
  return here > lowest ? here - lowest : SIZE_MAX;
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

// The owner's byte lies behind all data, and outside the bytes that SQLite locks.
static const off_t OWNER_BYTE = (off_t)1 << 62;
// SQLite's pending byte, reserved byte and shared bytes: os.h of its source, and https://sqlite.org/lockingv3.html
static const off_t SQLITE_FIRST_BYTE = 0x40000000;
static const off_t SQLITE_BYTES = 512;

static struct flock write_lock(off_t start, off_t length) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  return lock;
}

// Kernels without locks of open file descriptions, such as gVisor's, return EINVAL.
int cplatform_lock_owner(int descriptor) {
  struct flock lock = write_lock(OWNER_BYTE, 1);
  if (fcntl(descriptor, F_OFD_SETLK, &lock) == 0) return 0;
  if (errno == EINVAL && flock(descriptor, LOCK_EX | LOCK_NB) == 0) return 0;
  return errno == EACCES ? EAGAIN : errno;
}

void cplatform_unlock_owner(int descriptor) {
  struct flock lock = write_lock(OWNER_BYTE, 1);
  lock.l_type = F_UNLCK;
  if (fcntl(descriptor, F_OFD_SETLK, &lock) != 0) flock(descriptor, LOCK_UN);
}

int cplatform_has_owner(int descriptor) {
  struct flock lock = write_lock(OWNER_BYTE, 1);
  if (fcntl(descriptor, F_OFD_GETLK, &lock) == 0) return lock.l_type != F_UNLCK ? EAGAIN : 0;
  if (errno != EINVAL) return errno;
  if (flock(descriptor, LOCK_SH | LOCK_NB) != 0) return errno;
  flock(descriptor, LOCK_UN);
  return 0;
}

int cplatform_sqlite_lock_holder(int descriptor) {
  struct flock lock = write_lock(SQLITE_FIRST_BYTE, SQLITE_BYTES);
  return fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? lock.l_pid : 0;
}

bool cplatform_has_sqlite_locks(int descriptor) {
  struct flock lock = write_lock(SQLITE_FIRST_BYTE, SQLITE_BYTES);
  return fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

bool cplatform_is_mount_point(const char *path) {
  struct statx status;
  if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &status) != 0) return false;
  return (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
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
