import LatencyMetrics
import Testing

@testable import BenchResults

@Suite("Figures without waits for a processor") struct UndisturbedFiguresTests {
  private static let millisecond: UInt64 = 1_000_000

  private func histogram(_ values: [UInt64]) -> LatencyHistogram {
    values.reduce(into: LatencyHistogram(digits: 3)) { $0.record($1 * Self.millisecond) }
  }

  /// A second with 1,000 transactions of 1 ms, of which some waited for 20 ms more.
  /// - Parameters:
  ///   - waited: The number of these transactions.
  ///   - unbegun: The number of arrivals that did not begin; their response times are recorded as well.
  private func figures(
    waited: Int,
    unbegun: Int = 0,
    isOpen: Bool = true,
    countsOperations: Bool = false,
    disturbance: Disturbance? = .waits
  ) -> PhaseFigures {
    let times = histogram(Array(repeating: 1, count: 1_000 - waited) + Array(repeating: 21, count: waited))
    var actor = ActorResult(name: "read", load: isOpen ? .open : .closed)
    actor.operations = [
      OperationResult(name: OperationResult.transaction, times: [.service: times, .response: times]),
      OperationResult(name: "get", times: [.service: times]),
    ]
    if isOpen { (actor.dueArrivals, actor.begunArrivals) = (1_000, 1_000 - unbegun) }
    if waited > 0 {
      let disturbed = DisturbedTimes(
        measured: histogram(Array(repeating: 21, count: waited)),
        undisturbed: histogram(Array(repeating: 1, count: waited))
      )
      actor.disturbed = [.service: disturbed, .response: disturbed]
    }
    actor.digests = [WorkerDigest(thread: 0, marks: []), WorkerDigest(thread: 1, marks: [])]
    var phase = PhaseResult(name: "run", isRecorded: true)
    (phase.endNanoseconds, phase.actors) = (1_000 * Self.millisecond, [actor])
    phase.countsOperations = countsOperations
    phase.disturbance = disturbance
    var samples = [EngineSample(phase: "run"), EngineSample(phase: "run")]
    for index in samples.indices {
      samples[index].storageBytes = 4_000 * (index + 1)
      samples[index].wal = EngineSample.WAL(bytes: 1_000 * (index + 1))
    }
    return PhaseFigures(phase, samples: samples, checkpoints: [], frameBytes: 100)
  }

  private func id(_ metric: Metric, _ aggregate: Aggregate?, operation: String? = nil) -> FigureID {
    FigureID(metric, aggregate, of: FigureScope("run", actor: "read", operation: operation))
  }

  /// The ends of the range in milliseconds.
  private func range(_ figures: PhaseFigures, _ id: FigureID) throws -> [Double] {
    let range = try #require(figures.undisturbedRange(of: id))
    return [range.lowerBound, range.upperBound].map { ($0 / 1e5).rounded() / 10 }
  }

  @Test func `without waits the measured value is the only one`() throws {
    let quiet = figures(waited: 0)
    for aggregate in [Aggregate.p50, .p99, .max, .mean] {
      #expect(try range(quiet, id(.response, aggregate)) == [1, 1])
      #expect(!quiet.isDisturbed(id(.response, aggregate)))
    }
  }

  @Test func `workers that wait for each other are no disturbance`() throws {
    let own = figures(waited: 15, disturbance: nil)
    #expect(try range(own, id(.response, .p99)) == [21, 21])
  }

  @Test func `a percentile is disturbed if waits reach it`() throws {
    let busy = figures(waited: 15)
    #expect(try range(busy, id(.response, .p50)) == [1, 1])
    #expect(try range(busy, id(.response, .p99)) == [1, 21])
    #expect(try range(busy, id(.response, .max)) == [1, 21])
    #expect(try range(busy, id(.service, .mean)) == [1, 1.3])
    #expect(!busy.isDisturbed(id(.response, .p50)) && busy.isDisturbed(id(.response, .p99)))
  }

  @Test func `an arrival that did not begin might have begun without waits`() throws {
    let times = [id(.response, .p50), id(.response, .p99), id(.service, .p99)]
    // All arrivals that took 21 ms did not begin, and no wait explains them.
    let busy = figures(waited: 15, unbegun: 5)
    #expect(try times.map { try range(busy, $0) } == [[1, 1], [1, 21], [1, 21]])
    #expect(try range(figures(waited: 0, unbegun: 600), id(.response, .p50)) == [0, 1])
  }

  @Test func `any operation may have waited, if only whole transactions are known`() throws {
    let busy = figures(waited: 15)
    #expect(try range(busy, id(.service, .p99, operation: "get")) == [1, 21])
    #expect(try range(busy, id(.service, .p50, operation: "get")) == [1, 1])
    #expect(try range(busy, id(.service, .min, operation: "get")) == [1, 1])
    #expect(try range(busy, id(.service, .mean, operation: "get")) == [1, 1.3])
  }

  @Test func `counts of a load that was kept do not depend on waits`() throws {
    let storage = FigureID(.storageBytes, .max, of: FigureScope("run"))
    for figures in [
      figures(waited: 100), figures(waited: 100, disturbance: .stop),
      figures(waited: 100, isOpen: false, countsOperations: true),
    ] { #expect(figures.undisturbedRange(of: storage) == 8_000...8_000) }
  }

  @Test func `a closed load might have done more`() throws {
    // 100 waits of 20 ms are all of the two threads' time.
    let storage = FigureID(.storageBytes, .max, of: FigureScope("run"))
    #expect(figures(waited: 100, isOpen: false).undisturbedRange(of: storage) == 8_000...(.infinity))
    let half = try #require(figures(waited: 50, isOpen: false).undisturbedRange(of: storage))
    #expect(half.lowerBound == 8_000 && abs(half.upperBound - 16_000) < 50)
    let rate = try #require(figures(waited: 50, isOpen: false).undisturbedRange(of: id(.throughput, .mean)))
    #expect(rate.lowerBound == 1_000 && abs(rate.upperBound - 2_000) < 10)
    #expect(figures(waited: 50).undisturbedRange(of: id(.throughput, .mean)) == 1_000...1_000)
  }

  @Test func `a closed load loses the waits between its transactions, and an open load does not`() throws {
    let throughput = id(.throughput, .mean)
    var busy = figures(waited: 50, isOpen: false).phase
    busy.actors[0].waitedNanoseconds = 1_500 * Self.millisecond
    let closed = PhaseFigures(busy, samples: [], checkpoints: [], frameBytes: 100)
    let range = try #require(closed.undisturbedRange(of: throughput))
    #expect(range.lowerBound == 1_000 && abs(range.upperBound - 4_000) < 20)
    busy.actors[0].load = .open
    (busy.actors[0].dueArrivals, busy.actors[0].begunArrivals) = (1_100, 1_000)
    let open = PhaseFigures(busy, samples: [], checkpoints: [], frameBytes: 100)
    #expect(abs(try #require(open.undisturbedRange(of: throughput)).upperBound - 2_000) < 10)
  }

  @Test func `beside others on the disk, times outside of transactions and the WAL are upper limits`() throws {
    let shared = figures(waited: 15, disturbance: .disk)
    #expect(try range(shared, id(.response, .p50)) == [1, 1])
    #expect(try range(shared, id(.response, .p99)) == [1, 21])
    #expect(try range(shared, id(.service, .p99, operation: "get")) == [1, 21])
    let upper = [FigureID(.walBytes, .max, of: FigureScope("run")), FigureID(.duration, nil, of: FigureScope("run"))]
    #expect(upper.map { shared.undisturbedRange(of: $0) } == [0...2_000, 0...1e9])
    #expect(shared.undisturbedRange(of: FigureID(.storageBytes, .max, of: FigureScope("run"))) == 8_000...8_000)
    // Only the disk makes checkpoints longer.
    #expect(figures(waited: 15).undisturbedRange(of: upper[0]) == 2_000...2_000)
  }

  @Test func `after a stop, times are upper limits`() throws {
    let stopped = figures(waited: 0, isOpen: false, disturbance: .stop)
    #expect(try range(stopped, id(.response, .p50)) == [0, 1])
    #expect(stopped.undisturbedRange(of: id(.throughput, .mean)) == 1_000...(.infinity))
    #expect(stopped.undisturbedRange(of: FigureID(.duration, nil, of: FigureScope("run"))) == 0...1e9)
  }

  @Test func `a comparison of ranges holds, fails, or is open`() {
    #expect(Comparison.less.holds(in: 1...4, 5...5) == true)
    #expect(Comparison.less.holds(in: 4...6, 5...5) == nil)
    #expect(Comparison.less.holds(in: 5...6, 5...5) == false)
    #expect(Comparison.lessOrEqual.holds(in: 1...5, 5...6) == true)
    #expect(Comparison.greater.holds(in: 6...(.infinity), 5...5) == true)
    #expect(Comparison.greater.holds(in: 4...(.infinity), 5...5) == nil)
    #expect(Comparison.greaterOrEqual.holds(in: 1...4, 5...7) == false)
    #expect(Comparison.equal.holds(in: 5...5, 5...5) == true)
    #expect(Comparison.equal.holds(in: 4...6, 5...5) == nil)
    #expect(Comparison.equal.holds(in: 6...7, 5...5) == false)
  }
}
