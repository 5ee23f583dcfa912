import Synchronization
import TestSupport
import Testing

@testable import ThreadingPrimitives

@Suite struct WorkerTests {
  //  job 0           job 1           …  job 15
  //  ──────────────  ──────────────     ──────────────
  //  waits for 1     waits for 2        opens the first gate
  //
  /// On a pool limited to fewer than 16 threads, none of the jobs would end.
  @Test func `jobs that wait for later jobs all run at once`() throws {
    let pool = WorkerPool(name: "pool-test")
    let doors = (0...16).map { _ in StartGate() }
    let done = Atomic<Int>(0)
    for index in 0..<16 {
      try pool.run {
        doors[index + 1].wait()
        doors[index].open()
        done.add(1, ordering: .relaxed)
      }
    }
    #expect(done.load(ordering: .relaxed) == 0)
    doors[16].open()
    doors[0].wait()
    #expect(eventually { done.load(ordering: .relaxed) == 16 })
  }

  @Test func `each of many jobs runs once, on threads that are used again`() throws {
    let pool = WorkerPool(name: "pool-test")
    let runs = Atomic<Int>(0)
    let threads = SharedList<UInt>()
    let count = TestScale.count(3_000)
    for index in 1...count {
      try pool.run {
        threads.append(ThreadToken.current.rawValue)
        runs.add(1, ordering: .releasing)
      }
      if index % 4 == 0 { #expect(eventually { runs.load(ordering: .acquiring) == index }) }
    }
    #expect(eventually { runs.load(ordering: .acquiring) == count })
    #expect(Set(threads.all).count < max(count / 4, 64))
  }

  @Test func `a wake before the sleep is not lost`() {
    let parker = Parker()
    parker.unpark()
    parker.unpark()
    #expect(parker.park())
    #expect(!parker.park(deadline: MonotonicClock.now + 1_000_000))
    #expect(!parker.park(deadline: 0))
    parker.unpark()
    #expect(parker.park(deadline: 0))
  }

  @Test func `two threads that wake each other in turn never hang`() throws {
    let parkers = [Parker(), Parker()]
    let turns = Atomic<Int>(0)
    let rounds = TestScale.count(20_000)
    try onThreads(2) { index in
      for _ in 0..<rounds {
        if index == 0 { parkers[1].unpark() }
        parkers[index].park()
        turns.add(1, ordering: .relaxed)
        if index == 1 { parkers[0].unpark() }
      }
    }
    #expect(turns.load(ordering: .relaxed) == 2 * rounds)
  }

  @Test func `an open gate lets every thread through`() throws {
    let gate = StartGate()
    let through = Atomic<Int>(0)
    let threads = try (0..<4).map { _ in
      try WorkerThread(name: "visitor") {
        gate.wait()
        through.add(1, ordering: .relaxed)
      }
    }
    #expect(through.load(ordering: .relaxed) == 0)
    gate.open()
    for thread in threads { thread.join() }
    gate.wait()
    #expect(through.load(ordering: .relaxed) == 4)
  }

  @Test func `a flag that is raised is seen by every thread`() throws {
    let flag = StopFlag()
    let watcher = try WorkerThread(name: "watcher") { _ = eventually { flag.isRaised } }
    #expect(!flag.isRaised)
    flag.raise()
    watcher.join()
    #expect(flag.isRaised)
  }
}
