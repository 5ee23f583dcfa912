import BenchResults
import Foundation
import Testing
import ThreadingPrimitives

@testable import EngineBenchmarks

struct RoundTests {
  private func runner(rounds: Int, interruption: StopFlag = StopFlag()) -> RoundRunner {
    RoundRunner(
      rounds: rounds,
      batchNanoseconds: 1_000,
      seed: 5,
      interruption: interruption,
      probe: SyncProbe(path: NSTemporaryDirectory() + UUID().uuidString, appends: 2)
    )
  }

  /// A contestant that returns the given figures; the first one is the warm-up.
  private func scripted(_ name: String, _ figures: [Double], _ onTurn: @escaping () -> Void = {}) -> Contestant {
    var left = figures[...]
    return Contestant(name, .fixed(10)) { _ in
      onTurn()
      return left.popFirst() ?? .nan
    }
  }

  @Test func `Each round has every contestant once, in an order that depends on the seed`() {
    let orders = RoundRunner.orders(of: 4, rounds: 50, seed: 1, trial: "a")
    #expect(orders.allSatisfy { $0.sorted() == [0, 1, 2, 3] })
    #expect(Set(orders).count > 10)
    #expect(orders == RoundRunner.orders(of: 4, rounds: 50, seed: 1, trial: "a"))
    #expect(orders != RoundRunner.orders(of: 4, rounds: 50, seed: 2, trial: "a"))
    #expect(orders != RoundRunner.orders(of: 4, rounds: 50, seed: 1, trial: "b"))
  }

  @Test func `A ratio compares figures of the same round`() throws {
    let trial = Trial(
      name: "made up",
      contestants: [scripted("a", [99, 10, 20, 30]), scripted("b", [99, 5, 4, 60])]
    )
    let record = try runner(rounds: 3).run(trial)
    #expect(record.figures == ["a": [10, 20, 30], "b": [5, 4, 60]])
    #expect(record.rounds(of: .ratio(of: "a", to: "b")) == [2, 5, 0.5])
    #expect(record.rounds(of: .value(of: "b")) == [5, 4, 60])
    #expect(record.rounds(of: .ratio(of: "a", to: "c")) == nil)
    #expect(record.queuedShares.count == 3)
    #expect(record.operations == ["a": 10, "b": 10])
    #expect(record.probeNanoseconds.isEmpty && record.medianProbe == nil)
  }

  @Test func `A trial may have longer and fewer turns`() throws {
    func record(_ turns: LongTurns?, rounds: Int) throws -> TrialRecord {
      let contestant = Contestant("a") { _ in 100 }
      return try runner(rounds: rounds).run(
        Trial(name: "turns", contestants: [contestant], longTurns: turns)
      )
    }
    let long = LongTurns(nanoseconds: 100_000_000, mostRounds: 3)
    #expect(try record(nil, rounds: 5).figures["a"]?.count == 5)
    #expect(try record(long, rounds: 5).operations == ["a": 1_000_000])
    #expect(try record(long, rounds: 5).figures["a"]?.count == 3)
    #expect(try record(long, rounds: 2).figures["a"]?.count == 2)
  }

  @Test func `The disk is probed in each round of a trial that waits for it`() throws {
    let trial = Trial(name: "disk", contestants: [scripted("a", [1, 1, 1])], waitsForDisk: true)
    #expect(try runner(rounds: 2).run(trial).probeNanoseconds.count == 4)
  }

  @Test func `An interruption ends a trial before the next turn`() throws {
    let interruption = StopFlag()
    var turns = 0
    let contestant = scripted("a", [1, 1, 1, 1]) {
      turns += 1
      if turns == 3 { interruption.raise() }
    }
    let trial = Trial(name: "long", contestants: [contestant])
    #expect(throws: BenchmarkInterrupted.self) { try runner(rounds: 9, interruption: interruption).run(trial) }
    #expect(turns == 3)
  }

  @Test func `A turn runs as many operations as fill its time`() throws {
    var asked: [Int] = []
    // An operation takes 100 ns of busy waiting. The time that really passes depends on the machine, so the test knows
    // only bounds.
    let contestant = Contestant("a") { operations in
      asked.append(operations)
      let until = MonotonicClock.now + UInt64(operations) * 100
      while MonotonicClock.now < until {}
      return 100
    }
    let operations = try contestant.calibrated(to: 1_000_000)
    #expect(asked.first == 1)
    #expect(zip(asked, asked.dropFirst()).allSatisfy { $1 == $0 * 4 })
    #expect(operations == min(10_000, (asked.last ?? 0) * 8))
    #expect(try Contestant("b", .fixed(7)) { Double($0) }.calibrated(to: 1_000_000) == 7)
  }

  @Test(
    arguments: [(1_000, 0, 1_000), (1_000, 250, 750), (1_000, 5_000, 1), (0, 7, 0)] as [(UInt64, UInt64, UInt64)]
  )
  func `The time that a thread waited for a core is subtracted`(took: UInt64, waited: UInt64, expected: UInt64) {
    #expect(RunQueue.net(took: took, waited: waited) == expected)
  }

  @Test(arguments: [("12 345 6\n", 345), ("", 0), ("1\n", 0), ("a b c", 0)] as [(String, UInt64)])
  func `The time waited for a core is the second number of the kernel's line`(line: String, expected: UInt64) {
    #expect(RunQueue.waited(in: line) == expected)
  }
}
