import Glibc
import ThreadingPrimitives

/// Ends the process with `exitCode` if it still runs after `nanoseconds`, for tests that run in a process of their own
/// and might hang.
package func endProcess(afterNanoseconds nanoseconds: UInt64, exitCode: Int32) throws {
  try WorkerThread(name: "watchdog") {
    MonotonicClock.sleep(until: MonotonicClock.now + nanoseconds)
    _exit(exitCode)
  }.detach()
}
