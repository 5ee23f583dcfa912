import HarnessPrimitives
import Testing

@testable import EngineStress

/// The choice of the thread that runs next.
@Suite struct ThreadChoiceTests {
  private static func choice(_ rule: ScheduleRule, depth: Int = 3, steps: Int = 20, seed: UInt64) -> ThreadChoice {
    var choice = ThreadChoice(rule, depth: depth, steps: steps, random: RandomStream(seed: seed))
    for _ in 0..<4 { choice.addThread() }
    return choice
  }

  /// Returns the threads chosen at 40 steps, at which all four can run.
  private static func chosen(_ choice: ThreadChoice) -> [Int] {
    var choice = choice
    var chosen = [0]
    for step in 1...40 { chosen.append(choice.next(after: chosen[step - 1], of: [0, 1, 2, 3], at: step)) }
    return chosen
  }

  private static func changes(_ chosen: [Int]) -> Int {
    zip(chosen.dropFirst(), chosen.dropFirst(2)).count { $0 != $1 }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `priorities change the running thread at depth - 1 steps`(seed: UInt64) {
    for depth in 1...4 {
      // A change at the first step is before the first choice that is counted.
      #expect((depth - 2...depth - 1).contains(Self.changes(Self.chosen(Self.choice(.pct, depth: depth, seed: seed)))))
    }
  }

  @Test func `a thread whose priority has changed runs only if no other can`() {
    for seed in 1...50 as ClosedRange<UInt64> {
      let chosen = Self.chosen(Self.choice(.pct, depth: 2, seed: seed))
      guard let change = chosen.indices.dropFirst(2).first(where: { chosen[$0] != chosen[$0 - 1] }) else { continue }
      #expect(!chosen[change...].contains(chosen[change - 1]))
    }
  }

  @Test func `the priorities of all changes differ`() {
    for seed in 1...50 as ClosedRange<UInt64> {
      let priorities = Self.choice(.pct, depth: 5, steps: 5, seed: seed).changes.values
      #expect(priorities.sorted() == [0, 1, 2, 3])
    }
  }

  @Test func `every thread is chosen first by some seed, and both rules depend only on the seed`() {
    for rule in ScheduleRule.allCases {
      let runs = (1...50 as ClosedRange<UInt64>).map { Self.chosen(Self.choice(rule, seed: $0)) }
      #expect(Set(runs.map { $0[1] }) == [0, 1, 2, 3])
      #expect(runs == (1...50).map { Self.chosen(Self.choice(rule, seed: $0)) })
    }
  }

  @Test func `the uniform rule changes the thread at most steps`() {
    #expect(Self.changes(Self.chosen(Self.choice(.uniform, seed: 1))) > 20)
  }
}
