import Foundation
import HarnessPrimitives
import TestSupport
import Testing

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

@Suite("A schedule of arrivals") struct ArrivalScheduleTests {
  static let curves: [RateCurve] = [
    .constant(perSecond: 500), .constant(perSecond: 0.25),
    .ramp(fromPerSecond: 100, toPerSecond: 900), .ramp(fromPerSecond: 900, toPerSecond: 1),
    .ramp(fromPerSecond: 300, toPerSecond: 300), .ramp(fromPerSecond: 0, toPerSecond: 900),
    .ramp(fromPerSecond: 900, toPerSecond: 0),
    .burst(
      BurstRate(
        basePerSecond: 50,
        peakPerSecond: 1_000,
        everyNanoseconds: 2_000_000_000,
        forNanoseconds: 500_000_000
      )
    ),
    .burst(
      BurstRate(
        basePerSecond: 900,
        peakPerSecond: 10,
        everyNanoseconds: 1_000_000_000,
        forNanoseconds: 1_000_000_000
      )
    ),
    // Five bursts with rising peaks, the last of which the end of the phase cuts, and four with falling ones.
    .burst(
      BurstRate(
        basePerSecond: 50,
        peakPerSecond: 100,
        lastPeakPerSecond: 800,
        everyNanoseconds: 1_800_000_000,
        forNanoseconds: 1_100_000_000
      )
    ),
    .burst(
      BurstRate(
        basePerSecond: 1,
        peakPerSecond: 700,
        lastPeakPerSecond: 2,
        everyNanoseconds: 2_000_000_000,
        forNanoseconds: 1_500_000_000
      )
    ),
    .stages(
      RateStages([
        .init(fromPerSecond: 0, toPerSecond: 600, seconds: 2),
        .init(fromPerSecond: 600, toPerSecond: 600, seconds: 1.5),
        .init(fromPerSecond: 100, toPerSecond: 900, seconds: 1), .init(fromPerSecond: 900, toPerSecond: 50, seconds: 2),
      ])
    ),
    // A pause between two ramps, and no arrival after the last stage.
    .stages(
      RateStages([
        .init(fromPerSecond: 800, toPerSecond: 0, seconds: 2), .init(fromPerSecond: 0, toPerSecond: 0, seconds: 2),
        .init(fromPerSecond: 0, toPerSecond: 500, seconds: 1), .init(fromPerSecond: 500, toPerSecond: 0, seconds: 1),
      ])
    ),
    .sine(lowPerSecond: 10, highPerSecond: 600, periodNanoseconds: 3_000_000_000),
    .sine(lowPerSecond: 200, highPerSecond: 200, periodNanoseconds: 1_000_000),
  ]

  private static let length = 8.0

  private func schedule(_ curve: RateCurve, _ process: ArrivalProcess = .constant, seed: UInt64 = 1) -> ArrivalSchedule
  {
    ArrivalSchedule(curve, process, phaseLength: Self.length, workers: 3, random: RandomStream(seed: seed, "arrivals"))
  }

  /// The times of all arrivals up to a time, in seconds.
  private func arrivals(_ schedule: ArrivalSchedule, until end: Double = length) -> [Double] {
    var times: [Double] = []
    while let time = schedule.next(), Double(time) / 1e9 <= end { times.append(Double(time) / 1e9) }
    return times
  }

  private func rate(_ curve: RateCurve, _ time: Double) -> Double {
    switch curve {
    case .constant(let rate): return rate
    case .ramp(let from, let to): return from + (to - from) * time / Self.length
    case .burst(let burst):
      // The bursts of the phase are counted by their starts.
      let starts = stride(from: burst.calmSeconds, to: Self.length, by: burst.periodSeconds).map { $0 }
      let index = (time / burst.periodSeconds).rounded(.down)
      guard time - index * burst.periodSeconds >= burst.calmSeconds else { return burst.basePerSecond }
      guard starts.count > 1 else { return burst.peakPerSecond }
      let share = min(index / Double(starts.count - 1), 1)
      return burst.peakPerSecond * (1 - share) + burst.lastPeakPerSecond * share
    case .stages(let stages):
      var start = 0.0
      for stage in stages.stages {
        if time < start + stage.seconds {
          return stage.fromPerSecond + (stage.toPerSecond - stage.fromPerSecond) * (time - start) / stage.seconds
        }
        start += stage.seconds
      }
      return stages.last.toPerSecond
    case .trace: return 0
    case .sine(let low, let high, let period):
      return (low + high) / 2 - (high - low) / 2 * cos(2 * .pi * time / (Double(period) / 1e9))
    }
  }

  /// The area under the rate, summed in many small steps.
  private func due(_ curve: RateCurve, by end: Double) -> Double {
    let steps = 4_000
    let step = end / Double(steps)
    var area = 0.0
    for number in 0..<steps { area += rate(curve, (Double(number) + 0.5) * step) * step }
    return area
  }

  @Test(arguments: curves)
  func `evenly spread arrivals follow the area under the rate`(curve: RateCurve) {
    let times = arrivals(schedule(curve))
    for end in stride(from: 0.25, through: Self.length, by: 0.5) {
      let found = Double(times.count { $0 <= end })
      // The last arrival may be just before or after the end, and the area is summed in steps.
      #expect(abs(found - due(curve, by: end)) <= 2, "by \(end) s of \(curve)")
    }
  }

  @Test(arguments: curves)
  func `independent arrivals have the frequency of the rate`(curve: RateCurve) {
    let seed = Seed.announce(for: "ArrivalScheduleTests")
    let times = arrivals(schedule(curve, .poisson, seed: seed))
    // The number of arrivals in each half second has a Poisson distribution, and so has their sum.
    let areas = (0...16).map { due(curve, by: Double($0) / 2) }
    let expected = (0..<16).map { areas[$0 + 1] - areas[$0] }
    var statistic = 0.0
    var cells = 0
    for (index, mean) in expected.enumerated() where mean >= 10 {
      let found = Double(times.count { $0 > Double(index) * 0.5 && $0 <= Double(index + 1) * 0.5 })
      statistic += (found - mean) * (found - mean) / mean
      cells += 1
    }
    #expect(statistic <= ChiSquare.bound(degrees: max(cells, 1)), "\(curve)")
    let total = due(curve, by: Self.length)
    #expect(abs(Double(times.count) - total) <= 5 * total.squareRoot() + 5, "\(curve)")
  }

  @Test func `a constant rate is spaced exactly`() {
    let schedule = schedule(.constant(perSecond: 1_000))
    for number in 0..<8_000 as Range<UInt64> {
      let time = schedule.next() ?? 0
      // The middle of each millisecond, which has no exact Double.
      let middle = number * 1_000_000 + 500_000
      #expect(time == middle || time + 1 == middle)
    }
  }

  @Test func `intervals of independent arrivals are exponential`() {
    let schedule = schedule(.constant(perSecond: 1_000), .poisson, seed: Seed.announce(for: "ArrivalScheduleTests"))
    let count = 50_000
    var previous: UInt64 = 0
    var sum = 0.0
    var squares = 0.0
    var cells = Array(repeating: 0, count: 8)
    for _ in 0..<count {
      let time = schedule.next() ?? 0
      let interval = Double(time - previous) / 1e6
      previous = time
      sum += interval
      squares += interval * interval
      cells[min(Int(interval * 2), 7)] += 1
    }
    let mean = sum / Double(count)
    let variance = squares / Double(count) - mean * mean
    // Six standard deviations of the mean, 1/√n, and of the variance, √(8/n).
    #expect(abs(mean - 1) < 6 / Double(count).squareRoot())
    #expect(abs(variance - 1) < 6 * (8 / Double(count)).squareRoot())
    let later = (0..<8).map { exp(-Double($0) / 2) } + [0]
    let fit = ChiSquare(cells, probabilities: (0..<8).map { later[$0] - later[$0 + 1] })
    #expect(fit.fits, "\(fit)")
  }

  @Test(arguments: curves, ArrivalProcess.allCases)
  func `times never decrease`(curve: RateCurve, process: ArrivalProcess) {
    let schedule = schedule(curve, process, seed: Seed.announce(for: "ArrivalScheduleTests"))
    var previous: UInt64 = 0
    for _ in 0..<3_000 {
      guard let time = schedule.next() else { break }
      #expect(time >= previous)
      previous = time
    }
  }

  @Test func `a burst is at the end of each period`() {
    let curve = RateCurve.burst(
      BurstRate(
        basePerSecond: 10,
        peakPerSecond: 1_000,
        everyNanoseconds: 2_000_000_000,
        forNanoseconds: 500_000_000
      )
    )
    let times = arrivals(schedule(curve))
    let inBursts = times.count { $0.truncatingRemainder(dividingBy: 2) > 1.5 }
    // In 8 s there are four bursts of 500 arrivals, and four times 15 between them.
    #expect(abs(inBursts - 2_000) <= 4)
    #expect(abs(times.count - inBursts - 60) <= 4)
  }

  @Test func `the peaks of bursts rise from the first to the last burst of the phase`() {
    let burst = BurstRate(
      basePerSecond: 10,
      peakPerSecond: 200,
      lastPeakPerSecond: 800,
      everyNanoseconds: 2_000_000_000,
      forNanoseconds: 500_000_000
    )
    // The schedule continues after the phase, with the last peak.
    let times = arrivals(schedule(.burst(burst)), until: 10)
    let counts = (0..<5).map { index in times.count { $0 > Double(index) * 2 + 1.5 && $0 <= Double(index) * 2 + 2 } }
    for (found, expected) in zip(counts, [100, 200, 300, 400, 400]) { #expect(abs(found - expected) <= 1, "\(counts)") }
    #expect(RateCurve.burst(burst).arrivals(by: 8, phaseLength: Self.length) == 1_060)
  }

  @Test func `arrivals of stages are counted exactly, and end with a last rate of 0`() {
    let stages = RateStages([
      .init(fromPerSecond: 0, toPerSecond: 500, seconds: 10), .init(fromPerSecond: 500, toPerSecond: 500, seconds: 30),
      .init(fromPerSecond: 500, toPerSecond: 0, seconds: 4),
    ])
    let curve = RateCurve.stages(stages)
    let areas = [0, 5, 10, 20, 40, 42, 44, 100].map { curve.arrivals(by: $0, phaseLength: 1) }
    #expect(areas == [0, 625, 2_500, 7_500, 17_500, 18_250, 18_500, 18_500])
    #expect([625, 2_500, 7_500, 17_500].map { curve.time(ofArrivals: $0, phaseLength: 1) } == [5, 10, 20, 40])
    #expect(curve.time(ofArrivals: 18_501, phaseLength: 1) == .infinity)
    #expect(arrivals(schedule(curve), until: 1_000).count == 18_500)
  }

  @Test func `a trace has its own times to the nanosecond, and then no arrivals`() throws {
    let trace = try ArrivalTrace(text: "0s\n1ms\n1ms\n1.234567891s\n30m\n")
    let schedule = schedule(.trace(trace))
    #expect(schedule.settle(at: 1_000_000, digits: 3).due == 1)
    #expect(schedule.settle(at: 1_000_001, digits: 3).due == 3)
    #expect((0..<6).map { _ in schedule.next() } == [0, 1_000_000, 1_000_000, 1_234_567_891, 1_800_000_000_000, nil])
    #expect(schedule.next() == nil)
  }

  @Test func `a very low rate has a late first arrival, and none after thirty years`() {
    #expect(schedule(.constant(perSecond: 0.001)).next() == 500_000_000_000)
    #expect(schedule(.constant(perSecond: 1e-10)).next() == nil)
  }

  @Test(arguments: ArrivalProcess.allCases)
  func `threads that share a schedule get each arrival once, each thread in order`(process: ArrivalProcess) throws {
    let shared = schedule(.constant(perSecond: 1_000), process)
    let perThread = 2_000
    let taken = Taken(threads: 4)
    try onThreads(4) { thread in taken.keep((0..<perThread).compactMap { _ in shared.next() }, of: thread) }
    let alone = schedule(.constant(perSecond: 1_000), process)
    let expected = (0..<4 * perThread).compactMap { _ in alone.next() }
    #expect(taken.lists.flatMap { $0 }.sorted() == expected)
    for list in taken.lists { #expect(list == list.sorted()) }
  }

  /// The arrivals that each thread took.
  // Each thread writes only its own element, before it is joined.
  private final class Taken: @unchecked Sendable {
    private let places: UnsafeMutablePointer<[UInt64]>
    private let threads: Int

    init(threads: Int) {
      self.threads = threads
      places = .allocate(capacity: threads)
      places.initialize(repeating: [], count: threads)
    }

    deinit {
      places.deinitialize(count: threads)
      places.deallocate()
    }

    func keep(_ times: [UInt64], of thread: Int) { places[thread] = times }
    var lists: [[UInt64]] { (0..<threads).map { places[$0] } }
  }
}
