import BenchResults
import Foundation
import Testing

@testable import BenchReports

/// Runs of an engine without SQLite's WAL.
struct StorageSectionTests {
  private static let mebibyte = 1 << 20

  /// The stalled reader's run, as an engine reports it whose own files grow behind the reader.
  private let result: RunResult = {
    var result = StalledReaderRun.result
    result.driver = "lmdb"
    result.engine = EngineConfiguration(library: "LMDB 0.9.24", options: [.init("flags", "sync each commit")])
    for index in result.samples.indices {
      let age = result.samples[index].connections.map(\.ageCommits).max() ?? 0
      result.samples[index].wal = nil
      result.samples[index].writes = nil
      result.samples[index].storageBytes = 100 * Self.mebibyte + age * 4_096
      result.samples[index].figures = ["lmdb.oldestReaderLag": age, "lmdb.readers": 1]
    }
    return result
  }()

  private func lines(after heading: String, of result: RunResult) -> [String] {
    let text = RunReport(result: result, command: "./run-bench.sh scenario.yaml").text
    let lines = text.split(separator: "\n").map(String.init)
    return lines.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("## ") }
  }

  private func cells(_ line: String) -> [String] {
    line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test func `The growth of the files and the engine's own figures are shown in place of the WAL`() throws {
    let rows = lines(after: "## Storage and snapshots", of: result).map(cells)
    let size = try #require(rows.first { $0.starts(with: ["`stall`", "`storage.bytes`"]) })
    let greatest = try #require(result.samples.compactMap(\.storageBytes).max())
    #expect(size.dropFirst(3).first == Quantity.bytes(greatest))
    let lag = try #require(rows.first { $0.starts(with: ["`stall`", "`lmdb.oldestReaderLag`"]) })
    #expect(lag.dropFirst(3).first == "5,763")
    #expect(lines(after: "## WAL area by cause", of: result).isEmpty)
  }

  @Test func `The connection that held the oldest snapshot is named with its time and its lag`() throws {
    let rows = lines(after: "## Storage and snapshots", of: result).map(cells)
    let holder = try #require(rows.first { $0.first == "`ui`" })
    #expect(holder.last == "5,763 commits")
  }

  @Test func `The engine's library and settings are in the environment`() {
    let rows = lines(after: "## Environment", of: result).map(cells)
    #expect(rows.contains { $0.first == "driver" && $0.last?.hasPrefix("`lmdb`: LMDB 0.9.24") == true })
    #expect(rows.contains { $0 == ["`lmdb`: flags", "sync each commit"] })
    #expect(!lines(after: "## Environment", of: result).contains { $0.contains("WAL-reset defect") })
  }

  @Test func `A figure in nanoseconds is shown as a duration`() {
    var result = result
    result.driver = "rocksdb"
    for index in result.samples.indices { result.samples[index].figures = ["rocksdb.stallTime": 1_500_000_000] }
    let rows = lines(after: "## Storage and snapshots", of: result).map(cells)
    #expect(rows.contains(["`stall`", "`rocksdb.stallTime`", "1.50 s", "1.50 s", "1.50 s"]))
  }

  @Test func `The timeline and its alternative text name the storage in place of the WAL`() {
    let text = RunReport(result: result, command: "./run-bench.sh scenario.yaml").text
    #expect(text.contains("## Storage and latency over time"))
    #expect(text.contains("Storage size and latency over time"))
    #expect(!text.contains("WAL size and latency over time"))
  }

  @Test func `An engine with a WAL has no such section`() {
    #expect(lines(after: "## Storage and snapshots", of: StalledReaderRun.result).isEmpty)
    #expect(!lines(after: "## WAL area by cause", of: StalledReaderRun.result).isEmpty)
  }

  @Test func `The time series have the engine's figures`() {
    let metrics = TimeSeriesTable(of: [result]).table.contents.split(separator: "\n").map { $0.split(separator: ",") }
    let names = Set(metrics.filter { $0.count > 4 }.map { String($0[$0.count - 2]) })
    #expect(names.isSuperset(of: ["storage.bytes", "lmdb.oldestReaderLag", "lmdb.readers"]))
  }
}
