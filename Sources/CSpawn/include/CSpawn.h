#ifndef CSPAWN_H
#define CSPAWN_H

#include <sys/types.h>

/// A program to start as a child process.
struct cspawn_order {
  /// The path of the program, with a slash.
  const char *_Nonnull program;
  char *_Nullable const *_Nonnull arguments;
  char *_Nullable const *_Nonnull environment;
  /// The descriptors that the child process gets as 0, 1 and 2. It gets no other descriptor.
  int input, output, errors;
};

/// Starts a program in a process group of its own. The kernel kills the child process as soon as this process ends.
///
/// The child process blocks no signal, and ignores those that this process ignores, except SIGPIPE and SIGXFSZ, which
/// `yapbench` ignores for itself.
/// Returns 0, or the errno of the failure.
int cspawn_start(const struct cspawn_order *_Nonnull order, pid_t *_Nonnull child);

#endif
