#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <stdbool.h>
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

/// Returns the creation time of the file at `path` in nanoseconds since 1970; 0 if the file system does not report it,
/// or if there is no file.
uint64_t cplatform_file_birth(const char *_Nonnull path);

/// Renames the file at `from` to `to`. Fails with EEXIST if there is a file at `to`, which stays; a file system that
/// cannot check this together with the renaming checks it before.
/// Returns 0, or -1 with `errno` set.
int cplatform_rename_to_new(const char *_Nonnull from, const char *_Nonnull to);

#endif
