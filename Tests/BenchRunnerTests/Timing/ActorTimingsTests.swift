import HarnessPrimitives
import LatencyMetrics
import TestSupport
import Testing

@testable import BenchResults
@testable import BenchRunner

@Suite("The timings of an actor") struct ActorTimingsTests {
  private static let second = ActorTimings.intervalNanoseconds

  /// The timings of an open load with single gets as transactions: wait, service, response, advance, lateness.
  private func timings() -> ActorTimings {
    ActorTimings(actor: "actor", slots: TimingSlots(Fixture.actor(load: Fixture.open)), digits: 3)
  }

  private func handOver(_ timings: ActorTimings, thread: Int, interval: Int, service: UInt64...) {
    let recorder = timings.newRecorder()
    for value in service { recorder.record(value, in: 1) }
    _ = timings.handOver(recorder, thread: thread, interval: interval)
  }

  private func services(_ collection: TimingCollection) -> [(second: UInt64, count: Int, maximum: UInt64)] {
    (collection.intervals[.service] ?? IntervalSeries())
      .map { ($0.startNanoseconds / Self.second, $0.count, $0.maximumNanoseconds) }
  }

  @Test func `a recorder is returned empty and reused`() {
    let timings = timings()
    let first = timings.newRecorder()
    first.record(5, in: 1)
    let second = timings.handOver(first, thread: 0, interval: 0)
    #expect(second !== first)
    let taken = timings.take()
    #expect(taken.map(\.interval) == [0])
    #expect(timings.take().isEmpty)
    timings.giveBack(taken[0].recorder)
    let third = timings.handOver(second, thread: 0, interval: 1)
    #expect(third === first)
    for slot in 0..<timings.slots.count { #expect(third.histogram(in: slot).isEmpty) }
  }

  @Test func `a second is closed only when every thread has left it`() {
    let timings = timings()
    var collection = TimingCollection(timings, threads: 2, digits: 3)
    collection.collect(start: 0, end: nil)
    #expect(collection.intervals.isEmpty)
    handOver(timings, thread: 0, interval: 0, service: 100)
    handOver(timings, thread: 0, interval: 1, service: 200, 200)
    collection.collect(start: 0, end: nil)
    #expect(collection.intervals.isEmpty)
    handOver(timings, thread: 1, interval: 0, service: 300)
    collection.collect(start: 0, end: nil)
    #expect(services(collection).map(\.second) == [0])
    #expect(services(collection).map(\.count) == [2])
    #expect(services(collection).map(\.maximum) == [300])
    // The second thread skips a second because of a long transaction.
    handOver(timings, thread: 1, interval: 2, service: 400)
    collection.collect(start: 0, end: nil)
    #expect(services(collection).map(\.second) == [0, 1])
    #expect(services(collection).map(\.count) == [2, 2])
  }

  @Test func `waits for a processor are collected of the seconds in which others used the processors`() {
    let timings = timings()
    var collection = TimingCollection(timings, threads: 1, digits: 3)
    let (delayed, ofAnyKind) = (timings.slots.delayedByProcessorWaits.service, timings.slots.delayedByWaits.service)
    for interval in 0..<3 {
      let recorder = timings.newRecorder()
      for slot in [1, delayed.measured, delayed.undisturbed, ofAnyKind.measured] {
        recorder.record(UInt64(interval) + 1, in: slot)
      }
      _ = timings.handOver(recorder, thread: 0, interval: interval)
    }
    collection.collect(
      start: 7,
      end: 7 + 3 * Self.second,
      isShared: { start, end in
        start == 7 + Self.second && end == start + Self.second
      }
    )
    #expect(collection.totals[delayed.measured].maximum == 2 && collection.totals[delayed.measured].count == 1)
    #expect(collection.totals[delayed.undisturbed].count == 1)
    #expect(collection.totals[1].count == 3 && collection.totals[ofAnyKind.measured].count == 3)
  }

  @Test func `each kind of time has its line for each second`() {
    let timings = timings()
    var collection = TimingCollection(timings, threads: 1, digits: 3)
    let recorder = timings.newRecorder()
    for (slot, value) in [1: 10, 2: 20, 0: 5] as [Int: UInt64] { recorder.record(value, in: slot) }
    _ = timings.handOver(recorder, thread: 0, interval: 0)
    collection.collect(start: 7, end: nil)
    #expect(collection.intervals.count == 3)
    for (kind, value) in [.wait: 5, .service: 10, .response: 20] as [TimeKind: UInt64] {
      let only = IntervalResult(startNanoseconds: 7, endNanoseconds: 7 + Self.second, Fixture.histogram(value))
      #expect(collection.intervals[kind] == IntervalSeries([only]))
    }
  }

  @Test func `waits have lines too, in seconds with waits`() throws {
    let timings = timings()
    var collection = TimingCollection(timings, threads: 1, digits: 3)
    for (interval, waits) in [(0, [30]), (1, []), (2, [40, 50])] as [(Int, [UInt64])] {
      let recorder = timings.newRecorder()
      recorder.record(5, in: 1)
      for wait in waits { recorder.record(wait, in: timings.slots.laneWait) }
      _ = timings.handOver(recorder, thread: 0, interval: interval)
    }
    collection.collect(start: 7, end: 7 + 2 * Self.second + 9)
    let waits = try #require(collection.waitIntervals[.laneWait])
    #expect(collection.waitIntervals.count == 1)
    #expect(waits.map(\.endNanoseconds) == [7 + Self.second, 7 + 2 * Self.second + 9])
    #expect(waits.map(\.count) == [1, 2])
    #expect(waits.map(\.maximumNanoseconds) == [30, 50])
  }

  @Test func `the end of the phase closes every second and shortens the last one`() {
    let timings = timings()
    var collection = TimingCollection(timings, threads: 2, digits: 3)
    handOver(timings, thread: 0, interval: 1, service: 100)
    handOver(timings, thread: 1, interval: 0, service: 100)
    let start: UInt64 = 5_000
    collection.collect(start: start, end: start + Self.second + Self.second / 2)
    let ends = collection.intervals[.service]?.map { $0.endNanoseconds - start }
    #expect(ends == [Self.second, Self.second + Self.second / 2])
  }

  @Test func `a thread that ends after the phase adds no second to it`() {
    let timings = timings()
    var collection = TimingCollection(timings, threads: 1, digits: 3)
    handOver(timings, thread: 0, interval: 0, service: 100)
    handOver(timings, thread: 0, interval: 1)
    collection.collect(start: 0, end: Self.second)
    #expect(services(collection).map(\.second) == [0])
  }

  @Test func `times after the end are not lost`() {
    let timings = timings()
    var collection = TimingCollection(timings, threads: 1, digits: 3)
    handOver(timings, thread: 0, interval: 3, service: 100)
    collection.collect(start: 0, end: Self.second)
    #expect(collection.totals[1].count == 1)
    #expect(collection.intervals.values.joined().allSatisfy { $0.endNanoseconds > $0.startNanoseconds })
  }

  @Test func `totals are the sum of all recorders from several threads`() throws {
    let timings = timings()
    let threads = 4
    let seconds = 6
    let perSecond = 500
    let seed = Seed.announce(for: "ActorTimingsTests")
    try onThreads(threads) { thread in
      var recorder = timings.newRecorder()
      var stream = RandomStream(seed: seed, "\(thread)")
      for interval in 0..<seconds {
        for _ in 0..<perSecond { recorder.record(UInt64(1 + stream.below(1_000_000)), in: stream.below(3)) }
        recorder = timings.handOver(recorder, thread: thread, interval: interval)
      }
    }
    var collection = TimingCollection(timings, threads: threads, digits: 3)
    collection.collect(start: 0, end: nil)
    var expected = (0..<timings.slots.count).map { _ in LatencyHistogram(digits: 3) }
    for thread in 0..<threads {
      var stream = RandomStream(seed: seed, "\(thread)")
      for _ in 0..<seconds * perSecond {
        let value = UInt64(1 + stream.below(1_000_000))
        expected[stream.below(3)].record(value)
      }
    }
    for (total, sum) in zip(collection.totals, expected) {
      #expect(total.count == sum.count)
      #expect(total.recorded.map(\.nanoseconds) == sum.recorded.map(\.nanoseconds))
      #expect(total.recorded.map(\.count) == sum.recorded.map(\.count))
    }
    let intervals = collection.intervals.values.joined()
    #expect(intervals.count == 3 * seconds)
    #expect(intervals.reduce(0) { $0 + $1.count } == threads * seconds * perSecond)
  }
}
