import Foundation
import HarnessPrimitives
import LatencyMetrics
import TestSupport
import Testing

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

/// The count of a finished phase's arrivals, compared with counting them one by one.
@Suite("Arrivals that did not begin") struct ArrivalSettlementTests {
  private static let length = 8.0
  private static let hour: UInt64 = 3_600_000_000_000

  private func schedule(_ curve: RateCurve, _ process: ArrivalProcess = .constant, seed: UInt64 = 1) -> ArrivalSchedule
  {
    ArrivalSchedule(curve, process, phaseLength: Self.length, workers: 3, random: RandomStream(seed: seed, "arrivals"))
  }

  /// The times of all arrivals before a time, in nanoseconds.
  private func arrivals(_ schedule: ArrivalSchedule, before end: UInt64) -> [UInt64] {
    var times: [UInt64] = []
    while let time = schedule.next(), time < end { times.append(time) }
    return times
  }

  private func histogram(_ values: some Sequence<UInt64>, digits: Int) -> LatencyHistogram {
    var histogram = LatencyHistogram(digits: digits)
    for value in values { histogram.record(value) }
    return histogram
  }

  private func isSame(_ left: LatencyHistogram, _ right: LatencyHistogram) -> Bool {
    left.count == right.count && left.minimum == right.minimum && left.maximum == right.maximum
      && left.recorded.map(\.nanoseconds) == right.recorded.map(\.nanoseconds)
      && left.recorded.map(\.count) == right.recorded.map(\.count)
  }

  @Test(arguments: ArrivalScheduleTests.curves)
  func `are due while the phase runs, whether or not a worker has taken them`(curve: RateCurve) {
    for now: UInt64 in [0, 1, 5_000_000_000, 8_000_000_000] {
      let all = arrivals(schedule(curve), before: now + 1)
      // Each of three workers may have taken an arrival that is not due yet.
      for taken in [0, 1, all.count / 2, all.count, all.count + 1, all.count + 3] {
        let schedule = schedule(curve)
        for _ in 0..<taken { _ = schedule.next() }
        #expect(schedule.dueArrivals(at: now) == all.count, "\(taken) of \(curve) by \(now)")
      }
    }
  }

  @Test(arguments: ArrivalScheduleTests.curves, ArrivalProcess.allCases)
  func `agree with a count one by one, whatever was taken before`(curve: RateCurve, process: ArrivalProcess) {
    let seed = Seed.announce(for: "ArrivalSettlementTests")
    for end: UInt64 in [0, 1, 5_000_000_000, 8_000_000_000] {
      let all = arrivals(schedule(curve, process, seed: seed), before: end)
      for taken in [0, 1, all.count / 2, max(all.count - 1, 0), all.count, all.count + 3] {
        let schedule = schedule(curve, process, seed: seed)
        for _ in 0..<taken {
          // Free workers return arrivals after the end.
          if let time = schedule.next(), time >= end { schedule.withdraw() }
        }
        for digits in [1, 3] {
          let settled = schedule.settle(at: end, digits: digits)
          let waits = histogram(all.dropFirst(taken).map { end - $0 }, digits: digits)
          #expect(settled.due == all.count, "\(taken) of \(curve) by \(end), seed \(seed)")
          #expect(isSame(settled.unbegunWaits, waits), "\(taken) of \(curve) by \(end), seed \(seed)")
        }
      }
    }
  }

  @Test(
    arguments: [
      .constant(perSecond: 300_000), .ramp(fromPerSecond: 0, toPerSecond: 400_000),
      .ramp(fromPerSecond: 400_000, toPerSecond: 10),
      .burst(
        BurstRate(
          basePerSecond: 1_000,
          peakPerSecond: 2_000_000,
          everyNanoseconds: 100_000_000,
          forNanoseconds: 10_000_000
        )
      ),
      .burst(
        BurstRate(
          basePerSecond: 1_000,
          peakPerSecond: 2_000,
          lastPeakPerSecond: 2_000_000,
          everyNanoseconds: 10_000_000,
          forNanoseconds: 1_000_000
        )
      ),
      .stages(
        RateStages([
          .init(fromPerSecond: 0, toPerSecond: 900_000, seconds: 0.1),
          .init(fromPerSecond: 100, toPerSecond: 100, seconds: 0.1),
          .init(fromPerSecond: 400_000, toPerSecond: 0, seconds: 0.05),
        ])
      ),
      .sine(lowPerSecond: 10, highPerSecond: 300_000, periodNanoseconds: 70_000_000),
    ] as [RateCurve]
  )
  func `agree if many of them share a bucket`(curve: RateCurve) {
    let end: UInt64 = 300_000_000
    for taken in [0, 10_001] {
      let schedule = schedule(curve)
      for _ in 0..<taken { _ = schedule.next() }
      var waits = LatencyHistogram(digits: 2)
      let other = self.schedule(curve)
      var number = 0
      while let time = other.next(), time < end {
        number += 1
        if number > taken { waits.record(end - time) }
      }
      // Arrivals that were taken and not returned count as due, even if the curve has not reached them by the end.
      let settled = schedule.settle(at: end, digits: 2)
      #expect(isSame(settled.unbegunWaits, waits), "\(taken) of \(curve)")
      #expect(settled.due == max(number, taken), "\(taken) of \(curve)")
    }
  }

  @Test func `of a file are exact, also if many have the same time`() throws {
    let times = (0..<3_000).map { $0 / 7 * 100_000 }
    let trace = try ArrivalTrace(text: times.map { "\($0)ns" }.joined(separator: "\n"))
    for end: UInt64 in [0, 1, 99_999, 100_000, 20_000_000, 42_800_000, 10_000_000_000] {
      for taken in [0, 5, 1_000] {
        let schedule = schedule(.trace(trace))
        for _ in 0..<taken {
          if let time = schedule.next(), time >= end { schedule.withdraw() }
        }
        let due = times.filter { $0 < end }
        let settled = schedule.settle(at: end, digits: 3)
        #expect(settled.due == due.count, "\(taken) by \(end)")
        let waits = histogram(due.dropFirst(taken).map { end - UInt64($0) }, digits: 3)
        #expect(isSame(settled.unbegunWaits, waits), "\(taken) by \(end)")
      }
    }
  }

  @Test func `that are independent and too many to be drawn have the number of the rate`() {
    let curve = RateCurve.constant(perSecond: 1_000_000)
    let settled = schedule(curve, .poisson).settle(at: 1_000_000_000, digits: 3)
    #expect(settled.due > ArrivalSchedule.mostDrawnAtEnd)
    #expect(settled.due == 1_000_000 && settled.unbegunWaits.count == 1_000_000)
    // Arrivals that are drawn one by one differ from it by at most six standard deviations of a Poisson number.
    let drawn = arrivals(
      schedule(curve, .poisson, seed: Seed.announce(for: "ArrivalSettlementTests")),
      before: 1_000_000_000
    )
    #expect(abs(drawn.count - settled.due) < 6_000)
  }

  @Test func `are counted in constant time`() {
    // To count these one by one would take days.
    let settled = schedule(.constant(perSecond: 50_000_000)).settle(at: 24 * Self.hour, digits: 3)
    #expect(settled.due == 4_320_000_000_000)
    #expect(settled.unbegunWaits.count == settled.due)
    #expect(settled.unbegunWaits.maximum == Self.hour)
    let poisson = schedule(.sine(lowPerSecond: 1, highPerSecond: 4e9, periodNanoseconds: 1), .poisson)
    #expect(poisson.settle(at: 300_000_000, digits: 3).due > 500_000_000)
    #expect(schedule(.constant(perSecond: 1e300)).settle(at: .max, digits: 1).due > 0)
  }

  @Test func `that were returned did not begin, if they were due`() {
    let schedule = schedule(.constant(perSecond: 1_000))
    let taken = (0..<6).compactMap { _ in schedule.next() }
    schedule.giveBack(taken[3], freeAt: 9_000_000)
    let settled = schedule.settle(at: 9_000_000, digits: 3)
    #expect(settled.due == 9)
    #expect(settled.unbegunWaits.count == 4)
    #expect((5_500_000...5_500_001).contains(settled.unbegunWaits.maximum))
  }

  @Test func `after the end are not due`() {
    let schedule = schedule(.constant(perSecond: 1_000))
    for _ in 0..<6 { _ = schedule.next() }
    schedule.withdraw()
    #expect(schedule.settle(at: 5_499_000, digits: 3).due == 5)
  }

  @Test(arguments: ArrivalProcess.allCases)
  func `wait until the first worker is free again, if that is after the end`(process: ArrivalProcess) throws {
    func settled(freeAt free: UInt64?) throws -> ArrivalSchedule.Settlement {
      let schedule = schedule(.constant(perSecond: 1_000), process)
      let first = try #require(schedule.next())
      if let free { schedule.giveBack(first, freeAt: free) }
      return schedule.settle(at: 9_000_000, digits: 5)
    }
    let atEnd = try settled(freeAt: 8_000_000)
    let later = try settled(freeAt: 12_000_000)
    #expect(later.due == atEnd.due && later.unbegunWaits.count == atEnd.unbegunWaits.count)
    #expect(later.unbegunWaits.minimum == atEnd.unbegunWaits.minimum + 3_000_000)
    #expect(later.unbegunWaits.maximum == atEnd.unbegunWaits.maximum + 3_000_000)
  }

  @Test func `exactly at the end are not of the phase`() {
    #expect(schedule(.constant(perSecond: 8)).settle(at: 1_000_000_000, digits: 3).due == 8)
    #expect(schedule(.constant(perSecond: 8)).settle(at: 937_500_001, digits: 3).due == 8)
    #expect(schedule(.constant(perSecond: 8)).settle(at: 937_500_000, digits: 3).due == 7)
    #expect(schedule(.constant(perSecond: 8)).settle(at: 0, digits: 3).due == 0)
  }

  @Test func `of a ramp number the mean of its ends times its length`() {
    #expect(schedule(.ramp(fromPerSecond: 100, toPerSecond: 900)).settle(at: 8_000_000_000, digits: 3).due == 4_000)
    #expect(schedule(.ramp(fromPerSecond: 900, toPerSecond: 100)).settle(at: 8_000_000_000, digits: 3).due == 4_000)
  }

  @Test func `of a falling ramp have a last one`() {
    // From 100/s to 50/s in 8 s: the rate is 0 after 16 s and 800 arrivals.
    let schedule = schedule(.ramp(fromPerSecond: 100, toPerSecond: 50))
    let due = schedule.settle(at: .max, digits: 3).due
    var count = 0
    while schedule.next() != nil, count < 10_000 { count += 1 }
    #expect((799...800).contains(count))
    #expect(schedule.next() == nil)
    #expect(due == count)
  }

  @Test func `are not taken by counting them`() {
    let one = schedule(.constant(perSecond: 100), .poisson)
    let other = schedule(.constant(perSecond: 100), .poisson)
    for _ in 0..<100 {
      _ = one.settle(at: 1_000_000_000, digits: 3)
      #expect(one.next() == other.next())
    }
  }
}
