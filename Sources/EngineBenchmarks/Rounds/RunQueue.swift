internal import Glibc
internal import ThreadingPrimitives

/// How long a thread was ready to run and had no core.
enum RunQueue {
  /// Runs `body` and takes its time without that for which the calling thread waited for a core: what it ran and what
  /// it waited for others, or for the disk, is left. On a machine that others use as well the rest is theirs.
  static func timed<Answer>(_ body: () throws -> Answer) rethrows -> (answer: Answer, nanoseconds: UInt64) {
    let waitedBefore = nanosecondsOfThisThread()
    let begun = MonotonicClock.now
    let answer = try body()
    let took = MonotonicClock.now - begun
    let waited = nanosecondsOfThisThread() - waitedBefore
    return (answer, net(took: took, waited: waited))
  }

  /// The wait may have been just before or after what is timed, so something of the time is always left.
  static func net(took: UInt64, waited: UInt64) -> UInt64 { max(took - min(waited, took), took / 1_000) }

  /// Of the calling thread since it began; 0 where the kernel does not tell.
  static func nanosecondsOfThisThread() -> UInt64 {
    let file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    let text = String(unsafeUninitializedCapacity: 128) { max(Glibc.read(file, $0.baseAddress, $0.count), 0) }
    return waited(in: text)
  }

  /// The second number of the line: time running, time waiting, turns.
  static func waited(in line: String) -> UInt64 {
    let numbers = line.split { $0 == " " || $0 == "\n" }
    return numbers.count > 1 ? UInt64(numbers[1]) ?? 0 : 0
  }
}
