internal import Glibc

/// How long a thread was ready to run and had no core.
enum RunQueue {
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
