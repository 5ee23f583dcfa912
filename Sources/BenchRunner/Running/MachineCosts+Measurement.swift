internal import BenchResults
internal import Foundation
internal import Glibc
internal import Synchronization
internal import ThreadingPrimitives

extension MachineCosts {
  /// The time after which a cost is not measured again.
  private static let longestNanoseconds: UInt64 = 200_000_000
  private static let pageBytes = 4_096

  /// Measures each cost in a few milliseconds, or about 0.5 s on a slow disk. Calls of the system have medians. A loop
  /// of the processor has its least duration, because everything else on the machine makes it only longer.
  /// - Parameter folder: The folder of the database.
  static func measure(in folder: String) -> MachineCosts {
    let (sync, write) = file(in: folder)
    return MachineCosts(sync: sync, write: write, copy: copy(), wakeup: wakeup(), clock: clock())
  }

  /// Returns the durations of a body's repetitions; none if `body` fails. Each repetition covers `count` of the
  /// measured operations.
  private static func durations(of repetitions: Int, each count: Int = 1, _ body: () -> Bool) -> [Double] {
    var times: [Double] = []
    let end = MonotonicClock.now + longestNanoseconds
    while times.count < repetitions, times.isEmpty || MonotonicClock.now < end {
      let start = MonotonicClock.now
      guard body() else { return [] }
      times.append(Double(MonotonicClock.now - start) / Double(count))
    }
    return times
  }

  private static func file(in folder: String) -> (sync: Double?, write: Double?) {
    let path = "\(folder)/.costs-\(UUID().uuidString)"
    let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return (nil, nil) }
    defer { close(descriptor) }
    unlink(path)
    let page = [UInt8](repeating: 1, count: pageBytes)
    func writePage() -> Bool { Glibc.write(descriptor, page, pageBytes) == pageBytes }
    let writes = durations(of: 201, writePage)
    let syncs = durations(of: 21) { writePage() && fdatasync(descriptor) == 0 }
    // In memory a sync does nothing.
    let isInMemory = MountTable.memoryFileSystems.contains(MountTable.fileSystem(of: folder))
    return (isInMemory || syncs.isEmpty ? nil : syncs.median, writes.isEmpty ? nil : writes.median)
  }

  private static func copy() -> Double {
    // More than the first cache of a core, as in a database, and little memory.
    let count = 256
    let source = [UInt8](repeating: 1, count: count * pageBytes)
    var target = [UInt8](repeating: 0, count: count * pageBytes)
    let times = source.withUnsafeBytes { source in
      target.withUnsafeMutableBytes { target in
        durations(of: 41, each: count) {
          for page in 0..<count {
            memcpy(target.baseAddress! + page * pageBytes, source.baseAddress! + page * pageBytes, pageBytes)
          }
          return true
        }
      }
    }
    return times.min() ?? 0
  }

  private static func wakeup() -> Double? {
    let (near, far, isOver) = (Parker(), Parker(), StopFlag())
    let thread = try? WorkerThread(name: "wake-up") {
      while true {
        far.park()
        if isOver.isRaised { return }
        near.unpark()
      }
    }
    guard let thread else { return nil }
    // A round trip has two wake-ups.
    let times = durations(of: 201, each: 2) {
      far.unpark()
      return near.park()
    }
    isOver.raise()
    far.unpark()
    thread.join()
    return times.median
  }

  private static func clock() -> Double {
    let readings = 20_000
    let times = durations(of: 5, each: readings) {
      for _ in 0..<readings { _ = MonotonicClock.now }
      return true
    }
    return times.min() ?? 0
  }
}
