import Foundation
import LatencyMetrics
import TestSupport
import Testing

@testable import BenchReports
@testable import BenchResults
@testable import BenchScenario

/// A row of `Metric+Table` is all that a metric needs to be in each output.
@Suite("Each metric is one row") struct MetricRowTests {
  /// A run of two samples with everything that a sample can have.
  private let run: RunResult = {
    var histogram = LatencyHistogram(digits: 3)
    histogram.record(5)
    let times = WaitResult(
      histogram: histogram,
      intervals: IntervalSeries([IntervalResult(startNanoseconds: 0, endNanoseconds: 1, count: 1)])
    )
    var actor = ActorResult(name: "write", load: .open)
    actor.intervals = Dictionary(uniqueKeysWithValues: TimeKind.allCases.map { ($0, times.intervals) })
    (actor.laneWait, actor.writeLaneWait, actor.notificationToRead) = (times, times, times)
    var phase = PhaseResult(name: "run", isRecorded: true)
    phase.endNanoseconds = 1_000_000_000
    phase.actors = [actor]
    phase.notificationLag = times
    var run = RunResult()
    run.phases = [phase]
    run.samples = (0...1).map { number in
      var sample = EngineSample(phase: "run")
      sample.elapsedNanoseconds = UInt64(number) * 1_000_000_000
      sample.wal = EngineSample.WAL(bytes: 1, frames: 1, backlogFrames: 1, heldFrames: 1, pinnedBy: "ui")
      sample.storageBytes = 1
      var connection = EngineSample.Connection(name: "ui")
      (connection.pinnedNanoseconds, connection.caches) = (1, .zero)
      sample.connections = [connection]
      sample.finishedTransactions = ["write": number]
      sample.logicalBytes = ["write": number]
      sample.writes = .zero
      (sample.allocatedBytes, sample.runDelayNanoseconds) = (1, 1)
      (sample.throttledNanoseconds, sample.ioPressureNanoseconds) = (1, 1)
      let ofEngines = Metric.allCases.filter { $0.driver != nil }
      sample.figures = Dictionary(uniqueKeysWithValues: ofEngines.map { ($0.rawValue, 1) })
      return sample
    }
    run.checkpoints = [StalledReaderRun.result.checkpoints[0]]
    return run
  }()

  @Test func `which puts it into the list`() throws {
    let folder = Repository.root.appendingPathComponent("Sources/BenchResults/Metrics")
    let table = try String(contentsOf: folder.appendingPathComponent("Metric+Table.swift"), encoding: .utf8)
    let rows = table.matches(of: /public static let (\w+) ?=/).count
    let counts = Metric.allCases.filter { $0.cacheCount != nil || $0.driver != nil }.count
    #expect(rows + counts == Metric.allCases.count)
    #expect(Set(Metric.allCases.map(\.rawValue)).count == Metric.allCases.count)
  }

  @Test func `which puts everything that is sampled into the time series`() throws {
    let figures = try #require(run.figures(in: "run"))
    let sampled = Metric.allCases.filter { metric in
      // Checkpoints and refused transactions have tables of their own.
      switch metric.source {
      case .checkpoints, .deadlocks: false
      default: !figures.values(of: metric, in: FigureScope("run")).isEmpty
      }
    }
    #expect(sampled.count > 50)
    let timed = Metric.allCases.filter { metric in
      metric.intervals(of: run.phases[0].actors[0]) != nil || metric == .notificationLag
    }
    let names = timed.flatMap { metric in ["p50", "p99", "max"].map { "\(metric).\($0)" } }
    let written = CSVReader.rows(TimeSeriesTable(of: [run]).table.contents).dropFirst().map { $0[5] }
    #expect(Set(written) == Set(sampled.map(\.rawValue) + names + [Metric.throughput.rawValue]))
  }

  @Test func `which is a figure of expectations, and a row of the reference and a word of the schema`() throws {
    let reference = ScenarioReference.text
    for metric in Metric.allCases {
      let id = FigureID(metric, metric.aggregation.suggested, of: FigureScope("run"))
      let expectation = try Scalars.expectation.parse("\(id) < \(id)")
      #expect(expectation.figure.id == id)
      #expect(reference.contains("`\(metric)`"), "\(metric)")
      #expect(ScenarioSchema.text.contains(metric.rawValue.replacing(".", with: #"\\."#)), "\(metric)")
    }
  }

  @Test func `which exports it`() {
    let text = OpenMetricsExport.text(of: ScenarioResult(run))
    let families = Metric.allCases.compactMap(\.family)
    #expect(families.count > 8)
    for family in families {
      #expect(text.contains("# HELP yapbench_\(family.name) \(family.help)\n"), "\(family.name)")
    }
    let others = [
      "run", "exit_code", "latency_seconds", "expectation_held", "invariant_checks", "invariant_violations",
    ]
    let written = text.matches(of: /# TYPE yapbench_(\w+)/).map { String($0.output.1) }
    #expect(Set(written).subtracting(others) == Set(families.map(\.name)))
  }

  @Test func `which is the only place with its name`() throws {
    let sources = Repository.root.appendingPathComponent("Sources")
    let names = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { name in
      name.hasSuffix(".swift") && ["Bench", "YapBench"].contains { name.hasPrefix($0) }
    }
    let text = try names.map { try String(contentsOf: sources.appendingPathComponent($0), encoding: .utf8) }
      .joined(separator: "\n")
    for metric in Metric.allCases where metric.cacheCount == nil && metric.rawValue.contains(".") {
      // A driver names the figures that only its engine has.
      let count = text.components(separatedBy: "\"\(metric.rawValue)\"").count - 1
      #expect(count == (metric.driver == nil ? 1 : 2), "\(metric)")
    }
  }
}
