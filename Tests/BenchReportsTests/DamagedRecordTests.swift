import Foundation
import LatencyMetrics
import TestSupport
import Testing

@testable import BenchReports
@testable import BenchResults

/// Records with changed numbers. A record is a file that other programs may have changed.
@Suite(.long) struct DamagedRecordTests {
  /// A step of the path to a number in a record: a key, or the first element of a list or column.
  private enum Step: Hashable {
    case key(String)
    case first
  }

  private static let wholeNumbers: [NSNumber] = [
    NSNumber(value: Int.max), -1, 0, NSNumber(value: 1 << 46), NSNumber(value: 1 << 53), 9e17, 1e300, 1e-304,
    NSNumber(value: Double.leastNonzeroMagnitude),
  ]

  /// The paths of all numbers. Of each list and column, only the first number is included.
  private func numbers(in value: Any, at path: [Step] = []) -> [[Step]] {
    switch value {
    case let object as [String: Any]:
      return object.sorted { $0.key < $1.key }.flatMap { numbers(in: $0.value, at: path + [.key($0.key)]) }
    case let list as [Any]: return list.first.map { numbers(in: $0, at: path + [.first]) } ?? []
    case let text as String where text.wholeMatch(of: /[-0-9]+( [-0-9]+)+/) != nil: return [path + [.first]]
    case is NSNumber: return [path]
    default: return []
    }
  }

  private func changed(_ value: Any, at path: ArraySlice<Step>, to other: Any) -> Any {
    switch (path.first, value) {
    case (.key(let key), var object as [String: Any]):
      object[key] = object[key].map { changed($0, at: path.dropFirst(), to: other) }
      return object
    case (.first, var list as [Any]):
      list[0] = changed(list[0], at: path.dropFirst(), to: other)
      return list
    case (.first, let column as String):
      return "\(other)" + column.drop { $0 != " " }
    default: return other
    }
  }

  /// Draws all reports and exports of a record.
  private func draw(_ result: ScenarioResult) throws {
    _ = try RunDirectory.reports(result, repeatedBy: RepeatCommand(reportFolder: "/out"), in: "/out/run")
    if !result.isSingle { _ = VariantsTable.table(of: result) }
    TimeSeriesTable.write(of: result.runs) { _ in }
    _ = SummaryTable.table(of: result.runs)
    _ = (PinsTable.table(of: result.runs), CheckpointsTable.table(of: result.runs))
    // The other formats use only latencies, like these.
    for format in [ExportFormat.junit, .openMetrics, .googleBenchmark] { _ = try? format.files(of: result) }
  }

  private static let results: [ScenarioResult] = {
    var full = StalledReaderRun.scenario
    full.runs[0]["stall"]["import"].commitTimes = StalledReaderRun.commitTimes
    full.runs[0]["stall"]["import"].allocations = 5
    full.runs[0]["stall"]["import"].operations[1].deadlocks = 4
    StalledReaderRun.addWaits(to: &full.runs[0])
    full.runs[0]["stall"]["import"].laneWait = full.runs[0]["stall"]["scroll"].laneWait
    full.runs[0]["stall"].events = [
      EventResult(
        word: "kill",
        arguments: "",
        dueNanoseconds: 1,
        begunNanoseconds: 2,
        endedNanoseconds: 3,
        outcome: .done,
        detail: "",
        recovery: .init(durationNanoseconds: 4, frames: 5)
      )
    ]
    var several = PolicyRuns.result
    several.runs[0]["stall"]["import"].commitTimes = StalledReaderRun.commitTimes
    StalledReaderRun.addWaits(to: &several.runs[0])
    return [full, several].map(small)
  }()

  /// A result with a few elements of each kind, so that it can be drawn often.
  private static func small(_ result: ScenarioResult) -> ScenarioResult {
    var result = result
    for run in result.runs.indices {
      func few<Element>(_ all: [Element]) -> [Element] { stride(from: 0, to: all.count, by: 90).map { all[$0] } }
      result.runs[run].samples = few(result.runs[run].samples)
      result.runs[run].checkpoints = Array(result.runs[run].checkpoints.prefix(2))
      var histogram = LatencyHistogram(digits: 2)
      for value: UInt64 in [900, 2_000, 70_000] { histogram.record(value) }
      result.runs[run].changeActors { actor in
        actor.operations = Array(actor.operations.prefix(2))
        actor.intervals = actor.intervals.mapValues { IntervalSeries(few(Array($0))) }
      }
      for actor in ["scroll", "import"] { result.runs[run].changeTimes(of: actor) { $0 = histogram } }
      // The largest phase and actor are first, because only the first elements are changed.
      result.runs[run].phases.swapAt(0, 1)
      result.runs[run].phases[0].actors.swapAt(0, 1)
    }
    return result
  }

  @Test(arguments: [0, 1])
  func `A record with any number is rejected with a reason or drawn, without a trap`(which: Int) throws {
    let record = try JSONSerialization.jsonObject(with: RunDocument.encode(Self.results[which]))
    let paths = numbers(in: record)
    #expect(paths.count > 100)
    var refused = 0
    var shown = 0
    // The values take turns, because each value at each path would take minutes.
    for (turn, path) in paths.enumerated() {
      let others: [Any] = Self.wholeNumbers + ["Infinity", "-Infinity", "NaN"]
      let other = others[turn % others.count]
      let data = try JSONSerialization.data(withJSONObject: changed(record, at: path[...], to: other))
      do {
        try draw(RunDocument.decode(data))
        shown += 1
      } catch let error as DocumentError {
        #expect(!error.problem.isEmpty)
        refused += 1
      }
    }
    #expect(refused > 50 && shown > 10, "\(refused) refused, \(shown) shown")
  }
}
