internal import Glibc
internal import Synchronization

/// The time for which the thread that created it was ready to run and waited for a processor.
///
/// It is the second number of the thread's schedstat, and contains the time for which a CPU quota stopped the thread:
/// https://docs.kernel.org/scheduler/sched-stats.html. One reading takes about 1 µs.
final class ThreadDelay: Sendable {
  private let file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)

  deinit { if file >= 0 { close(file) } }

  /// The time since the thread began, in nanoseconds; nil if the kernel does not report it.
  var nanoseconds: UInt64? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 80) { buffer in
      let count = file >= 0 ? pread(file, buffer.baseAddress, buffer.count, 0) : 0
      guard count > 0 else { return nil }
      let fields = buffer.prefix(count).split(separator: UInt8(ascii: " "))
      return fields.count > 1 ? UInt64(String(decoding: fields[1], as: UTF8.self)) : nil
    }
  }
}

/// The waits for a processor of all workers of a run. A transaction that waits for a lane may wait for a worker that
/// holds the lane and has no processor.
final class SharedWaits: Sendable {
  private let total = Atomic<UInt64>(0)

  /// The sum of the waits so far, in nanoseconds.
  var nanoseconds: UInt64 { total.load(ordering: .relaxed) }

  func add(_ nanoseconds: UInt64) { total.add(nanoseconds, ordering: .relaxed) }
}

/// Computes the times that a worker's transactions would have had without some waits.
///
/// A wait delays the transaction in which it lies, and in an open load also the arrivals that were due meanwhile, until
/// the worker has caught up. Times are nanoseconds of the monotonic clock.
struct UndisturbedPace {
  struct Times: Equatable {
    var service: UInt64
    var response: UInt64
  }

  /// The end of the worker's last transaction, and the time at which it would have ended without waits.
  private var end: UInt64 = 0
  private var undisturbedEnd: UInt64 = 0

  /// Whether the worker would be ahead without the waits so far.
  var isBehind: Bool { undisturbedEnd < end }

  /// Adds a transaction. Transactions that end on time may be left out as long as the worker is not behind.
  /// - Parameters:
  ///   - due: When the transaction was due; its start in a closed load.
  ///   - waited: The waits since the end of the last transaction that was added.
  /// - Returns: nil if neither this wait nor an earlier one has delayed it.
  mutating func add(due: UInt64, start: UInt64, end: UInt64, waited: UInt64) -> Times? {
    let taken = end - min(end, max(due, self.end))
    let undisturbedStart = max(due, undisturbedEnd)
    self.end = end
    undisturbedEnd = min(undisturbedStart + taken - min(taken, waited), end)
    guard isBehind else { return nil }
    let service = end - start
    return Times(service: service - min(service, waited), response: undisturbedEnd - due)
  }
}
