internal import Glibc
internal import ThreadingPrimitives

/// Measures the time for which a thread was ready to run but had no core.
enum RunQueue {
  /// Runs `body` and measures its duration without the time for which the calling thread waited for a core. Running
  /// time and waits for other threads or the disk remain. On a shared machine the excluded time is caused by other
  /// processes.
  static func timed<Answer>(_ body: () throws -> Answer) rethrows -> (answer: Answer, nanoseconds: UInt64) {
    let waitedBefore = nanosecondsOfThisThread()
    let begun = MonotonicClock.now
    let answer = try body()
    let took = MonotonicClock.now - begun
    let waited = nanosecondsOfThisThread() - waitedBefore
    return (answer, net(took: took, waited: waited))
  }

  /// Subtracts the wait. Part of the wait may lie just outside the timed part, so at least 1/1,000 of the duration is
  /// kept.
  static func net(took: UInt64, waited: UInt64) -> UInt64 { max(took - min(waited, took), took / 1_000) }

  /// The wait of the calling thread since it began; 0 if the kernel does not report it.
  static func nanosecondsOfThisThread() -> UInt64 {
    let file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    let text = String(unsafeUninitializedCapacity: 128) { max(Glibc.read(file, $0.baseAddress, $0.count), 0) }
    return waited(in: text)
  }

  /// Reads the second number of the line, which contains time running, time waiting, and turns.
  static func waited(in line: String) -> UInt64 {
    let numbers = line.split { $0 == " " || $0 == "\n" }
    return numbers.count > 1 ? UInt64(numbers[1]) ?? 0 : 0
  }
}
