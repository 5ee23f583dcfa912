#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Sets the calling thread's name, which debuggers and /proc show. Longer names are truncated to 15 bytes.
void cplatform_set_thread_name(const char *_Nonnull name);

/// Requests that the kernel end the calling thread's sleeps as exactly as it can (the default slack is 50 us).
void cplatform_set_exact_timers(void);

/// Returns the calling thread's slot for one pointer, which is NULL at first. The slot's address is unique among living
/// threads.
void *_Nullable *_Nonnull cplatform_thread_slot(void);

/// Returns the calling thread's slot for a pointer to its schedule, which is NULL at first.
void *_Nullable *_Nonnull cplatform_schedule_slot(void);

/// A hint for the processor in a loop that tests a word: the core's other hardware threads run faster meanwhile.
static inline void cplatform_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ __volatile__("yield");
#endif
}

/// Returns the bytes of the calling thread's stack that are left; SIZE_MAX if they are not known.
size_t cplatform_stack_left(void);

/// Returns the time of CLOCK_MONOTONIC in nanoseconds.
uint64_t cplatform_monotonic_nanoseconds(void);

/// Sleeps until CLOCK_MONOTONIC reaches `deadline` nanoseconds; returns early on a signal.
void cplatform_sleep_until(uint64_t deadline);

/// Sleeps while `*word == expected`, until woken or until the absolute CLOCK_MONOTONIC `deadline` in nanoseconds
/// (UINT64_MAX: no deadline). May return early, so the caller must test the word again. Returns false if the deadline
/// has passed.
bool cplatform_futex_wait(const void *_Nonnull word, uint32_t expected, uint64_t deadline);

/// Wakes one thread that waits on `word`.
void cplatform_futex_wake_one(const void *_Nonnull word);

/// Acquires the lock by which a process owns a database file, if it is free. The lock belongs to the open file
/// description, so it conflicts with locks of the same process too, and ends with the last copy of the descriptor.
/// `descriptor` must be open for writing. Returns 0, EAGAIN if the lock is held, or another errno.
int cplatform_lock_owner(int descriptor);

/// Releases the lock of `cplatform_lock_owner`, even if a child process has a copy of the descriptor.
void cplatform_unlock_owner(int descriptor);

/// Returns EAGAIN if the lock of `cplatform_lock_owner` is held through another descriptor, 0 if it is not, or another
/// errno.
int cplatform_has_owner(int descriptor);

/// Returns a process other than the calling one that holds a lock of SQLite on the file; 0 if there is none, or if it
/// cannot be seen from here.
int cplatform_sqlite_lock_holder(int descriptor);

/// Returns whether any process, including the calling one, holds a lock of SQLite on the file. False on kernels that
/// do not report it.
bool cplatform_has_sqlite_locks(int descriptor);

/// Returns whether a file is mounted at `path`. False on kernels before 5.8, which do not report it.
bool cplatform_is_mount_point(const char *_Nonnull path);

/// Renames the file at `from` to `to`. Fails with EEXIST if there is a file at `to`, which stays; a file system that
/// cannot check this together with the renaming checks it before.
/// Returns 0, or -1 with `errno` set.
int cplatform_rename_to_new(const char *_Nonnull from, const char *_Nonnull to);

#endif
