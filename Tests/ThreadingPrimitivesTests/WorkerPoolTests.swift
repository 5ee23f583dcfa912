import HarnessPrimitives
import Synchronization
import TestSupport
import Testing

@testable import ThreadingPrimitives

/// The limit of a pool's threads, and lanes whose jobs wait for a thread.
@Suite(.timeLimit(.minutes(20))) struct WorkerPoolTests {
  @Test func `a pool starts no more threads than its limit, and further jobs wait`() throws {
    let pool = WorkerPool(name: "pool-test", limit: 3)
    let gate = StartGate()
    let done = Atomic<Int>(0)
    for _ in 0..<20 {
      try pool.run {
        gate.wait()
        done.add(1, ordering: .relaxed)
      }
    }
    #expect(pool.threadCount == 3 && pool.waitingCount == 17)
    gate.open()
    #expect(eventually { done.load(ordering: .relaxed) == 20 })
    #expect(pool.threadCount == 3 && pool.waitingCount == 0)
  }

  @Test func `jobs that wait for a thread run in their order`() throws {
    let pool = WorkerPool(name: "pool-test", limit: 1)
    let gate = StartGate()
    let served = SharedList<Int>()
    try pool.run { gate.wait() }
    for index in 0..<200 { try pool.run { served.append(index) } }
    gate.open()
    #expect(eventually { served.all.count == 200 })
    #expect(served.all == Array(0..<200))
  }

  @Test func `jobs of half of the threads leave the other threads to other jobs`() throws {
    let pool = WorkerPool(name: "pool-test", limit: 4)
    let gate = StartGate()
    let served = SharedList<String>()
    let lanes = (0..<6).map { Lane(name: "lane \($0)", pool: pool) }
    for lane in lanes {
      lane.enqueue(occupying: .half) { _ in
        gate.wait()
        served.append("half")
      }
    }
    #expect(pool.threadCount == 2 && pool.waitingCount == 4)
    try pool.run { served.append("all") }
    #expect(eventually { served.all == ["all"] })
    gate.open()
    #expect(eventually { served.all.count == 7 })
    for lane in lanes { lane.withLane {} }
  }

  //  a job of a                       the only thread
  //  ──────────────────────────────  ──────────────────────────────
  //  runs on the only thread
  //                                   a job of b waits for it
  //  waits for b
  //                                   a second thread runs the job of b
  //  acquires b
  @Test func `a job for whose lane a holder of another lane waits is started beyond the limit`() throws {
    let pool = WorkerPool(name: "pool-test", limit: 1)
    let lanes = (0..<3).map { Lane(name: "lane \($0)", pool: pool) }
    let gate = StartGate()
    let served = SharedList<Int>()
    lanes[0].enqueue {
      gate.wait()
      lanes[1].withLane { served.append(0) }
    }
    lanes[1].enqueue {
      lanes[2].withLane { served.append(1) }
    }
    lanes[2].enqueue { served.append(2) }
    #expect(pool.waitingCount == 2)
    gate.open()
    #expect(eventually { served.all.count == 3 })
    #expect(served.all == [2, 1, 0])
    for lane in lanes { lane.withLane {} }
  }

  //  this thread       a job of a              a job of b
  //  ────────────────  ──────────────────────  ────────────────
  //  holds b
  //                                            is in line for b
  //                    is in line for b
  //  releases b
  //                                            runs on a second thread
  //                    acquires b
  @Test func `a job that is granted a lane while a holder of another lane is in line is started too`() throws {
    let pool = WorkerPool(name: "pool-test", limit: 1)
    let (a, b) = (Lane(name: "a", pool: pool), Lane(name: "b", pool: pool))
    let served = SharedList<String>()
    b.acquire()
    b.enqueue { served.append("b") }
    a.enqueue { b.withLane { served.append("a") } }
    #expect(eventually { b.waiterCount == 2 })
    b.release()
    #expect(eventually { served.all == ["b", "a"] })
    for lane in [a, b] { lane.withLane {} }
  }

  //  this thread                 the only thread       a job of b
  //  ──────────────────────────  ────────────────────  ──────────────────────
  //  holds the write lane        waits for the gate
  //                                                    waits for a thread
  //  waits for b
  //                                                    waits for the write lane
  //  is refused
  @Test func `a deadlock with a job that waits for a thread is detected`() throws {
    let pool = WorkerPool(name: "pool-test", limit: 1)
    let lanes = (0..<3).map { Lane(name: "lane \($0)", pool: pool) }
    let (gate, served) = (StartGate(), SharedList<String>())
    lanes[2].enqueue { gate.wait() }
    lanes[1].enqueue { lanes[0].withLane { served.append("job") } }
    #expect(pool.waitingCount == 1)
    lanes[0].acquire()
    #expect(throws: LaneDeadlock.self) { try lanes[1].acquire(mayFail: true) }
    #expect(served.all.isEmpty)
    lanes[0].release()
    #expect(eventually { served.all == ["job"] })
    gate.open()
    for lane in lanes { lane.withLane {} }
  }

  /// Jobs use lanes with higher numbers than their own, so every order of them ends.
  @Test(arguments: [1, 2, 5]) func `jobs that wait for each other's lanes all end`(limit: Int) throws {
    let seed = Seed.announce(for: "WorkerPoolTests")
    var random = RandomStream(seed: seed)
    let pool = WorkerPool(name: "pool-test", limit: limit)
    let lanes = (0..<8).map { Lane(name: "lane \($0)", pool: pool) }
    let done = Atomic<Int>(0)
    let count = TestScale.count(4_000)
    for _ in 0..<count {
      let path = lanes.indices.filter { _ in random.chance(oneIn: 3) }
      guard let first = path.first else {
        done.add(1, ordering: .relaxed)
        continue
      }
      lanes[first].enqueue(occupying: random.chance(oneIn: 2) ? .half : .all) { _ in
        for index in path.dropFirst() { lanes[index].acquire() }
        for index in path.dropFirst().reversed() { lanes[index].release() }
        done.add(1, ordering: .relaxed)
      }
    }
    #expect(eventually { done.load(ordering: .relaxed) == count }, "with seed \(seed)")
    for lane in lanes { lane.withLane {} }
  }

  @Test func `a wait for a lane that an event ends keeps its place in line until then`() throws {
    let lane = Lane(name: "lane", pool: WorkerPool(name: "pool-test"))
    let event = LaneEvent()
    let answers = SharedList<Bool>()
    lane.acquire()
    let waiter = try WorkerThread(name: "waiter") {
      answers.append((try? lane.acquire(mayFail: false, unless: event)) ?? true)
    }
    #expect(eventually { lane.waiterCount == 1 })
    event.happen()
    waiter.join()
    #expect(answers.all == [false] && lane.waiterCount == 0)
    let next = try WorkerThread(name: "next") {
      answers.append((try? lane.acquire(mayFail: false, unless: LaneEvent())) ?? false)
      lane.release()
    }
    #expect(eventually { lane.waiterCount == 1 })
    lane.release()
    next.join()
    #expect(answers.all == [false, true])
  }

  @Test func `deep recursion runs on a larger stack, and passes its result and its error on`() throws {
    struct Failure: Error {}
    let outcome = SharedList<Int>()
    let thread = try WorkerThread(name: "small", stackBytes: 256 << 10) {
      outcome.append((try? LargeStack.run { depth(of: 5_000) }) ?? -1)
      do { try LargeStack.run { throw Failure() } } catch { outcome.append(error is Failure ? 1 : 0) }
    }
    thread.join()
    #expect(outcome.all == [5_000, 1])
  }
}

/// Recurses without being optimized to a loop.
@inline(never)
private func depth(of count: Int) -> Int {
  count == 0 ? 0 : withUnsafeBytes(of: count) { _ in depth(of: count - 1) } + 1
}

/// The decisions of a pool when the system starts no thread.
@Suite struct WorkerPoolStateTests {
  private final class Worker: Sendable {}

  private let second: UInt64 = 1_000_000_000

  private func job(_ lane: Lane? = nil) -> WorkerPool.Job {
    WorkerPool.Job(lane: lane.map { ObjectIdentifier($0) }) { _ in }
  }

  private func isStart(_ submission: WorkerPoolState<Worker>.Submission) -> Bool {
    if case .start = submission { true } else { false }
  }

  @Test func `a job is refused if there is no other thread`() {
    var state = WorkerPoolState<Worker>(limit: 8)
    #expect(isStart(state.submit(job(), now: 0)))
    if case .none = state.startFailed(job(), now: 0) {} else { Issue.record("the job is kept") }
    #expect(state.threadCount == 0 && state.waitingCount == 0)
    // The next job tries again.
    #expect(isStart(state.submit(job(), now: 0)))
  }

  @Test func `after a failure jobs wait for the threads, of which one ends, until the pause is over`() {
    var state = WorkerPoolState<Worker>(limit: 8)
    let workers = [Worker(), Worker(), Worker()]
    for _ in workers { #expect(isStart(state.submit(job(), now: 0))) }
    #expect(isStart(state.submit(job(), now: 0)))
    if case .line = state.startFailed(job(), now: 0) {} else { Issue.record("the job does not wait") }
    #expect(state.threadCount == 3 && state.waitingCount == 1)
    // Another part of the process can have this one.
    if case .end = state.ended(job(), by: workers[0], now: second) {} else { Issue.record("the first thread stays") }
    #expect(!isStart(state.submit(job(), now: 2 * second)))
    for expected in [1, 0] {
      if case .run = state.ended(job(), by: workers[1], now: 3 * second) {} else { Issue.record("no job is run") }
      #expect(state.waitingCount == expected)
    }
    // Idle threads end, except the last.
    if case .end = state.ended(job(), by: workers[1], now: 4 * second) {} else { Issue.record("the second stays") }
    if case .idle = state.ended(job(), by: workers[2], now: 5 * second) {} else { Issue.record("the last ends") }
    #expect(state.threadCount == 1)
    if case .give = state.submit(job(), now: 6 * second) {} else { Issue.record("the idle thread gets no job") }
    #expect(!isStart(state.submit(job(), now: 7 * second)))
    #expect(isStart(state.submit(job(), now: 20 * second)))
  }

  @Test func `a worker that became idle meanwhile gets the job whose thread could not be started`() {
    var state = WorkerPoolState<Worker>(limit: 8)
    let worker = Worker()
    for _ in 0..<2 { #expect(isStart(state.submit(job(), now: 0))) }
    if case .idle = state.ended(job(), by: worker, now: 0) {} else { Issue.record("the worker ends") }
    guard case .worker(let found) = state.startFailed(job(), now: 0) else {
      Issue.record("the idle worker gets no job")
      return
    }
    #expect(found === worker && state.threadCount == 1 && state.waitingCount == 0)
  }

  @Test func `a job that cannot be hurried waits before all others`() {
    var state = WorkerPoolState<Worker>(limit: 1)
    let worker = Worker()
    let pool = WorkerPool(name: "pool-test")
    let lanes = [Lane(name: "a", pool: pool), Lane(name: "b", pool: pool)]
    #expect(isStart(state.submit(job(), now: 0)))
    for lane in lanes { #expect(!isStart(state.submit(job(lane), now: 0))) }
    let none = state.takeWaiting(holding: ObjectIdentifier(pool))
    #expect(none == nil)
    let taken = state.takeWaiting(holding: ObjectIdentifier(lanes[1]))
    #expect(taken?.lane == ObjectIdentifier(lanes[1]) && state.threadCount == 2)
    if let taken, state.hurryFailed(taken) != nil { Issue.record("there is an idle worker") }
    #expect(state.threadCount == 1 && state.waitingCount == 2)
    for lane in lanes.reversed() {
      guard case .run(let next) = state.ended(job(), by: worker, now: 0) else {
        Issue.record("no job is run")
        continue
      }
      #expect(next.lane == ObjectIdentifier(lane))
    }
  }
}
