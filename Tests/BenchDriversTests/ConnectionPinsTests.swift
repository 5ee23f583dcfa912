import BenchResults
import Testing

@testable import BenchDrivers

@Suite("The ages of pins") struct ConnectionPinsTests {
  private func age(_ pins: ConnectionPins, newest: UInt64, now: UInt64) -> [String] {
    pins.samples(newest: newest, now: now).map { _, sample in
      "\(sample.name): \(sample.ageCommits) commits, \(sample.ageNanoseconds) ns, \(sample.pinnedNanoseconds ?? 0) ns"
    }
  }

  @Test func `begin with the first commit after the snapshot`() {
    var pins = ConnectionPins()
    #expect(pins.addConnection("one") == 1)
    #expect(pins.addConnection("two") == 2)
    pins.pin(1, at: 5, newest: 5, now: 100)
    #expect(age(pins, newest: 5, now: 130) == ["one: 0 commits, 0 ns, 30 ns", "two: 0 commits, 0 ns, 0 ns"])
    pins.recordCommit(6, now: 150)
    pins.recordCommit(7, now: 160)
    #expect(age(pins, newest: 7, now: 170).first == "one: 2 commits, 20 ns, 70 ns")
    pins.pin(2, at: 6, newest: 7, now: 200)
    #expect(age(pins, newest: 7, now: 210).last == "two: 1 commits, 10 ns, 10 ns")
    pins.unpin(1)
    #expect(age(pins, newest: 7, now: 210).first == "one: 0 commits, 0 ns, 0 ns")
    pins.removeConnection(1)
    #expect(age(pins, newest: 7, now: 210).count == 1)
  }

  @Test func `do not begin with a commit that the snapshot contains`() {
    var pins = ConnectionPins()
    _ = pins.addConnection("one")
    // The snapshot is pinned before its newest commit is recorded.
    pins.pin(1, at: 6, newest: 5, now: 100)
    pins.recordCommit(6, now: 110)
    #expect(age(pins, newest: 6, now: 150) == ["one: 0 commits, 0 ns, 50 ns"])
    pins.recordCommit(7, now: 160)
    #expect(age(pins, newest: 7, now: 170) == ["one: 1 commits, 10 ns, 70 ns"])
  }
}
