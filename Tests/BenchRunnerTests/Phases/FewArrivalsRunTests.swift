import BenchDrivers
import LatencyMetrics
import TestSupport
import Testing
import ThreadingPrimitives

@testable import BenchResults
@testable import BenchRunner
@testable import BenchScenario

/// Phases of open loads with few arrivals, on an engine that does nothing: every arrival begins, however late the
/// machine wakes free workers.
@Suite("A phase with few arrivals", .long) struct FewArrivalsRunTests {
  private static let millisecond: UInt64 = 1_000_000
  private static let second: UInt64 = 1_000_000_000

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var rate: RateCurve
    var nanoseconds: UInt64
    var arrivals: Int
    /// The text of the exact throughput; nil if the number of arrivals was rounded.
    var throughput: String?

    var testDescription: String { name }
  }

  private static func trace(_ times: String) -> RateCurve {
    guard let trace = try? ArrivalTrace(text: times) else { preconditionFailure("the times are valid") }
    return .trace(trace)
  }

  private static func constant(_ rate: String, _ nanoseconds: UInt64, _ arrivals: Int, exact: Bool = true) -> Case {
    guard let perSecond = try? Scalars.rateOrZero.parse(rate) else { preconditionFailure("the rate is valid") }
    return Case(
      name: "\(rate) for \(nanoseconds / millisecond) ms",
      rate: .constant(perSecond: perSecond),
      nanoseconds: nanoseconds,
      arrivals: arrivals,
      throughput: exact ? rate : nil
    )
  }

  static let cases: [Case] = [
    constant("1/s", 300 * millisecond, 0, exact: false), constant("1/s", second, 1), constant("2/s", second, 2),
    constant("120/min", second, 2), constant("3/s", second, 3), constant("10/s", second, 10),
    constant("10.5/s", second, 10, exact: false), constant("10.6/s", second, 11, exact: false),
    constant("1k/s", 300 * millisecond, 300), constant("7/s", 700 * millisecond, 5, exact: false),
    Case(
      name: "ramp",
      rate: .ramp(fromPerSecond: 20, toPerSecond: 40),
      nanoseconds: 500 * millisecond,
      arrivals: 15,
      throughput: "30/s"
    ),
    Case(
      name: "stages with pauses",
      rate: .stages(
        RateStages([
          .init(fromPerSecond: 0, toPerSecond: 0, seconds: 0.1),
          .init(fromPerSecond: 20, toPerSecond: 20, seconds: 0.1),
          .init(fromPerSecond: 0, toPerSecond: 0, seconds: 0.1), .init(fromPerSecond: 40, toPerSecond: 0, seconds: 0.1),
        ])
      ),
      nanoseconds: 400 * millisecond,
      arrivals: 4,
      throughput: "10/s"
    ),
    Case(
      name: "bursts",
      rate: .burst(
        BurstRate(
          basePerSecond: 10,
          peakPerSecond: 100,
          everyNanoseconds: 200 * millisecond,
          forNanoseconds: 100 * millisecond
        )
      ),
      nanoseconds: 400 * millisecond,
      arrivals: 22,
      throughput: "55/s"
    ),
    Case(
      name: "sine",
      rate: .sine(lowPerSecond: 0, highPerSecond: 40, periodNanoseconds: 250 * millisecond),
      nanoseconds: 500 * millisecond,
      arrivals: 10,
      throughput: "20/s"
    ),
    Case(name: "trace", rate: trace("0s\n0s\n250ms"), nanoseconds: 300 * millisecond, arrivals: 3, throughput: "10/s"),
    Case(name: "trace at the last nanosecond", rate: trace("99999999ns"), nanoseconds: 100 * millisecond, arrivals: 1),
    Case(name: "trace at the end", rate: trace("0s\n100ms"), nanoseconds: 100 * millisecond, arrivals: 1),
    Case(name: "trace after the end", rate: trace("101ms"), nanoseconds: 100 * millisecond, arrivals: 0),
  ]

  private struct Outcome {
    var record: PhaseRecord
    var last: RunMoment.Actor
    var actor: PhaseRecord.Actor { record.actors[0] }
  }

  private func run(
    _ rate: RateCurve,
    _ arrival: ArrivalProcess = .constant,
    end: PhaseEnd,
    threads: Int = 1,
    deadline: UInt64? = nil,
    interruption: StopFlag = StopFlag(),
    onMoment: @escaping @Sendable (RunMoment) -> Void = { _ in }
  ) throws -> Outcome {
    var settings = Fixture.actor(threads: threads, load: .open(rate: rate, arrival: arrival))
    settings.deadlineNanoseconds = deadline
    let scenario = Scenario(
      name: "few",
      summary: "",
      engine: EngineSettings(driver: .null),
      dataset: [DatasetCollection(name: "rows", rows: 100, value: ValueShape(size: .fixed(bytes: 64)))],
      connections: [ConnectionSettings(name: "connection")],
      actors: [],
      phases: [PhaseSettings(name: "phase", end: end, actors: [PhaseActor(settings)])]
    )
    let context = try RunContext(scenario, seed: 1, database: try Drivers.open(scenario.engine, path: ""))
    let moments = Guarded<[RunMoment]>([])
    var conductor = PhaseConductor(context, interruption: interruption) { progress in
      guard case .sampled(let moment) = progress else { return }
      moments.withLock { $0.append(moment) }
      onMoment(moment)
    }
    try conductor.run(scenario.phases[0], number: 1, of: 1)
    let last = try #require(moments.withLock { $0.last?.actors.first })
    return Outcome(record: conductor.records[0], last: last)
  }

  /// Runs a phase of a fixed length, again if a worker was behind at its end: a busy machine may interrupt a worker in
  /// a transaction, so that it is not free for the last arrival.
  private func runOnTime(
    _ rate: RateCurve,
    _ arrival: ArrivalProcess = .constant,
    nanoseconds: UInt64,
    threads: Int,
    deadline: UInt64? = nil
  ) throws -> Outcome {
    var outcome: Outcome
    var runs = 0
    repeat {
      outcome = try run(rate, arrival, end: .duration(nanoseconds: nanoseconds), threads: threads, deadline: deadline)
      runs += 1
    } while runs < 20 && outcome.actor.unbegunArrivals + outcome.actor.droppedArrivals > 0
    return outcome
  }

  private func value(_ expectation: String, of record: PhaseRecord) throws -> Double? {
    record.figures.value(of: try Scalars.expectation.parse(expectation).figure.id)
  }

  @Test(arguments: cases, [(1, nil), (2, nil), (3, 60 * second)] as [(Int, UInt64?)])
  func `begins all of them, and its throughput is the rate`(_ one: Case, _ setting: (Int, UInt64?)) throws {
    let outcome = try runOnTime(one.rate, nanoseconds: one.nanoseconds, threads: setting.0, deadline: setting.1)
    let (record, actor) = (outcome.record, outcome.actor)
    #expect(record.result.end == .reached && record.result.durationNanoseconds == one.nanoseconds)
    #expect(actor.dueArrivals == one.arrivals)
    #expect(actor.tally.begunTransactions == one.arrivals)
    #expect(actor.unbegunArrivals == 0 && actor.droppedArrivals == 0)
    for kind in TimeKind.allCases {
      let times = actor.slots.transactions(kind, in: actor.histograms, digits: record.digits)
      #expect(times.count == one.arrivals, "every time is that of a request")
    }
    #expect(record.tree.actors[0].hasMetSchedule)
    #expect(Distrust.overloads([record]).isEmpty)
    let measured = try value("phase/actor throughput.mean >= 0/s", of: record)
    if let throughput = one.throughput {
      let expectation = try Scalars.expectation.parse("phase throughput.mean >= \(throughput)")
      guard case .value(let limit) = expectation.bound else { return }
      #expect(measured == limit && record.figures.value(of: expectation.figure.id) == limit)
      let latency = record.tree.latencies.first { $0.operation == OperationResult.transaction && $0.kind == .service }
      #expect(latency?.ratePerSecond == limit, "as in reports and exports")
    } else {
      #expect(measured == Double(one.arrivals) * 1e9 / Double(one.nanoseconds))
    }
    // The last sample is taken after the end of the phase.
    let pending = try #require(outcome.last.pendingArrivals)
    #expect(pending <= max(setting.0, 0), "only a transaction that still runs is pending")
  }

  @Test(arguments: [1, 2])
  func `that are independent begins all of them`(threads: Int) throws {
    let outcome = try runOnTime(
      .constant(perSecond: 50),
      .poisson,
      nanoseconds: 200 * Self.millisecond,
      threads: threads
    )
    #expect(outcome.actor.dueArrivals == outcome.actor.tally.begunTransactions)
    #expect(outcome.actor.unbegunArrivals == 0)
  }

  @Test func `that ends before an arrival is due has no due arrival and no time`() throws {
    let interruption = StopFlag()
    let outcome = try run(
      .constant(perSecond: 0.001),
      end: .duration(nanoseconds: 900 * Self.second),
      interruption: interruption
    ) { moment in if moment.elapsedNanoseconds > 0 { interruption.raise() } }
    #expect(outcome.record.result.end == .cutShort)
    #expect(outcome.actor.dueArrivals == 0 && outcome.actor.tally.begunTransactions == 0)
    #expect(outcome.actor.histograms.allSatisfy { $0.isEmpty })
    #expect(outcome.last.pendingArrivals == 0)
  }

  @Test func `that counts operations takes as many arrivals as it needs`() throws {
    let outcome = try run(.constant(perSecond: 200), end: .operations(3))
    #expect(outcome.record.result.end == .reached)
    #expect(outcome.actor.tally.begunTransactions == 3 && outcome.actor.dueArrivals == nil)
  }
}

@Suite("The admission of late workers") struct LateArrivalTests {
  private static let phase = PhaseSettings(name: "run", end: .duration(nanoseconds: 10), actors: [])

  @Test func `a phase admits the arrivals before its end, and none once the run is broken off`() {
    let phase = RunningPhase(Self.phase, conductor: Parker())
    #expect(phase.admits(arrivalAt: 99))
    phase.end(at: 100)
    #expect(phase.stop.isRaised)
    #expect(phase.admits(arrivalAt: 99) && !phase.admits(arrivalAt: 100))
    let other = RunningPhase(Self.phase, conductor: Parker())
    other.end(at: 0)
    #expect(!other.admits(arrivalAt: 0))
  }

  @Test(
    arguments: [
      (PhaseProgress.Event.tick, 1_100, 1_010), (.condition(holds: false), 1_010, 1_010),
      (.condition(holds: true), 1_004, 1_004), (.brokenOff, 1_004, 0), (.tick, 1_009, .max),
    ] as [(PhaseProgress.Event, UInt64, UInt64)]
  )
  func `the end of a phase is known from its progress`(event: PhaseProgress.Event, now: UInt64, admitted: UInt64) throws
  {
    let condition = try Scalars.condition.parse("wal.frames == 0")
    var progress = PhaseProgress(.until(condition, withinNanoseconds: 10), start: 1_000)
    _ = progress.handle(event, at: now)
    #expect(progress.admitsArrivalsBefore == admitted)
  }
}

/// The rates of a phase with one actor that has met its schedule and one that has not.
@Suite("Rates of a phase whose last transaction ended after it") struct LateEndRateTests {
  private static func phase(due: Int, begun: Int) -> PhaseResult {
    var phase = PhaseResult(name: "run", isRecorded: true)
    phase.endNanoseconds = 2_000_000_000
    phase.lastTransactionEndNanoseconds = 4_000_000_000
    var actor = ActorResult(name: "open", load: .open)
    (actor.dueArrivals, actor.begunArrivals) = (due, begun)
    phase.actors = [actor, ActorResult(name: "closed", load: .closed)]
    return phase
  }

  @Test func `are those of the schedule for an actor that has met it`() {
    let met = Self.phase(due: 10, begun: 10)
    #expect(met.ratePerSecond(of: 10, by: met.actor("open")) == 5)
    #expect(met.ratePerSecond(of: 10, by: met.actor("closed")) == 2.5)
    #expect(met.ratePerSecond(of: 10, by: nil) == 2.5)
    let behind = Self.phase(due: 11, begun: 10)
    #expect(behind.ratePerSecond(of: 10, by: behind.actor("open")) == 2.5)
  }

  @Test func `are exact, so that a bound at the rate holds`() {
    for (count, nanoseconds, rate) in [(300, 300_000_000, 1_000), (7, 700_000_000, 10), (1_100, 1_100_000_000, 1_000)]
      as [(Int, UInt64, Double)]
    {
      var phase = Self.phase(due: count, begun: count)
      phase.endNanoseconds = nanoseconds
      #expect(phase.ratePerSecond(of: count, by: phase.actor("open")) == rate)
    }
    var empty = Self.phase(due: 1, begun: 1)
    (empty.endNanoseconds, empty.lastTransactionEndNanoseconds) = (0, 0)
    #expect(empty.ratePerSecond(of: 1, by: nil) == nil)
  }
}
