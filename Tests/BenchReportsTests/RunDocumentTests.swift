import BenchModel
import Foundation
import LatencyMetrics
import Testing

@testable import BenchReports

struct RunDocumentTests {
  private func error(_ text: String) -> String? {
    do {
      _ = try RunDocument.decode(Data(text.utf8))
      return nil
    } catch {
      return (error as? RunDocumentError)?.problem
    }
  }

  /// The document with one of its values changed.
  private func changed(_ from: String, _ to: String) throws -> String {
    let text = String(decoding: try RunDocument.encode(StalledReaderRun.scenario), as: UTF8.self)
    #expect(text.contains(from))
    return text.replacing(from, with: to, maxReplacements: 1)
  }

  @Test func `A latency that is in a run twice is refused`() throws {
    var result = PolicyRuns.result
    result.runs[0].latencies.append(result.runs[0].latencies[0])
    let text = String(decoding: try RunDocument.encode(result), as: UTF8.self)
    #expect(error(text)?.hasSuffix("is in it twice") == true)
  }

  @Test func `Latencies of one variant must have as many digits`() throws {
    var result = PolicyRuns.result
    let digits = result.runs[0].latencies[0].histogram.digits
    var other = LatencyHistogram(digits: digits + 1)
    other.record(1)
    for latency in result.runs[0].latencies.indices { result.runs[0].latencies[latency].histogram = other }
    let isAlone = result.runs.filter { $0.variant == result.runs[0].variant }.count == 1
    #expect(!isAlone)
    let text = String(decoding: try RunDocument.encode(result), as: UTF8.self)
    #expect(error(text)?.contains("digits; expected") == true)
  }

  @Test func `Everything comes back, also what most runs have not`() throws {
    var result = PolicyRuns.result
    result.files = ["times.txt": "1ms\n"]
    result.choices = ["share"]
    result.runs[0].events = [
      EventResult(
        phase: "stall",
        word: "kill",
        arguments: "hard",
        dueNanoseconds: 1,
        begunNanoseconds: 2,
        endedNanoseconds: 3,
        outcome: .done,
        detail: "<&>",
        recovery: .init(durationNanoseconds: 4, frames: 5)
      )
    ]
    result.runs[0].digests = [
      DigestResult(phase: "stall", actor: "import", thread: 1, marks: [.init(transactions: 8, digest: .max)])
    ]
    result.runs[0].commitTimes = [StalledReaderRun.commitTimes]
    let waits = StalledReaderRun.waits.map {
      WaitIntervalResult(metric: $0.metric, phase: $0.phase, actor: $0.actor, endNanoseconds: 7, $0.histogram)
    }
    result.runs[0].waitIntervals = PackedIntervals(wrappedValue: waits)
    result.runs[0].waits = StalledReaderRun.waits
    result.runs[0].checkpoints[0].laneNanoseconds = 5
    result.runs[0].checkpoints[0].overlappingCommits = 6
    result.runs[0].checkpoints[0].stalledWriters = 7
    result.runs[0].seed = .max
    result.runs[0].harness.clockNanoseconds = .infinity
    result.runs[0].harness.generators[0].checkingShare = 0.25
    result.runs[0].samples[3].ioPressureNanoseconds = 7
    result.runs[1].isPartial = true
    let document = try RunDocument.encode(result)
    let back = try RunDocument.decode(document)
    try #expect(RunDocument.encode(back) == document)
    #expect(back.runs[0].events == result.runs[0].events)
    #expect(back.runs[0].digests == result.runs[0].digests)
    #expect(back.runs[0].commitTimes == result.runs[0].commitTimes)
    #expect(back.runs[0].waitIntervals?.wrappedValue == waits)
    #expect(back.runs[0].waits?.map(\.metric) == ["lane.wait", "writeLane.wait", "notification.lag"])
    #expect(back.runs[0].waits?.last?.actor == nil && back.runs[0].waits?.last?.histogram.maximum == 2_000_000)
    #expect(back.runs[0].checkpoints[0].stalledWriters == 7 && back.runs[0].checkpoints[0].overlappingCommits == 6)
    #expect(back.runs[0].seed == .max)
    #expect(back.variants == result.variants)
    for (one, other) in zip(back.runs.flatMap(\.latencies), result.runs.flatMap(\.latencies)) {
      #expect(one.histogram.base64 == other.histogram.base64)
      #expect(one.histogram.mean == other.histogram.mean)
    }
    // So that an export tells the same of both.
    for format in ExportFormat.allCases { try #expect(format.files(of: back) == format.files(of: result)) }
  }

  @Test func `What an older version has not measured is missing, and can be shown`() throws {
    let text = String(decoding: try RunDocument.encode(StalledReaderRun.scenario), as: UTF8.self)
    for key in ["commitTimes", "waits", "laneNanoseconds", "overlappingCommits", "stalledWriters"] {
      #expect(!text.contains("\"\(key)\""))
    }
    let run = try RunDocument.decode(Data(text.utf8)).first
    #expect(run.commitTimes == nil && run.waits == nil && run.checkpoints.allSatisfy { $0.stalledWriters == nil })
    #expect(!RunReport(result: run, command: "").text.contains("Where the time of commits went"))
  }

  @Test func `Another schema version is refused with both numbers`() throws {
    for version in [1, 5] {
      let problem = error(try changed("\"schemaVersion\":4", "\"schemaVersion\":\(version)"))
      #expect(problem?.hasPrefix("it has schema version \(version), and this program reads versions 2 to 4") == true)
    }
  }

  @Test func `What is no result says what is missing, and where`() throws {
    #expect(error("{}") == "it has no schemaVersion")
    #expect(error("not JSON")?.hasPrefix("it is no result of a run: ") == true)
    #expect(error("")?.hasPrefix("it is no result of a run") == true)
    #expect(error("{\"schemaVersion\":2}") == "it has no scenarioYAML")
    let renamed = try changed("\"runID\":", "\"runNumber\":")
    #expect(error(renamed) == "it has no runID in runs.0")
    let negative = try changed("\"digits\":2", "\"digits\":-3")
    #expect(error(negative)?.contains("expected from 1 to 5 significant digits, found -3") == true)
  }

  @Test func `A backlog whose waits add up to more than a whole number holds is read and shown`() throws {
    let text = "{\"digits\":3,\"values\":[3600000000000],\"counts\":[9000000000]}"
    let histogram = try JSONDecoder().decode(LatencyHistogram.self, from: Data(text.utf8))
    #expect(histogram.count == 9_000_000_000)
    #expect(abs(histogram.mean / 3.6e12 - 1) < 0.001)
  }

  @Test func `Parts that contradict each other are refused, and nothing traps`() throws {
    var result = StalledReaderRun.scenario
    result.runs[0].phases[1].endNanoseconds = 0
    let backwards = String(decoding: try RunDocument.encode(result), as: UTF8.self)
    #expect(error(backwards) == "phase \"stall\" ends before it begins")
    result = StalledReaderRun.scenario
    result.runs = []
    let empty = String(decoding: try RunDocument.encode(result), as: UTF8.self)
    #expect(error(empty) == "there is no run in it")
    result = StalledReaderRun.scenario
    result.repetitions = .max
    let many = String(decoding: try RunDocument.encode(result), as: UTF8.self)
    #expect(error(many)?.hasPrefix("it has 9223372036854775807 repetitions") == true)
    result = StalledReaderRun.scenario
    result.runs[0].samples.reverse()
    let reversed = String(decoding: try RunDocument.encode(result), as: UTF8.self)
    #expect(error(reversed) == "its samples are out of order")
    result = StalledReaderRun.scenario
    result.runs[0].samples[1].logicalBytes = ["import": .max]
    let endless = String(decoding: try RunDocument.encode(result), as: UTF8.self)
    #expect(
      error(endless) == "it is no result of a run: its samples have a figure import of \(Int.max), which cannot be"
    )
    result = StalledReaderRun.scenario
    result.runs[0].checkpoints[0].stalledWriters = -1
    let negative = String(decoding: try RunDocument.encode(result), as: UTF8.self)
    #expect(error(negative) == "result.runs.0.checkpoints.0.stalledWriters is -1, which cannot be")
  }
}
