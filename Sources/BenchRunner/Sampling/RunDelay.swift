internal import Glibc

/// The time for which threads of a process were ready to run and waited for a processor.
struct RunDelay {
  /// The process's folder of threads.
  private let folder: String
  /// The delay of each thread, by its id, when it was read last.
  private var threads: [Int: UInt64] = [:]
  private var total: UInt64 = 0

  /// Counts from now on: earlier delays are left out.
  /// - Parameter process: nil for this process.
  init(of process: Int32? = nil) {
    folder = "/proc/\(process.map { "\($0)" } ?? "self")/task"
    _ = read()
  }

  /// Reads the delays of all threads, and returns their sum since this value was created, in nanoseconds; nil if they
  /// cannot be read. The delays of a thread between the last call and its end are missing.
  ///
  /// The second number of a thread's schedstat is its delay: https://docs.kernel.org/scheduler/sched-stats.html
  mutating func read() -> UInt64? {
    guard let tasks = opendir(folder) else { return nil }
    defer { closedir(tasks) }
    // The first pass finds the delays from before this value was created, and adds nothing.
    let isFirst = threads.isEmpty
    var found: [Int: UInt64] = [:]
    while let entry = readdir(tasks) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let thread = Int(name) else { continue }
      let fields = ProcFile.read("\(folder)/\(name)/schedstat").split(separator: " ")
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

/// The processor time of the engine's own process and the waits of its threads, over all its restarts, in nanoseconds.
struct EngineProcessFigures {
  private(set) var cpuNanoseconds: UInt64 = 0
  private(set) var runDelayNanoseconds: UInt64 = 0
  private var process: Int32?
  private var delay: RunDelay?
  private var lastCPU: UInt64 = 0
  private var lastDelay: UInt64 = 0

  /// Adds what has happened since the last call. The end of a process that has ended since is missing.
  /// - Parameter current: The engine's process; nil while there is none.
  mutating func update(_ current: Int32?) {
    if current != process {
      (process, lastCPU, lastDelay) = (current, 0, 0)
      delay = current.map { RunDelay(of: $0) }
    }
    guard let process else { return }
    let cpu = ProcFile.cpuNanoseconds(inStat: ProcFile.read("/proc/\(process)/stat"))
    cpuNanoseconds += cpu - min(cpu, lastCPU)
    lastCPU = max(cpu, lastCPU)
    guard let waited = delay?.read() else { return }
    runDelayNanoseconds += waited - min(waited, lastDelay)
    lastDelay = waited
  }
}
