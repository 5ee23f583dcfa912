import HarnessPrimitives
import TestSupport
import Testing
import ThreadingPrimitives
import YapEngine

@testable import EngineStress

/// Schedules of threads that use the lanes and signals of the engine, without the engine.
@Suite(.enabled(if: TestHooks.areBuiltIn)) struct TokenScheduleTests {
  private static func schedule(
    seed: UInt64 = 1,
    _ rule: ScheduleRule = .pct,
    mostSteps: Int = 1_000
  ) -> TokenSchedule {
    TokenSchedule(
      ThreadChoice(rule, depth: 3, steps: 40, random: RandomStream(seed: seed)),
      mostSteps: mostSteps,
      timeJumpRarity: nil,
      random: RandomStream(seed: seed)
    )
  }

  /// Runs `body` on threads of the schedule.
  private static func run(
    _ schedule: TokenSchedule,
    threads: Int,
    _ body: @escaping @Sendable (Int) -> Void
  ) throws -> TokenSchedule.Outcome {
    try schedule.run {
      do {
        let started = try (0..<threads).map { index in
          try WorkerThread(name: "member \(index)") { body(index) }
        }
        for thread in started { thread.join() }
      } catch {
        Issue.record("\(error)")
      }
    }
  }

  /// Returns the order in which three threads pass four places each.
  private static func order(seed: UInt64, _ rule: ScheduleRule) throws -> (order: [Int], digest: UInt64) {
    let order = SharedList<Int>()
    let outcome = try run(schedule(seed: seed, rule), threads: 3) { index in
      for place in 0..<4 {
        order.append(index)
        ScheduledThread.reach("place \(place)")
      }
    }
    #expect(outcome.failure == nil)
    return (order.all, outcome.digest)
  }

  @Test(arguments: ScheduleRule.allCases)
  func `a seed determines the order, and different seeds give different orders`(_ rule: ScheduleRule) throws {
    var orders: Set<[Int]> = []
    for seed in 1...20 as ClosedRange<UInt64> {
      let (order, digest) = try Self.order(seed: seed, rule)
      let (again, same) = try Self.order(seed: seed, rule)
      #expect(order == again && digest == same)
      #expect(order.count == 12)
      orders.insert(order)
    }
    #expect(orders.count > 5)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `one thread at a time holds a lane`(seed: UInt64) throws {
    let lane = Lane(name: "lane", pool: WorkerPool(name: "pool"))
    let inside = SharedList<Int>()
    let outcome = try Self.run(Self.schedule(seed: seed, .uniform), threads: 4) { index in
      for _ in 0..<3 {
        lane.withLane {
          inside.append(index)
          ScheduledThread.reach("inside")
          inside.append(index)
        }
      }
    }
    #expect(outcome.failure == nil)
    let all = inside.all
    #expect(all.count == 24)
    for pair in 0..<all.count / 2 { #expect(all[2 * pair] == all[2 * pair + 1]) }
  }

  @Test func `threads that wait for each other are a deadlock, whose report has the state of every thread`() throws {
    let parkers = [Parker(), Parker()]
    let outcome = try Self.run(Self.schedule(), threads: 2) { index in
      ScheduledThread.reach("place \(index)")
      parkers[index].park()
      parkers[1 - index].unpark()
    }
    let failure = try #require(outcome.failure)
    #expect(failure.hasPrefix("deadlock: no thread can run: "))
    #expect(failure.contains("\"member 0\" waits after place 0"))
    #expect(failure.contains("\"member 1\" waits after place 1"))
    #expect(failure.contains("\"main\" waits for the end of \"member 0\""))
  }

  @Test func `threads that never end are reported`() throws {
    let outcome = try Self.run(Self.schedule(mostSteps: 200), threads: 2) { _ in
      while true { ScheduledThread.reach("again") }
    }
    #expect(outcome.failure?.hasPrefix("the threads have not ended after 200 steps: ") == true)
  }

  @Test func `time passes only while no thread can run`() throws {
    let times = SharedList<UInt64>()
    let start = MonotonicClock.now
    let outcome = try Self.run(Self.schedule(), threads: 2) { index in
      let began = MonotonicClock.now
      if index == 0 {
        Parker().park(deadline: began + 3_600_000_000_000)
        times.append(MonotonicClock.now - began)
      } else {
        for _ in 0..<10 { ScheduledThread.reach("step") }
        times.append(MonotonicClock.now - began)
      }
    }
    #expect(outcome.failure == nil)
    let all = times.all
    #expect(all.count == 2 && all[0] < 1_000_000 && all[1] >= 3_600_000_000_000)
    // Outside of the schedule the clock is the system's.
    #expect(MonotonicClock.now - start < 3_600_000_000_000)
  }

  @Test func `a wake that precedes the wait is not lost, and a deadline ends a wait`() throws {
    let results = SharedList<Bool>()
    let outcome = try Self.run(Self.schedule(), threads: 1) { _ in
      let parker = Parker()
      parker.unpark()
      results.append(parker.park())
      results.append(parker.park(deadline: MonotonicClock.now + 1_000))
    }
    #expect(outcome.failure == nil)
    #expect(results.all == [true, false])
  }

  @Test func `threads of a pool belong to the schedule of the thread that starts them`() throws {
    let pool = WorkerPool(name: "pool")
    let ran = SharedList<Bool>()
    let outcome = try Self.run(Self.schedule(), threads: 1) { _ in
      let done = Parker()
      let started: Void? = try? pool.run {
        ran.append(ScheduledThread.current != nil)
        done.unpark()
      }
      if started != nil { done.park() }
    }
    #expect(outcome.failure == nil)
    #expect(ran.all == [true])
  }
}
