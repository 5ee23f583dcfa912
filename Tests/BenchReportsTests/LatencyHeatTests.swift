import Foundation
import LatencyMetrics
import TestSupport
import Testing

@testable import BenchReports
@testable import BenchResults

struct LatencyHeatTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The moment of the log at which the first phase of a run began, in nanoseconds.
  private static let begin: UInt64 = 700_000_000

  /// Writes the log of a run whose transactions took 1 ms in each second, and one of them 100 ms.
  private func log(of result: ScenarioResult) throws -> String {
    var text = HistogramLog.header(startedAt: 0, date: "Thu Jan 01 00:00:00 UTC 1970")
    for run in result.runs {
      let tag = result.tag(of: run)
      for phase in run.phases {
        for actor in phase.actors {
          for second in actor.intervals[.response] ?? IntervalSeries() {
            var histogram = LatencyHistogram(digits: 2)
            histogram.record(1_000_000, count: second.count)
            histogram.record(100_000_000)
            for operation in ["transaction", "get"] {
              text += HistogramLog.line(
                tag: tag.text(phase: phase.name, actor: actor.name, operation: operation, kind: .response),
                from: Self.begin + second.startNanoseconds,
                to: Self.begin + second.endNanoseconds,
                histogram
              )
            }
          }
        }
      }
    }
    return try folder.write(text, to: "latency.hlog")
  }

  @Test func `The log is read with the times of the run, each actor's transactions alone`() throws {
    let result = StalledReaderRun.scenario
    let read = try LatencyIntervals.read(log(of: result), of: result).get()[0]
    #expect(read.actors.map(\.name) == ["scroll", "import"])
    #expect(read.actors.map(\.intervals.count) == [37, 35])
    #expect(read.actors.allSatisfy { $0.kind == .response })
    let intervals = read.actors[0].intervals
    for (second, interval) in intervals.enumerated() {
      #expect(abs(interval.start - Double(second)) < 0.001, "\(interval.start)")
      #expect(interval.counts.count == 2 && interval.counts[1].count == 1)
    }
    #expect(abs(LatencyIntervals.seconds(atStep: Double(intervals[0].counts[0].step)) - 0.001) < 0.0001)
  }

  @Test func `The runs of a scenario are read apart`() throws {
    let result = PolicyRuns.result
    let read = try LatencyIntervals.read(log(of: result), of: result).get()
    #expect(read.count == result.runs.count)
    #expect(read.allSatisfy { !$0.actors.isEmpty && $0.actors.allSatisfy { !$0.intervals.isEmpty } })
  }

  @Test func `A log that is missing, damaged or of another run leaves a report without a heat map`() throws {
    let result = StalledReaderRun.scenario
    func report(_ text: String) throws -> String {
      let path = try folder.write(text, to: "latency.hlog")
      let latencies = LatencyIntervals.read(path, of: result).map { $0[0] }
      return RunReport(result: result.first, command: "", latencies: latencies).text
    }
    let tag = "Tag=stall/import/transaction/response,1.000,1.000,"
    #expect(try report("\n\n\(tag)1.000,HISTFAAA\n").contains("`latency.hlog`: line 3 cannot be read: expected a hist"))
    #expect(try report("\(tag)\n").contains("line 1 cannot be read: expected a tag, three numbers"))
    #expect(try !report("Tag=other,\u{0}\u{FF}\n").contains("latency.hlog"))
    let missing = LatencyIntervals.read(folder.path + "/none", of: result).map { $0[0] }
    let text = RunReport(result: result.first, command: "", latencies: missing).text
    #expect(text.contains("There is no heat map of the latencies: `latency.hlog`: there is no such file."))
  }

  @Test func `The page has a map for each actor, with a legend of its shades and lines of percentiles`() throws {
    let result = StalledReaderRun.scenario
    let read = try LatencyIntervals.read(log(of: result), of: result).get()[0]
    let figure = try #require(LatencyHeatChart.drawings(read, of: result.first))
    #expect(figure.file == nil)
    let page = try XMLPage(figure.drawings[0].pageElement)
    #expect(page.texts(of: "p") == ["scroll: response time", "import: response time"])
    let shades = page.elements.filter { $0.attributes["class"]?.hasPrefix("heat q") == true }
    // One outlier in each second is the lightest shade, and thousands of transactions are the darkest.
    #expect(Set(shades.compactMap { $0.attributes["class"] }).isSuperset(of: ["heat q1", "heat q7"]))
    let names = page.attributes("data-name", of: "path")
    #expect(names == ["scroll p99", "scroll p50", "import p99", "import p50"])
    let keys = page.texts(of: "span")
    #expect(keys.contains("scroll p99") && keys.contains("1–2") && keys.contains { $0.hasSuffix("–2,000") })
  }

  @Test func `Each cell has the shade of its count, at the place of its duration and its time`() {
    let columns = [
      HeatMap.Column(start: 0, end: 1, counts: [0, 1, 128]), HeatMap.Column(start: 1, end: 2, counts: [0, 1, 2]),
      HeatMap.Column(start: 4, end: 5, counts: [0, 1, 0]),
    ]
    let map = HeatMap(columns)
    #expect(map.rows == 3 && map.rowHeight == 53)
    let paths = map.paths { 10 * $0 }
    #expect(
      paths == [
        // Neighbours of the same shade are one line; a gap separates lines.
        #"<path class="heat q1" stroke-width="53" d="M0,79.5L20,79.5M40,79.5L50,79.5"/>"#,
        #"<path class="heat q2" stroke-width="53" d="M10,26.5L20,26.5"/>"#,
        #"<path class="heat q7" stroke-width="53" d="M0,26.5L10,26.5"/>"#,
      ]
    )
    #expect(
      map.legend.map(\.name) == ["1", "2–3", "4–7", "8–15", "16–31", "32–63", "64–128"]
    )
  }

  @Test func `A map of few counts has a legend without empty ranges`() {
    let map = HeatMap([HeatMap.Column(start: 0, end: 1, counts: [1, 2, 3])])
    #expect(map.legend.map(\.name) == ["1", "2", "3"])
  }

  @Test func `A long run of eight actors has small maps`() throws {
    var actors: [LatencyIntervals.Actor] = []
    for actor in 0..<8 {
      var intervals: [LatencyIntervals.Interval] = []
      for second in 0..<3_600 {
        let counts = (0..<60).map { (step: 90 + $0, count: 1 + ($0 * second + actor) % 97) }
        intervals.append(
          .init(start: Double(second), end: Double(second + 1), p50Nanoseconds: 9, p99Nanoseconds: 99, counts: counts)
        )
      }
      actors.append(.init(name: "actor-\(actor)", kind: .service, intervals: intervals))
    }
    let read = LatencyIntervals(actors: actors, actorsLeftOut: 3)
    var run = StalledReaderRun.result
    run.phases[2].endNanoseconds = 3_600_000_000_000
    let figure = try #require(LatencyHeatChart.drawings(read, of: run))
    #expect(figure.drawings[0].pageElement.utf8.count < 1 << 20, "\(figure.drawings[0].pageElement.utf8.count) bytes")
    #expect(figure.caption.plain.hasSuffix("3 actors more in latency.hlog."))
  }
}
