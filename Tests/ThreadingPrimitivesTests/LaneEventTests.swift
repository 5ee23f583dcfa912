import Synchronization
import TestSupport
import Testing

@testable import ThreadingPrimitives

@Suite struct LaneEventTests {
  private let lane = Lane(name: "lane", pool: WorkerPool(name: "lane-test"))

  @Test func `a wait ends when the event happens, and the queue stays as it was`() throws {
    let lane = lane
    let event = LaneEvent()
    let answers = SharedList<Bool>()
    lane.acquire()
    let first = try WorkerThread(name: "first") { answers.append(lane.acquire(unless: event)) }
    #expect(eventually { lane.waiterCount == 1 })
    let second = try WorkerThread(name: "second") { lane.withLane { answers.append(true) } }
    #expect(eventually { lane.waiterCount == 2 })
    event.happen()
    first.join()
    #expect(answers.all == [false])
    #expect(lane.waiterCount == 1)
    lane.release()
    second.join()
    #expect(answers.all == [false, true])
    #expect(!lane.isHeld)
  }

  //  this thread                      others
  //  ──────────────────────────────  ──────────────────────────────
  //  holds the lane
  //                                   wait unless the event happens, twice
  //                                   wait for the lane: a thread, then a job
  //  releases
  //                                   the thread and the job run first
  @Test func `a wait that an event may end is behind all others`() throws {
    let lane = lane
    let event = LaneEvent()
    let served = SharedList<String>()
    lane.acquire()
    var threads: [WorkerThread] = []
    for name in ["last", "very last"] {
      threads.append(
        try WorkerThread(name: "last") {
          guard lane.acquire(unless: event) else { return }
          served.append(name)
          lane.release()
        }
      )
      #expect(eventually { lane.waiterCount == threads.count })
    }
    threads.append(try WorkerThread(name: "thread") { lane.withLane { served.append("thread") } })
    #expect(eventually { lane.waiterCount == 3 })
    lane.enqueue { served.append("job") }
    #expect(lane.occupancy == 5)
    lane.release()
    for thread in threads { thread.join() }
    #expect(served.all == ["thread", "job", "last", "very last"])
    #expect(eventually { !lane.isHeld })
    #expect(lane.waiterCount == 0)
  }

  @Test func `a free lane is acquired before the event, and not after it`() {
    let event = LaneEvent()
    #expect(lane.acquire(unless: event))
    #expect(lane.isHeldByCurrentThread)
    lane.release()
    event.happen()
    #expect(event.hasHappened)
    #expect(!lane.acquire(unless: event))
    #expect(!lane.isHeld)
  }

  /// The event and the turn come at the same moment, repeatedly. Exactly the threads whose wait succeeds hold the lane.
  @Test func `an event at the same time as a turn leaves no waiter and a free lane`() throws {
    let lane = lane
    let held = Atomic<Int>(0)
    for _ in 0..<TestScale.count(400) {
      let event = LaneEvent()
      lane.acquire()
      let waiters = try (0..<3).map { _ in
        try WorkerThread(name: "waiter") {
          guard lane.acquire(unless: event) else { return }
          held.add(1, ordering: .relaxed)
          lane.release()
        }
      }
      let ender = try WorkerThread(name: "ender") { event.happen() }
      lane.release()
      for thread in waiters + [ender] { thread.join() }
      #expect(!lane.isHeld)
      #expect(lane.waiterCount == 0)
    }
    #expect(held.load(ordering: .relaxed) <= 3 * TestScale.count(400))
  }
}
