import Synchronization
import TestSupport
import Testing

@testable import ThreadingPrimitives

@Suite struct LaneDeadlockTests {
  private let pool = WorkerPool(name: "lane-test")

  private func lanes(_ count: Int) -> [Lane] {
    (0..<count).map { Lane(name: "lane \($0)", pool: pool) }
  }

  //  this thread                          other
  //  ──────────────────────────────────  ──────────────────────────────────
  //  holds 0
  //                                       holds 1, waits for 0
  //  asks for 1: refused
  //  releases 0
  //                                       has 0
  @Test func `a wait that closes a circle and may fail is refused, and the other thread continues`() throws {
    let lanes = lanes(2)
    let reached = SharedList<Int>()
    lanes[0].acquire()
    let other = try WorkerThread(name: "other") {
      lanes[1].withLane { lanes[0].withLane { reached.append(0) } }
    }
    #expect(eventually { lanes[0].waiterCount == 1 })
    let deadlock = #expect(throws: LaneDeadlock.self) { try lanes[1].acquire(mayFail: true) }
    #expect(deadlock?.description == "lane 0 waits for lane 1, lane 1 waits for lane 0")
    #expect(!lanes[1].isHeldByCurrentThread)
    lanes[0].release()
    other.join()
    #expect(reached.all == [0])
    #expect(lanes.allSatisfy { $0.waiterCount == 0 && $0.occupancy == 0 })
  }

  //  this thread                          other                           third
  //  ──────────────────────────────────  ──────────────────────────────  ────────────────────
  //  holds 0
  //                                       holds 1, waits for 0 (may fail)
  //                                                                       waits for 0
  //  asks for 1, may not fail: waits
  //                                       is woken and refused
  //  has 1, releases both
  //                                                                       has 0
  @Test func `if the wait that closes the circle may not fail, a wait that is under way fails instead`() throws {
    let lanes = lanes(2)
    let found = SharedList<String>()
    lanes[0].acquire()
    let other = try WorkerThread(name: "other") {
      lanes[1].withLane {
        do throws(LaneDeadlock) { try lanes[0].acquire(mayFail: true) } catch { found.append(error.description) }
      }
    }
    #expect(eventually { lanes[0].waiterCount == 1 })
    let third = try WorkerThread(name: "third") { lanes[0].withLane { found.append("third") } }
    #expect(eventually { lanes[0].waiterCount == 2 })
    lanes[1].acquire()
    lanes[1].release()
    lanes[0].release()
    other.join()
    third.join()
    #expect(found.all == ["lane 1 waits for lane 0, lane 0 waits for lane 1", "third"])
  }

  @Test func `lanes may be released in any order, and the others stay held`() {
    let lanes = lanes(3)
    for lane in lanes { lane.acquire() }
    #expect(!lanes[0].isInsideAnother && lanes[2].isInsideAnother)
    lanes[1].release()
    #expect(Lane.innermostOfCurrentThread === lanes[2] && lanes[2].below === lanes[0])
    lanes[0].release()
    #expect(lanes[2].below == nil && Lane.isAnyHeldByCurrentThread)
    lanes[2].release()
    #expect(!Lane.isAnyHeldByCurrentThread)
  }

  /// Threads and jobs acquire lanes in any order, nested. None hangs, and a lane has one holder at a time.
  @Test(arguments: [2, 3, 5])
  func `random nesting never hangs`(laneCount: Int) throws {
    let lanes = lanes(laneCount)
    let guarded = lanes.map { _ in Unguarded() }
    let counts = lanes.map { _ in SharedNumber() }
    let refusals = Atomic<Int>(0)
    let jobs = Atomic<Int>(0)
    let rounds = TestScale.count(1_500)

    // Whether a wait may fail is random too. A wait that may not fail is for a lane above all held lanes, because such
    // waits alone form no circle.
    @Sendable func take(_ generator: inout SystemRandomNumberGenerator, above highest: Int, depth: Int) {
      let mayFail = highest < 0 || Bool.random(using: &generator)
      let lane = mayFail ? Int.random(in: 0..<laneCount, using: &generator) : highest + 1
      guard lane < laneCount, !lanes[lane].isHeldByCurrentThread else { return }
      do throws(LaneDeadlock) { try lanes[lane].acquire(mayFail: mayFail) } catch {
        refusals.add(1, ordering: .relaxed)
        return
      }
      guarded[lane].count += 1
      counts[lane].value.add(1, ordering: .relaxed)
      if depth > 0 { take(&generator, above: max(lane, highest), depth: depth - 1) }
      lanes[lane].release()
    }

    // Threads that run one after the other on a busy machine form no circle.
    for _ in 0..<20 where refusals.load(ordering: .relaxed) == 0 {
      try onThreads(4) { _ in
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<rounds {
          take(&generator, above: -1, depth: 3)
          let lane = Int.random(in: 0..<laneCount, using: &generator)
          guard jobs.load(ordering: .relaxed) < rounds else { continue }
          jobs.add(1, ordering: .relaxed)
          lanes[lane].enqueue {
            var generator = SystemRandomNumberGenerator()
            guarded[lane].count += 1
            counts[lane].value.add(1, ordering: .relaxed)
            take(&generator, above: lane, depth: 2)
          }
        }
      }
      for (lane, number) in zip(lanes, lanes.indices) {
        #expect(eventually { lane.occupancy == 0 })
        lane.withLane { #expect(guarded[number].count == counts[number].value.load(ordering: .relaxed)) }
      }
    }
    #expect(refusals.load(ordering: .relaxed) > 0)
  }
}
