import Foundation
import LatencyMetrics
import Testing

@testable import BenchReports
@testable import BenchResults

struct RunDocumentTests {
  private func error(_ text: String) -> String? {
    do {
      _ = try RunDocument.decode(Data(text.utf8))
      return nil
    } catch {
      return (error as? DocumentError)?.problem
    }
  }

  /// The document with one of its values changed.
  private func changed(_ from: String, _ to: String) throws -> String {
    let text = String(decoding: try RunDocument.encode(StalledReaderRun.scenario), as: UTF8.self)
    #expect(text.contains(from))
    return text.replacing(from, with: to, maxReplacements: 1)
  }

  @Test func `A duplicate latency in a run is rejected`() throws {
    var result = PolicyRuns.result
    let actor = result.runs[0].phases[0].actors[0]
    result.runs[0].phases[0].actors[0].operations.append(actor.operations[0])
    let text = String(decoding: try RunDocument.encode(result), as: UTF8.self)
    #expect(error(text)?.hasSuffix(" twice") == true)
  }

  @Test func `Latencies of one variant must have the same number of digits`() throws {
    var result = PolicyRuns.result
    var other = LatencyHistogram(digits: 3)
    other.record(1)
    for actor in ["scroll", "import"] { result.runs[0].changeTimes(of: actor) { $0 = other } }
    let isAlone = result.runs.filter { $0.variant == result.runs[0].variant }.count == 1
    #expect(!isAlone)
    let text = String(decoding: try RunDocument.encode(result), as: UTF8.self)
    #expect(error(text)?.contains("digits; expected") == true)
  }

  @Test func `Everything is read as it was written, also what most runs do not have`() throws {
    var result = PolicyRuns.result
    result.files = ["times.txt": "1ms\n"]
    result.choices = ["share"]
    result.engines = EngineRuns.result.engines
    result.runs[0]["stall"].events = [
      EventResult(
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
    result.runs[0]["stall"]["import"].digests = [WorkerDigest(thread: 1, marks: [.init(transactions: 8, digest: .max)])]
    result.runs[0]["stall"]["import"].commitTimes = StalledReaderRun.commitTimes
    result.runs[0]["stall"]["import"].operations[1].deadlocks = 5
    result.runs[0]["stall"]["import"].allocations = 6
    result.runs[0]["stall"]["import"].checkingShare = 0.25
    StalledReaderRun.addWaits(to: &result.runs[0])
    result.runs[0].checkpoints[0].laneNanoseconds = 5
    result.runs[0].checkpoints[0].overlappingCommits = 6
    result.runs[0].checkpoints[0].stalledWriters = 7
    result.runs[0].seed = .max
    result.runs[0].harness.clockNanoseconds = .infinity
    result.runs[0].samples[3].ioPressureNanoseconds = 7
    result.runs[1].isPartial = true
    let document = try RunDocument.encode(result)
    let back = try RunDocument.decode(document)
    try #expect(RunDocument.encode(back) == document)
    let (read, written) = (back.runs[0]["stall"], result.runs[0]["stall"])
    #expect(read.events == written.events)
    #expect(read["import"].digests == written["import"].digests)
    #expect(read["import"].commitTimes == written["import"].commitTimes)
    #expect(read["import"].intervals == written["import"].intervals)
    #expect(read["import"].writeLaneWait?.intervals == written["import"].writeLaneWait?.intervals)
    #expect(read["import"].operations.map(\.deadlocks) == [nil, 5, nil])
    #expect(read.notificationLag?.histogram.maximum == 2_000_000)
    #expect(back.runs[0].samples == result.runs[0].samples)
    #expect(back.runs[0].checkpoints[0].stalledWriters == 7 && back.runs[0].checkpoints[0].overlappingCommits == 6)
    #expect(back.runs[0].seed == .max)
    #expect(back.variants == result.variants)
    for (one, other) in zip(back.runs.flatMap(\.latencies), result.runs.flatMap(\.latencies)) {
      #expect(one.histogram.base64 == other.histogram.base64)
      #expect(one.histogram.mean == other.histogram.mean)
    }
    // So the exports of both are equal.
    for format in ExportFormat.allCases { try #expect(format.files(of: back) == format.files(of: result)) }
  }

  @Test func `Another schema version is rejected with both numbers, whatever else is in the file`() throws {
    for version in [1, 9, 11] {
      let problem = error(try changed("\"schemaVersion\":10", "\"schemaVersion\":\(version)"))
      #expect(problem?.hasPrefix("it has schema version \(version), and this program reads only version 10") == true)
      #expect(problem?.hasSuffix("or repeat the run with one that writes version 10") == true)
      #expect(error("{\"schemaVersion\":\(version)}") == problem)
    }
  }

  @Test func `A backlog whose waits overflow an integer is read and shown`() throws {
    let text = "{\"digits\":3,\"values\":[3600000000000],\"counts\":[9000000000]}"
    let histogram = try JSONDecoder().decode(LatencyHistogram.self, from: Data(text.utf8))
    #expect(histogram.count == 9_000_000_000)
    #expect(abs(histogram.mean / 3.6e12 - 1) < 0.001)
  }

  @Test func `Contradictory parts are rejected without a trap`() throws {
    var result = StalledReaderRun.scenario
    result.runs[0].phases[1].endNanoseconds = 0
    let backwards = String(decoding: try RunDocument.encode(result), as: UTF8.self)
    #expect(error(backwards) == "phase \"stall\" ends before it begins")
    result = StalledReaderRun.scenario
    result.runs = []
    let empty = String(decoding: try RunDocument.encode(result), as: UTF8.self)
    #expect(error(empty) == "it has no runs or no variants; expected at least 1 of each")
    result = StalledReaderRun.scenario
    result.repetitions = .max
    let many = String(decoding: try RunDocument.encode(result), as: UTF8.self)
    #expect(error(many)?.hasPrefix("it has 9223372036854775807 repetitions") == true)
    result = StalledReaderRun.scenario
    result.runs[0].samples.reverse()
    let reversed = String(decoding: try RunDocument.encode(result), as: UTF8.self)
    #expect(error(reversed) == "its samples are out of order")
    result = StalledReaderRun.scenario
    result.runs[0].samples[1].logicalBytes = ["import": 1 << 46 | 1]
    let endless = String(decoding: try RunDocument.encode(result), as: UTF8.self)
    #expect(
      error(endless)
        == "it is not the result of a run: in runs.0.samples.logicalBytes.import: expected numbers from 0 to "
        + "\(1 << 46), found \(1 << 46 | 1)"
    )
    result = StalledReaderRun.scenario
    result.runs[0]["stall"]["scroll"].intervals = [
      .service: IntervalSeries([IntervalResult(startNanoseconds: 2, endNanoseconds: 1, LatencyHistogram(digits: 2))])
    ]
    let inverted = String(decoding: try RunDocument.encode(result), as: UTF8.self)
    #expect(error(inverted) == "an interval of \"scroll\" ends before it begins")
    for count in [Int.min, -1, Int.max] {
      for arrivals in [\ActorResult.dueArrivals, \.droppedArrivals] {
        result = StalledReaderRun.scenario
        result.runs[0]["stall"]["scroll"][keyPath: arrivals] = count
        let wrong = String(decoding: try RunDocument.encode(result), as: UTF8.self)
        #expect(error(wrong) == "\"scroll\" has \(count) arrivals; expected 0 to \(1 << 46)")
      }
    }
  }

  @Test func `A column of another length than the others, or another value, is rejected with its location`() throws {
    let first = StalledReaderRun.result["warm"]["import"].intervals[.response]?.count ?? 0
    for name in ["p50Nanoseconds", "residentBytes", "ageCommits"] {
      let rows = name == "p50Nanoseconds" ? first : StalledReaderRun.result.samples.count
      let text = String(decoding: try RunDocument.encode(StalledReaderRun.scenario), as: UTF8.self)
      let column = try #require(text.range(of: "\"\(name)\":\"[-0-9 ]*\"", options: .regularExpression))
      let problem = error(text.replacingCharacters(in: column, with: "\"\(name)\":\"1 2\""))
      #expect(problem?.hasSuffix("\(name): expected \(rows) numbers, found 2") == true, "\(problem ?? "")")
      for other in ["7", "[null,\"x\"]", "{}", "[0.5]", "\"0.5\""] {
        #expect(error(text.replacingCharacters(in: column, with: "\"\(name)\":\(other)")) != nil, "\(other)")
      }
    }
  }
}
