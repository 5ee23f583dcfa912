import TestSupport
import Testing

@testable import ThreadingPrimitives

@Suite struct GuardedTests {
  @Test func `a guarded value is changed by one thread at a time`() throws {
    let shared = Shared<[Int]>(Guarded([0, 0]))
    let rounds = TestScale.count(20_000)
    try onThreads(4) { index in
      for _ in 0..<rounds {
        shared.guarded.withLock { counts in
          counts[index % 2] += 1
          // Lengthens the section, so that other threads arrive while it runs.
          if counts[0] % 64 == 0 { counts = counts.map { $0 } }
        }
      }
    }
    let found = shared.guarded.withLock { $0.map { $0 } }
    #expect(found == [2 * rounds, 2 * rounds])
  }

  @Test func `an error leaves the value free for the next`() {
    let value = Guarded(1)
    #expect(throws: Refusal.self) {
      try value.withLock { number in
        number = 2
        throw Refusal()
      }
    }
    let found = value.withLock { $0 }
    #expect(found == 2)
  }

  @Test func `a value ends with its guard`() {
    weak var value: StopFlag?
    do {
      let shared = Shared<StopFlag>(Guarded(StopFlag()))
      value = shared.guarded.withLock { $0 }
      #expect(value != nil)
    }
    #expect(value == nil)
  }

  private final class Shared<Value: Sendable>: Sendable {
    let guarded: Guarded<Value>

    init(_ guarded: consuming Guarded<Value>) { self.guarded = guarded }
  }

  private struct Refusal: Error {}
}
