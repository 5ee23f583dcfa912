#ifndef CPLATFORM_H
#define CPLATFORM_H

#include <stdbool.h>
#include <stdint.h>

/// Names the calling thread, as debuggers and /proc show it. Longer names are cut to 15 bytes.
void cplatform_set_thread_name(const char *_Nonnull name);

/// Asks the kernel to wake the calling thread's sleeps as exactly as it can (default slack: 50 us).
void cplatform_set_exact_timers(void);

/// The calling thread's place for one pointer, null at first. Its address is the thread's alone as long as it lives.
void *_Nullable *_Nonnull cplatform_thread_slot(void);

/// CLOCK_MONOTONIC in nanoseconds.
uint64_t cplatform_monotonic_nanoseconds(void);

/// Sleeps until CLOCK_MONOTONIC shows `deadline` nanoseconds; returns early on a signal.
void cplatform_sleep_until(uint64_t deadline);

/// Sleeps while `*word == expected`, until woken or until the absolute CLOCK_MONOTONIC `deadline` in
/// nanoseconds (UINT64_MAX: no deadline). May return early: test the word again.
/// Returns false when the deadline has passed.
bool cplatform_futex_wait(const void *_Nonnull word, uint32_t expected, uint64_t deadline);

/// Wakes one thread that waits on `word`.
void cplatform_futex_wake_one(const void *_Nonnull word);

/// When the file at `path` was made, in nanoseconds since 1970; 0 if its file system does not say.
uint64_t cplatform_file_birth(const char *_Nonnull path);

#endif
