#define _GNU_SOURCE

#include "GuardedCopy.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

/// The thread's running copy; `from` is NULL without one.
struct copy {
  sigjmp_buf failed;
  const char *volatile from;
  volatile size_t size;
};

static _Thread_local struct copy copy;
/// The action for SIGBUS before the handler was installed.
static struct sigaction earlier;

static bool is_in_copy(const void *address) {
  return copy.from != NULL && (uintptr_t)address - (uintptr_t)copy.from < copy.size;
}

static void handle_bus_error(int signal, siginfo_t *information, void *context) {
  // A fault has a positive code; a signal that a process has sent has not.
  if (information->si_code > 0 && is_in_copy(information->si_addr)) siglongjmp(copy.failed, 1);
  if ((earlier.sa_flags & SA_SIGINFO) != 0) {
    earlier.sa_sigaction(signal, information, context);
  } else if (earlier.sa_handler != SIG_DFL && earlier.sa_handler != SIG_IGN) {
    earlier.sa_handler(signal);
  } else if (earlier.sa_handler == SIG_DFL || information->si_code > 0) {
    // The kernel does not let a fault be ignored. It occurs again, or the signal is sent again, and ends the process.
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(SIGBUS, &standard, NULL);
    if (information->si_code <= 0) raise(signal);
  }
}

static void install_handler(void) {
  // The handler may be left by a jump, after which the signal must not stay blocked.
  struct sigaction own = {.sa_sigaction = handle_bus_error, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
  sigemptyset(&own.sa_mask);
  // Read first, so that it is known before the handler can run.
  sigaction(SIGBUS, NULL, &earlier);
  sigaction(SIGBUS, &own, NULL);
}

bool guarded_copy(void *to, const void *from, size_t size) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install_handler);
  if (sigsetjmp(copy.failed, 0) != 0) {
    copy.from = NULL;
    return false;
  }
  copy.size = size;
  copy.from = from;
  atomic_signal_fence(memory_order_seq_cst);
  memcpy(to, from, size);
  atomic_signal_fence(memory_order_seq_cst);
  copy.from = NULL;
  return true;
}
