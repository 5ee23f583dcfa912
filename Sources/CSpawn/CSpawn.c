#define _GNU_SOURCE
#include "CSpawn.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdnoreturn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// `posix_spawn` cannot make the kernel kill the child process at the end of its parent, so this is done here, between
// `vfork` and `execve`. The kernel regards the thread that has started a process as its parent. Therefore one thread,
// which never ends, starts all of them.

struct request {
  const struct cspawn_order *order;
  pid_t child;
  int code;
  bool done;
};

static const int first_closed = STDERR_FILENO + 1;

// MARK: The child process. Until its program runs, it shares the memory of this process, whose locks may be
// held.

/// Reports `errno`, because of which the program does not run.
static noreturn void fail(int report) {
  int code = errno;
  ssize_t written = write(report, &code, sizeof code);
  (void)written;
  _exit(127);
}

/// Restores the default of the signals that this process handles: no handler may run in memory that is shared.
static void reset_signals(void) {
  for (int number = 1; number < NSIG; number++) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0) continue;
    bool is_handled = action.sa_handler != SIG_IGN && action.sa_handler != SIG_DFL;
    if (is_handled || number == SIGPIPE || number == SIGXFSZ) signal(number, SIG_DFL);
  }
}

/// Returns the descriptor if it is `target` or above the first three, which are replaced; otherwise a copy above them;
/// -1 with `errno` set.
static int moved(int descriptor, int target) {
  if (descriptor >= first_closed || descriptor == target) return descriptor;
  return fcntl(descriptor, F_DUPFD_CLOEXEC, first_closed);
}

/// Makes `execve` close every descriptor except the first three.
static void close_others(void) {
#ifdef SYS_close_range
  const unsigned close_on_exec = 4;
  if (syscall(SYS_close_range, first_closed, ~0U, close_on_exec) == 0) return;
#endif
  // A kernel before 5.11. Libraries may have opened descriptors that the program would inherit.
  long end = sysconf(_SC_OPEN_MAX);
  if (end < 0 || end > 65536) end = 65536;
  for (int descriptor = first_closed; descriptor < end; descriptor++) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

static noreturn void run(const struct request *request, int report, pid_t parent) {
  const struct cspawn_order *order = request->order;
  int wanted[] = {order->input, order->output, order->errors};
  int moved_report = moved(report, -1);
  if (moved_report < 0) fail(report);
  report = moved_report;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The parent may have ended before the call.
  if (getppid() != parent) _exit(127);
  reset_signals();
  setpgid(0, 0);
  for (int target = 0; target < first_closed; target++) {
    wanted[target] = moved(wanted[target], target);
    if (wanted[target] < 0) fail(report);
  }
  for (int target = 0; target < first_closed; target++) {
    // If this process was started without one of the three, a descriptor that `execve` closes may have its number.
    if (wanted[target] == target) fcntl(target, F_SETFD, 0);
    else if (dup2(wanted[target], target) < 0) fail(report);
  }
  close_others();
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(order->program, order->arguments, order->environment);
  fail(report);
}

// MARK: The thread that starts processes

static void perform(struct request *request) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) {
    request->code = errno;
    return;
  }
  pid_t parent = getpid();
  pid_t child = vfork();
  if (child == 0) run(request, report[1], parent);
  request->code = child < 0 ? errno : 0;
  close(report[1]);
  if (child > 0) {
    int code;
    ssize_t count;
    // Ends without a byte when the program replaces the process, which closes the other end.
    do count = read(report[0], &code, sizeof code);
    while (count < 0 && errno == EINTR);
    if (count == sizeof code) {
      while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
      request->code = code;
    }
  }
  close(report[0]);
  request->child = child;
}

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
/// The request that is not yet done. Guarded by `lock`.
static struct request *current;

static void *serve(void *unused) {
  (void)unused;
  pthread_setname_np(pthread_self(), "spawn");
  pthread_mutex_lock(&lock);
  while (true) {
    while (!current) pthread_cond_wait(&changed, &lock);
    struct request *request = current;
    current = NULL;
    perform(request);
    request->done = true;
    pthread_cond_broadcast(&changed);
  }
}

/// Starts the thread, once. It blocks all signals, so that no signal of this process is delivered to it.
static int start_server(void) {
  static bool is_started;
  if (is_started) return 0;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  int code = pthread_create(&thread, NULL, serve, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (code != 0) return code;
  pthread_detach(thread);
  is_started = true;
  return 0;
}

int cspawn_start(const struct cspawn_order *order, pid_t *child) {
  struct request request = {.order = order};
  // If SIGCHLD is ignored, as some parents leave it, the kernel discards the ends of child processes.
  struct sigaction action;
  if (sigaction(SIGCHLD, NULL, &action) == 0 && action.sa_handler == SIG_IGN) signal(SIGCHLD, SIG_DFL);
  pthread_mutex_lock(&turn);
  request.code = start_server();
  if (request.code == 0) {
    pthread_mutex_lock(&lock);
    current = &request;
    pthread_cond_broadcast(&changed);
    while (!request.done) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
  }
  pthread_mutex_unlock(&turn);
  *child = request.child;
  return request.code;
}
