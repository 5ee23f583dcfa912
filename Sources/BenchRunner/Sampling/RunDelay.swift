internal import Glibc

/// The time for which threads of this process were ready to run and waited for a processor.
struct RunDelay {
  /// The delay of each thread, by its id, when it was read last.
  private var threads: [Int: UInt64] = [:]
  private var total: UInt64 = 0

  /// Counts from now on: earlier delays are left out.
  init() { _ = read() }

  /// Reads the delays of all threads, and returns their sum since this value was created, in nanoseconds; nil if they
  /// cannot be read. The delays of a thread between the last call and its end are missing.
  ///
  /// The second number of a thread's schedstat is its delay: https://docs.kernel.org/scheduler/sched-stats.html
  mutating func read() -> UInt64? {
    guard let folder = opendir("/proc/self/task") else { return nil }
    defer { closedir(folder) }
    // The first pass finds the delays from before this value was created, and adds nothing.
    let isFirst = threads.isEmpty
    var found: [Int: UInt64] = [:]
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let thread = Int(name) else { continue }
      let fields = ProcFile.read("/proc/self/task/\(name)/schedstat").split(separator: " ")
      guard fields.count > 1, let delay = UInt64(fields[1]) else { continue }
      // A delay that has become smaller belongs to a new thread, which got the id of a thread that has ended.
      let counted = threads[thread].map { $0 <= delay ? $0 : 0 } ?? 0
      if !isFirst { total += delay - counted }
      found[thread] = delay
    }
    // A pass may miss a thread, whose delay must not count again when the next pass finds it.
    threads.merge(found) { $1 }
    return found.isEmpty ? nil : total
  }
}
