import Synchronization
import TestSupport
import Testing

@testable import ThreadingPrimitives

@Suite struct LaneTests {
  private let lane = Lane(name: "lane", pool: WorkerPool(name: "lane-test"))

  @Test func `a lane has one holder at a time, synchronous or queued`() throws {
    let lane = lane
    let guarded = Unguarded()
    let overlaps = Atomic<Int>(0)
    let queued = Atomic<Int>(0)
    let rounds = TestScale.count(4_000)
    let work: @Sendable () -> Void = {
      if guarded.isInUse { overlaps.add(1, ordering: .relaxed) }
      guarded.isInUse = true
      guarded.count += 1
      guarded.isInUse = false
    }
    try onThreads(4) { index in
      for round in 0..<rounds {
        switch (round + index) % 4 {
        case 0:
          lane.enqueue {
            work()
            queued.add(1, ordering: .relaxed)
          }
        case 1 where lane.tryAcquire():
          work()
          lane.release()
        default: lane.withLane(work)
        }
      }
    }
    let expected = rounds  // a quarter of four threads' rounds
    #expect(eventually { queued.load(ordering: .relaxed) == expected })
    lane.withLane {
      #expect(guarded.count == 4 * rounds)
      #expect(overlaps.load(ordering: .relaxed) == 0)
    }
    #expect(lane.waiterCount == 0)
  }

  //  this thread                      others
  //  ──────────────────────────────  ──────────────────────────────
  //  holds the lane
  //                                   queue one by one: thread, job, thread, job, …
  //  releases
  //                                   run in the order of the queue
  @Test func `threads and jobs are served in the order in which they queued`() throws {
    let lane = lane
    let served = SharedList<Int>()
    var threads: [WorkerThread] = []
    lane.acquire()
    for place in 0..<12 {
      if place % 3 == 1 {
        lane.enqueue { served.append(place) }
      } else {
        threads.append(try WorkerThread(name: "waiter") { lane.withLane { served.append(place) } })
      }
      #expect(eventually { lane.waiterCount == place + 1 })
    }
    #expect(served.all.isEmpty)
    lane.release()
    for thread in threads { thread.join() }
    #expect(eventually { served.all.count == 12 })
    #expect(served.all == Array(0..<12))
  }

  @Test func `a later thread does not overtake threads that wait`() throws {
    let lane = lane
    let served = SharedList<String>()
    lane.acquire()
    let waiter = try WorkerThread(name: "waiter") { lane.withLane { served.append("waiter") } }
    #expect(eventually { lane.waiterCount == 1 })
    let latecomer = try WorkerThread(name: "latecomer") {
      if lane.tryAcquire() {
        served.append("latecomer")
        lane.release()
      }
    }
    latecomer.join()
    lane.release()
    waiter.join()
    #expect(served.all == ["waiter"])
  }

  @Test func `the queue stays as it was when a waiter times out`() throws {
    let lane = lane
    let served = SharedList<Int>()
    lane.acquire()
    let first = try WorkerThread(name: "first") { lane.withLane { served.append(1) } }
    #expect(eventually { lane.waiterCount == 1 })
    let impatient = try WorkerThread(name: "impatient") {
      served.append(lane.acquire(deadline: MonotonicClock.now + 2_000_000_000) ? 99 : 0)
    }
    #expect(eventually { lane.waiterCount == 2 })
    let last = try WorkerThread(name: "last") { lane.withLane { served.append(2) } }
    impatient.join()
    #expect(eventually { lane.waiterCount == 2 })
    lane.release()
    first.join()
    last.join()
    #expect(served.all == [0, 1, 2])
    #expect(lane.tryAcquire())
    lane.release()
  }

  @Test func `a wait with a deadline is queued, and does not count as an occupant`() throws {
    let lane = lane
    lane.acquire()
    lane.enqueue {}
    #expect(lane.occupancy == 2)
    for isGranted in [false, true] {
      // A century or 1 ms.
      let deadline = isGranted ? MonotonicClock.now + 3_000_000_000_000_000_000 : MonotonicClock.now + 1_000_000
      let ended = SharedList<Bool>()
      let closer = try WorkerThread(name: "closer") {
        let isMine = lane.acquire(deadline: deadline)
        ended.append(isMine)
        if isMine { lane.release() }
      }
      if isGranted {
        #expect(eventually { lane.waiterCount == 2 })
        #expect(lane.occupancy == 2)
        lane.release()
      }
      closer.join()
      #expect(ended.all == [isGranted])
      if !isGranted { #expect(lane.waiterCount == 1 && lane.occupancy == 2) }
    }
    #expect(eventually { lane.occupancy == 0 })
  }

  @Test func `the lane can be released after its only waiter has timed out`() throws {
    lane.acquire()
    let lane = lane
    let gotIt = SharedList<Bool>()
    let impatient = try WorkerThread(name: "impatient") {
      gotIt.append(lane.acquire(deadline: MonotonicClock.now + 1_000_000))
    }
    impatient.join()
    #expect(gotIt.all == [false])
    lane.release()
    #expect(lane.tryAcquire())
    lane.release()
  }

  //  holder                              waiter
  //  ──────────────────────────────────  ──────────────────────────────────
  //  holds the lane, names a deadline
  //                                      waits until that deadline
  //  releases a little after it          gives up a little after it
  //
  /// The delay is random in each round, so that the timeout meets every step of a release.
  @Test func `a waiter that times out during a release does no harm`() throws {
    let lane = lane
    let guarded = Unguarded()
    let taken = Atomic<Int>(0)
    let rounds = TestScale.count(6_000)
    let deadlines = (0..<rounds).map { _ in SharedNumber() }
    try onThreads(2) { index in
      for round in 0..<rounds {
        let deadline = deadlines[round]
        if index == 0 {
          lane.acquire()
          deadline.value.store(MonotonicClock.now + 5_000, ordering: .releasing)
          let end = MonotonicClock.now + 5_000 + UInt64.random(in: 0...120_000)
          while MonotonicClock.now < end {}
        } else {
          while deadline.value.load(ordering: .acquiring) == 0 {}
          guard lane.acquire(deadline: deadline.value.load(ordering: .relaxed)) else { continue }
        }
        guarded.count += 1
        taken.add(1, ordering: .relaxed)
        lane.release()
      }
    }
    #expect(guarded.count == taken.load(ordering: .relaxed))
    #expect(lane.waiterCount == 0)
    #expect(lane.tryAcquire())
    lane.release()
  }

  @Test func `a lane knows its holder`() throws {
    let lane = lane
    #expect(!lane.isHeldByCurrentThread)
    lane.acquire()
    #expect(lane.isHeldByCurrentThread)
    #expect(!lane.tryAcquire())
    let answers = SharedList<Bool>()
    let other = try WorkerThread(name: "other") {
      answers.append(lane.isHeldByCurrentThread)
      answers.append(lane.tryAcquire())
    }
    other.join()
    lane.enqueue { answers.append(lane.isHeldByCurrentThread) }
    lane.release()
    #expect(!lane.isHeldByCurrentThread)
    #expect(eventually { answers.all.count == 3 })
    #expect(answers.all == [false, false, true])
  }

  @Test func `a job may queue further jobs on its own lane`() {
    let lane = lane
    let served = SharedList<Int>()
    lane.enqueue {
      lane.enqueue { served.append(2) }
      served.append(1)
    }
    #expect(eventually { served.all == [1, 2] })
  }
}
