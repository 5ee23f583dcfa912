import LatencyMetrics
import Testing

@testable import BenchReports
@testable import BenchResults

struct RunTableTests {
  private let result = StalledReaderRun.result

  private func rows(_ table: CSVTable) -> [[String]] { CSVReader.rows(table.contents) }

  @Test func `Every table has its header in line 1, and rows of the same width`() {
    let tables = [
      (SummaryTable.table(of: [result]), SummaryTable.columns),
      (TimeSeriesTable(of: [result]).table, TimeSeriesTable.columns),
      (PinsTable.table(of: [result]), PinsTable.columns),
      (CheckpointsTable.table(of: [result]), CheckpointsTable.columns),
    ]
    for (table, columns) in tables {
      let rows = rows(table)
      #expect(rows.first == columns)
      #expect(rows.count == table.rowCount + 1)
      #expect(table.rowCount > 0)
      #expect(rows.allSatisfy { $0.count == columns.count })
      #expect(table.contents.hasSuffix("\n") && !table.contents.contains("\r"))
    }
  }

  @Test func `The headers are the documented ones`() {
    #expect(
      SummaryTable.columns.joined(separator: ",")
        == "variant,repetition,phase,is_recorded,actor,operation,kind,count,rate_per_s,mean_ns,p50_ns,p90_ns,p95_ns,"
        + "p99_ns,p99_9_ns,p99_99_ns,max_ns"
    )
    #expect(
      TimeSeriesTable.columns.joined(separator: ",")
        == "run_id,variant,elapsed_s,phase,connection_or_actor,metric,value"
    )
    #expect(
      PinsTable.columns.joined(separator: ",")
        == "run_id,variant,elapsed_s,phase,connection,snapshot_age_commits,snapshot_age_s,pinned_s,"
        + "frames_alone,bytes_alone,pins_oldest"
    )
  }

  @Test func `The time series have every metric that was sampled`() {
    let metrics = Set(rows(TimeSeriesTable(of: [result]).table).dropFirst().map { $0[5] })
    #expect(
      metrics == [
        "wal.bytes", "wal.frames", "wal.backlogFrames", "pin.frames", "pin.bytes", "pin.seconds", "snapshot.ageCommits",
        "snapshot.ageSeconds",
        "changes.pendingCommits", "changes.pendingBytes", "throughput", "memory.resident", "memory.allocated",
        "io.logicalBytes", "io.walBytesWritten", "io.databaseBytesWritten", "io.syncs", "io.walSyncs",
        "io.databaseSyncs", "io.syncTime",
        "cpu.user", "cpu.system", "cpu.contextSwitches", "cpu.steal", "response.p50", "response.p99", "response.max",
      ]
    )
  }

  @Test func `Throughput is the rate since the previous sample, and starts again with each phase`() {
    let throughput = rows(TimeSeriesTable(of: [result]).table).filter { $0[5] == "throughput" && $0[4] == "scroll" }
    #expect(throughput.first?[2] == "0.1")
    #expect(throughput.first { $0[2] == "20" }?[6] == "2000")
    // The phase begins with this sample, so no time has passed.
    #expect(!throughput.contains { $0[2] == "5" })
    #expect(throughput.allSatisfy { !$0[6].hasPrefix("-") })
  }

  @Test func `Written bytes are shown as counted, by file and by actor`() throws {
    let last = try #require(result.samples.last)
    let written = rows(TimeSeriesTable(of: [result]).table).filter { $0[5].hasPrefix("io.") }.suffix(8)
    let writes = try #require(last.writes)
    #expect(writes.wal.bytes > 0 && writes.database.bytes > 0 && writes.syncs > writes.wal.syncs)
    #expect(
      written.map { Array($0[4...]) } == [
        ["import", "io.logicalBytes", "0"], ["scroll", "io.logicalBytes", "0"],
        ["", "io.walBytesWritten", "\(writes.wal.bytes)"], ["", "io.databaseBytesWritten", "\(writes.database.bytes)"],
        ["", "io.syncs", "\(writes.syncs)"], ["", "io.walSyncs", "\(writes.wal.syncs)"],
        ["", "io.databaseSyncs", "\(writes.database.syncs)"],
        ["", "io.syncTime", "\(Double(writes.syncNanoseconds) / 1e9)"],
      ]
    )
  }

  @Test func `A pinned frame counts with its header`() {
    let row = rows(PinsTable.table(of: [result])).last { $0[10] == "true" }
    let frames = row.flatMap { Int($0[8]) } ?? 0
    #expect(frames > 50_000)
    #expect(row?[9] == String(frames * (4_096 + 24)))
    #expect(row?[4] == "ui")
  }

  @Test func `Without a WAL, the oldest pinned snapshot is marked`() {
    var result = result
    for index in result.samples.indices {
      result.samples[index].wal = nil
      result.samples[index].connections = [("old", 9), ("new", 2)].map { name, age in
        var connection = EngineSample.Connection(name: name)
        (connection.ageCommits, connection.pinnedNanoseconds) = (age, 1)
        return connection
      }
    }
    let marked = rows(PinsTable.table(of: [result])).dropFirst().filter { $0[10] == "true" }
    #expect(marked.count == result.samples.count && marked.allSatisfy { $0[4] == "old" })
  }

  @Test func `Figures that were not measured are blank and not 0`() {
    var result = result
    for index in result.samples.indices {
      result.samples[index].allocatedBytes = nil
      result.samples[index].wal = nil
      result.samples[index].writes = nil
    }
    var idle = ActorResult(name: "idle", load: .open)
    idle.operations = [OperationResult(name: "get", times: [.service: LatencyHistogram(digits: 2)])]
    result["drain"].actors.append(idle)
    let row = rows(SummaryTable.table(of: [result])).last
    #expect(row?[7] == "0")
    #expect(row?.suffix(8).allSatisfy { $0.isEmpty } == true)
    #expect(row?[0] == "")
    let metrics = Set(rows(TimeSeriesTable(of: [result]).table).map { $0[5] })
    #expect(!metrics.contains("memory.allocated") && !metrics.contains("wal.bytes"))
    #expect(!metrics.contains { $0.hasPrefix("io.") })
    let unpinned = rows(CheckpointsTable.table(of: [result])).first { $0[13] == "complete" }
    #expect(unpinned?[14] == "")
  }

  @Test func `Hostile names are text in CSV`() {
    var result = result
    let hostile = "=HYPERLINK(\"http://x\",\"y\")\r\n,z"
    result.phases[0].actors[0].name = hostile
    result.samples[60].connections[0].name = hostile
    let summary = rows(SummaryTable.table(of: [result]))
    #expect(summary[1][4] == "'" + hostile)
    #expect(summary.allSatisfy { $0.count == SummaryTable.columns.count })
    #expect(rows(PinsTable.table(of: [result])).contains { $0[4] == "'" + hostile })
  }

  @Test func `run json is read as it was written, with figures that are not numbers`() throws {
    var result = result
    result.harness.clockNanoseconds = .nan
    result.expectations[0].measuredValue = .infinity
    let document = try RunDocument.encode(ScenarioResult(result))
    let back = try RunDocument.decode(document)
    #expect(try RunDocument.encode(back) == document)
    #expect(back.first.latencies.map(\.histogram.count) == result.latencies.map(\.histogram.count))
    #expect(back.first.expectations[0].measuredValue == .infinity)
    #expect(back.first.samples.count == result.samples.count)
  }
}
