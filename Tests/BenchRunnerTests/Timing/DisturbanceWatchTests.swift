import Foundation
import HarnessPrimitives
import LatencyMetrics
import Testing
import ThreadingPrimitives

@testable import BenchResults
@testable import BenchRunner

@Suite("Times without waits") struct DisturbanceWatchTests {
  private typealias Times = UndisturbedPace.Times

  @Test func `transactions without waits are not disturbed`() {
    var pace = UndisturbedPace()
    for due in [0, 100, 150] as [UInt64] {
      #expect(pace.add(due: due, start: due, end: due + 50, waited: 0) == nil)
      #expect(!pace.isBehind)
    }
  }

  @Test func `a wait delays its own transaction, and the arrivals until the worker has caught up`() {
    var pace = UndisturbedPace()
    // Due every 100, each takes 60; the first waits for 90.
    #expect(pace.add(due: 0, start: 0, end: 150, waited: 90) == Times(service: 60, response: 60))
    #expect(pace.isBehind)
    #expect(pace.add(due: 100, start: 150, end: 210, waited: 0) == Times(service: 60, response: 60))
    #expect(pace.add(due: 200, start: 210, end: 270, waited: 0) == Times(service: 60, response: 60))
    #expect(pace.add(due: 300, start: 300, end: 360, waited: 0) == nil)
    #expect(!pace.isBehind)
  }

  @Test func `a delay of the engine stays in the times`() {
    var pace = UndisturbedPace()
    // The engine takes 200, of which the worker waited for 50: two arrivals are late because of the engine, too.
    #expect(pace.add(due: 0, start: 0, end: 200, waited: 50) == Times(service: 150, response: 150))
    #expect(pace.add(due: 100, start: 200, end: 260, waited: 0) == Times(service: 60, response: 110))
  }

  @Test func `a worker that wakes late has waited`() {
    var pace = UndisturbedPace()
    #expect(pace.add(due: 100, start: 140, end: 150, waited: 40) == Times(service: 0, response: 10))
  }

  @Test func `no wait is longer than the time in which it lies`() {
    var pace = UndisturbedPace()
    #expect(pace.add(due: 100, start: 100, end: 150, waited: 1_000) == Times(service: 0, response: 0))
    #expect(pace.add(due: 150, start: 150, end: 160, waited: 0) == nil)
  }

  @Test(arguments: 1...20)
  func `random waits never make an undisturbed time longer, and disappear without waits`(seed: UInt64) {
    var stream = RandomStream(seed: seed, "waits")
    var (pace, free, undisturbedFree): (UndisturbedPace, UInt64, UInt64) = (UndisturbedPace(), 0, 0)
    for index in 0..<500 {
      let due = UInt64(index) * 100
      let (own, waited) = (stream.next() % 120 + 1, stream.next() % 3 == 0 ? stream.next() % 400 : 0)
      let start = max(due, free)
      let end = start + own + waited
      // The engine's time and the waits are known here, so the time without waits is, too.
      undisturbedFree = max(due, undisturbedFree) + own
      let times = pace.add(due: due, start: start, end: end, waited: waited)
      #expect(times?.response ?? (end - due) == undisturbedFree - due)
      #expect((times == nil) == (undisturbedFree == end))
      free = end
    }
  }

  @Test func `a thread's delay grows only while it waits`() throws {
    let delay = ThreadDelay()
    // A kernel without these figures reports none.
    guard let first = delay.nanoseconds else { return }
    #expect(try #require(delay.nanoseconds) >= first)
  }

  /// Runs `body` beside threads that have waited for a processor and not ended, and then `afterwards`.
  /// - Parameter body: Gets the sum of the threads' waits.
  private func besideWaitingThreads(_ body: (UInt64) throws -> Void, afterwards: (UInt64) throws -> Void) throws {
    let count = 4 * ProcessInfo.processInfo.activeProcessorCount
    let delays = Guarded<[UInt64]>([])
    let (haveWaited, mayEnd) = (StopFlag(), StopFlag())
    let threads = try (0..<count).map { _ in
      try WorkerThread(name: "busy") {
        let end = MonotonicClock.now + 50_000_000
        while MonotonicClock.now < end {}
        delays.withLock {
          $0.append(ThreadDelay().nanoseconds ?? 0)
          if $0.count == count { haveWaited.raise() }
        }
        while !mayEnd.isRaised { Parker().park(deadline: MonotonicClock.now + 1_000_000) }
      }
    }
    defer { mayEnd.raise() }
    while !haveWaited.isRaised { Parker().park(deadline: MonotonicClock.now + 1_000_000) }
    let sum = delays.withLock { $0.reduce(0, +) }
    try body(sum)
    mayEnd.raise()
    for thread in threads { thread.join() }
    try afterwards(sum)
  }

  @Test func `the waits of all threads are summed, also after their end`() throws {
    let process = ProcessDelay()
    guard ThreadDelay().nanoseconds != nil else { return }
    try besideWaitingThreads { sum in
      process.refresh()
      try #expect(#require(process.nanoseconds) >= sum)
      #expect(process.nanosecondsAtRefresh >= sum)
      #expect(process.nanoseconds(ifWorth: 1_000) == nil)
    } afterwards: { sum in
      try #expect(#require(process.nanoseconds) >= sum)
      process.refresh()
      try #expect(#require(process.nanoseconds) >= sum)
    }
  }

  @Test(arguments: [false, true])
  func `waits of other threads count as far as the transaction was blocked`(byLane isByLane: Bool) throws {
    let process = ProcessDelay()
    let delay = ThreadDelay()
    guard let before = delay.nanoseconds else { return }
    var watch = DisturbanceWatch(process)
    watch.begin()
    try besideWaitingThreads { sum in
      process.refresh()
      watch.endIdleTime()
      let now = MonotonicClock.now
      _ = watch.add(due: now, start: now, end: now, laneWait: 0)
      // This thread may have waited as well.
      let own = try #require(delay.nanoseconds) - before
      #expect(watch.waits.forProcessors <= own)
      // The other kind of wait is a sleep, because the thread uses no processor in these seconds.
      let blocked: UInt64 = 100_000_000_000
      let end = isByLane ? now : now + blocked
      _ = watch.add(due: now, start: now, end: end, laneWait: isByLane ? blocked : 0)
      #expect(watch.waits.forProcessors >= min(sum, blocked))
    } afterwards: { _ in
    }
  }

  @Test func `sleep in a transaction counts, and sleep without work does not`() throws {
    var watch = DisturbanceWatch(ProcessDelay())
    let delay = ThreadDelay()
    guard let before = delay.nanoseconds else { return }
    watch.begin()
    Parker().park(deadline: MonotonicClock.now + 50_000_000)
    watch.endIdleTime()
    let start = MonotonicClock.now
    // On a busy machine the thread starts late, which also is a wait of the transaction.
    let late = try #require(delay.nanoseconds) - before
    let busyUntil = ThreadFigures.cpuNanoseconds() + 2_000_000 + late
    while ThreadFigures.cpuNanoseconds() < busyUntil {}
    let end = MonotonicClock.now
    let busy = watch.add(due: start, start: start, end: end, laneWait: 0)
    #expect(busy.withoutWaits.map { $0.service > 0 } ?? true)
    Parker().park(deadline: end + 5_000_000)
    let asleep = watch.add(due: end, start: end, end: MonotonicClock.now, laneWait: 0)
    #expect(try #require(asleep.withoutWaits).service < 5_000_000)
  }
}
