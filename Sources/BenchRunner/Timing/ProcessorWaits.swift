internal import Glibc
internal import ThreadingPrimitives

/// The time for which a thread was ready to run and waited for a processor.
///
/// It is the second number of the thread's schedstat, and contains the time for which a CPU quota stopped the thread:
/// https://docs.kernel.org/scheduler/sched-stats.html. One reading takes about 1 µs.
final class ThreadDelay: Sendable {
  private let file: Int32

  /// The delay of the calling thread.
  convenience init() { self.init(folder: "/proc/thread-self") }

  /// - Parameter folder: The thread's folder in /proc.
  fileprivate init(folder: String) { file = open("\(folder)/schedstat", O_RDONLY | O_CLOEXEC) }

  deinit { if file >= 0 { close(file) } }

  /// The time since the thread began, in nanoseconds; nil if the thread has ended or the kernel does not report it.
  var nanoseconds: UInt64? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 80) { buffer in
      let count = file >= 0 ? pread(file, buffer.baseAddress, buffer.count, 0) : 0
      guard count > 0, let space = buffer[..<count].firstIndex(of: UInt8(ascii: " ")) else { return nil }
      // Read digit by digit, because splitting the text takes longer than reading the file.
      var number: UInt64?
      for digit in buffer[(space + 1)..<count] {
        guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { break }
        number = (number ?? 0) &* 10 &+ UInt64(digit - UInt8(ascii: "0"))
      }
      return number
    }
  }
}

/// The time for which threads of a process were ready to run and waited for a processor.
///
/// A transaction that waits for a lock may wait for any thread that holds it and has no processor: a worker, the
/// engine's thread for checkpoints, or an event.
final class ProcessDelay: Sendable {
  private struct Threads {
    /// Each known thread's file, and its delay at the last refresh, by the thread's id.
    var running: [Int: (delay: ThreadDelay, last: UInt64)] = [:]
    /// The delays of the threads that have ended.
    var ended: UInt64 = 0

    var sumAtRefresh: UInt64 { running.values.reduce(ended) { $0 + $1.last } }
  }

  /// The process's folder of threads.
  private let folder: String
  private let threads = Guarded(Threads())
  private let before: UInt64

  /// Counts from now on: earlier delays are left out.
  /// - Parameter process: nil for this process.
  init(of process: Int32? = nil) {
    folder = "/proc/\(process.map { "\($0)" } ?? "self")/task"
    let first = Self.refreshed(Threads(), folder)
    threads.withLock { $0 = first }
    before = first.sumAtRefresh
  }

  /// Looks for new threads and for threads that have ended. Called by one thread at a time.
  func refresh() {
    // Without the lock, so that no worker waits for a thread that has no processor.
    let now = Self.refreshed(threads.withLock { $0 }, folder)
    threads.withLock { $0 = now }
  }

  /// The sum of the delays as it was at the last refresh.
  var nanosecondsAtRefresh: UInt64 {
    let sum = threads.withLock { $0 }.sumAtRefresh
    return sum - min(sum, before)
  }

  /// The sum of the known threads' delays since this value was created, in nanoseconds; nil if they cannot be read. The
  /// delays of a thread between the last refresh and its end are missing.
  var nanoseconds: UInt64? { sum(threads.withLock { $0 }) }

  /// Returns the sum of the delays if the time to read them is at most a twentieth of this wait; otherwise nil.
  func nanoseconds(ifWorth wait: UInt64) -> UInt64? {
    let threads = threads.withLock { $0 }
    return wait >= UInt64(threads.running.count) * 20_000 ? sum(threads) : nil
  }

  private func sum(_ threads: Threads) -> UInt64? {
    guard !threads.running.isEmpty else { return nil }
    let sum = threads.running.values.reduce(threads.ended) { $0 + ($1.delay.nanoseconds ?? $1.last) }
    return sum - min(sum, before)
  }

  private static func refreshed(_ earlier: Threads, _ folder: String) -> Threads {
    var threads = earlier
    for (thread, known) in earlier.running {
      if let now = known.delay.nanoseconds {
        threads.running[thread]?.last = now
      } else {
        threads.running[thread] = nil
        threads.ended += known.last
      }
    }
    guard let tasks = opendir(folder) else { return threads }
    defer { closedir(tasks) }
    while let entry = readdir(tasks) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let thread = Int(name), threads.running[thread] == nil else { continue }
      let delay = ThreadDelay(folder: "\(folder)/\(name)")
      if let now = delay.nanoseconds { threads.running[thread] = (delay, now) }
    }
    return threads
  }
}
