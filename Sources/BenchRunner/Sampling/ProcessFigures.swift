internal import BenchDrivers
internal import Foundation

#if Jemalloc
  internal import CJemalloc
#endif

/// The system's figures of this process at one moment.
package struct ProcessFigures {
  var residentBytes: Int
  /// nil without jemalloc.
  var allocatedBytes: Int?
  /// Since the process began, as are `systemCPUNanoseconds` and `contextSwitches`.
  var userCPUNanoseconds: UInt64
  var systemCPUNanoseconds: UInt64
  var contextSwitches: Int

  static func now() -> ProcessFigures {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return ProcessFigures(
      residentBytes: residentBytes(),
      allocatedBytes: allocatedBytes(),
      userCPUNanoseconds: nanoseconds(usage.ru_utime),
      systemCPUNanoseconds: nanoseconds(usage.ru_stime),
      contextSwitches: usage.ru_nvcsw + usage.ru_nivcsw
    )
  }

  /// Returns the processor time of this process and of the engine's process, if there is one.
  static func cpuNanoseconds(with engine: (any RestartingEngine)?) -> UInt64 {
    let own = now()
    let others = engine?.processIdentifier.map { ProcFile.cpuNanoseconds(inStat: ProcFile.read("/proc/\($0)/stat")) }
    return own.userCPUNanoseconds + own.systemCPUNanoseconds + (others ?? 0)
  }

  /// Returns the bytes that this process, and the child processes that have ended, have read from disks or written for
  /// them; nil if the kernel does not report them.
  static func diskBytes() -> Int? { ProcFile.diskBytes(inIO: ProcFile.read("/proc/self/io")) }

  private static func nanoseconds(_ time: timeval) -> UInt64 {
    UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_usec) * 1_000
  }

  /// The second number of /proc/self/statm, in pages.
  private static func residentBytes() -> Int {
    let fields = ProcFile.read("/proc/self/statm").split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
  }

  /// Returns the bytes that the process has allocated, according to jemalloc; nil without it.
  package static func allocatedBytes() -> Int? {
    #if Jemalloc
      _ = cjemalloc_refresh()
      return Int(cjemalloc_read("stats.allocated"))
    #else
      return nil
    #endif
  }
}

/// The system's figures of the calling thread.
enum ThreadFigures {
  /// Processor time since the thread began.
  static func cpuNanoseconds() -> UInt64 {
    UInt64(nanoseconds(of: CLOCK_THREAD_CPUTIME_ID))
  }
}

/// Returns the time of one of the system's clocks.
private func nanoseconds(of clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// The system's figures of the whole machine at one moment.
struct HostFigures {
  /// The time of all processors since the machine started, in ticks; `stolenTicks` is the part that the host gave to
  /// others.
  var totalTicks: UInt64
  var stolenTicks: UInt64
  /// The part of the time in which a processor ran a task or an interrupt of this machine.
  var busyTicks: UInt64 = 0
  /// The wall clock minus the monotonic clock; a step of the wall clock changes it.
  var wallClockOffsetNanoseconds: Int64

  static func now() -> HostFigures {
    // cpu user nice system idle iowait irq softirq steal guest guest_nice; user and nice include the last two fields.
    let line = ProcFile.read("/proc/stat").prefix { $0 != "\n" }
    let ticks = line.split(separator: " ").dropFirst().prefix(8).compactMap { UInt64($0) }
    return HostFigures(
      totalTicks: ticks.reduce(0, +),
      stolenTicks: ticks.count == 8 ? ticks[7] : 0,
      busyTicks: ticks.count == 8 ? ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6] : 0,
      wallClockOffsetNanoseconds: nanoseconds(of: CLOCK_REALTIME) - nanoseconds(of: CLOCK_MONOTONIC)
    )
  }

  /// The share of the time since `earlier` that the host gave to others, 0 to 1.
  func stealShare(since earlier: HostFigures) -> Double {
    totalTicks > earlier.totalTicks
      ? Double(stolenTicks - min(stolenTicks, earlier.stolenTicks)) / Double(totalTicks - earlier.totalTicks) : 0
  }

  private static let nanosecondsPerTick = 1_000_000_000 / UInt64(sysconf(Int32(_SC_CLK_TCK)))

  var stolenNanoseconds: UInt64 { stolenTicks * Self.nanosecondsPerTick }
  var busyNanoseconds: UInt64 { busyTicks * Self.nanosecondsPerTick }
  /// The time of all processors.
  var totalNanoseconds: UInt64 { totalTicks * Self.nanosecondsPerTick }
}

/// The kernel's figures of the time for which work had to wait for a resource (PSI).
enum PressureFigures {
  /// Time since the machine started in which at least one task waited for a disk; nil if the kernel does not report it.
  static func ioNanoseconds(in text: String = ProcFile.read("/proc/pressure/io")) -> UInt64? {
    // some avg10=0.00 avg60=0.00 avg300=0.00 total=12345, in microseconds; then the same for "full".
    let line = text.split(separator: "\n").first { $0.hasPrefix("some ") }
    let total = line?.split(separator: " ").first { $0.hasPrefix("total=") }
    return total.flatMap { UInt64($0.dropFirst("total=".count)) }.map { $0 * 1_000 }
  }
}

/// A file that the kernel generates when it is read.
package enum ProcFile {
  /// Returns the text; an empty string if the file cannot be read.
  package static func read(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

  /// Returns the processor time of a process.
  /// - Parameter stat: the text of its `stat` file; 0 is returned for any other text.
  static func cpuNanoseconds(inStat stat: String) -> UInt64 {
    // The name of the program, in parentheses, may contain spaces and parentheses. The fields after it begin with the
    // third; the 14th and 15th are the ticks in user and in system mode.
    let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = UInt64(fields[11]), let system = UInt64(fields[12]) else { return 0 }
    return (user + system) * (1_000_000_000 / UInt64(sysconf(Int32(_SC_CLK_TCK))))
  }

  /// Returns the bytes that a process has read from disks or written for them; nil for any other text.
  /// - Parameter text: the text of its `io` file.
  static func diskBytes(inIO text: String) -> Int? {
    func count(_ name: String) -> Int? {
      text.split(separator: "\n").first { $0.hasPrefix("\(name): ") }.flatMap { Int($0.dropFirst(name.count + 2)) }
    }
    guard let read = count("read_bytes"), let written = count("write_bytes") else { return nil }
    // Bytes of a file that was truncated before they reached the disk.
    return read + written - (count("cancelled_write_bytes") ?? 0)
  }
}
