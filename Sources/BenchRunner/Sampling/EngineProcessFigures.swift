/// The processor time of the engine's own process and the waits of its threads, over all its restarts, in nanoseconds.
struct EngineProcessFigures {
  private(set) var cpuNanoseconds: UInt64 = 0
  private(set) var runDelayNanoseconds: UInt64 = 0
  private var process: Int32?
  private var delay: ProcessDelay?
  private var lastCPU: UInt64 = 0
  private var lastDelay: UInt64 = 0

  /// Adds what has happened since the last call. The end of a process that has ended since is missing.
  /// - Parameter current: The engine's process; nil while there is none.
  mutating func update(_ current: Int32?) {
    if current != process {
      (process, lastCPU, lastDelay) = (current, 0, 0)
      delay = current.map { ProcessDelay(of: $0) }
    }
    guard let process else { return }
    let cpu = ProcFile.cpuNanoseconds(inStat: ProcFile.read("/proc/\(process)/stat"))
    cpuNanoseconds += cpu - min(cpu, lastCPU)
    lastCPU = max(cpu, lastCPU)
    delay?.refresh()
    guard let waited = delay?.nanoseconds else { return }
    runDelayNanoseconds += waited - min(waited, lastDelay)
    lastDelay = waited
  }
}
