import Foundation
import LatencyMetrics
import Testing

@testable import BenchReports
@testable import BenchResults

struct JSONExportTests {
  private let single = StalledReaderRun.scenario

  private func object(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func list(_ text: String) throws -> [[String: Any]] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
  }

  private func histogram(_ operation: String, _ kind: TimeKind) throws -> LatencyHistogram {
    let latency = StalledReaderRun.result.histogram(of: "import", operation, kind, in: "stall")
    return try #require(latency)
  }

  @Test func `Google Benchmark has an entry for each run and percentile`() throws {
    let document = try object(GoogleBenchmarkExport.text(of: single))
    let context = try #require(document["context"] as? [String: Any])
    #expect(context["caches"] as? [String] == [])
    #expect(context["num_cpus"] as? Int == 2)
    #expect(context["json_schema_version"] as? Int == 1)
    let entries = try #require(document["benchmarks"] as? [[String: Any]])
    let entry = try #require(
      entries.first { $0["name"] as? String == "stalled-reader/stall/import/transaction/response/p99" }
    )
    let histogram = try histogram("transaction", .response)
    #expect(entry["real_time"] as? Double == Double(histogram.value(atPercentile: 99)))
    #expect(entry["iterations"] as? Int == histogram.count)
    #expect(entry["time_unit"] as? String == "ns")
    #expect(entry["run_type"] as? String == "iteration")
    let rate = try #require(entry["items_per_second"] as? Double)
    #expect(abs(rate - Double(histogram.count) / 30) < 0.001)
    // Warm-ups are not exported.
    #expect(!entries.contains { ($0["name"] as? String)?.contains("/warm/") == true })
  }

  @Test func `Google Benchmark counts repetitions from 0 under one name`() throws {
    let document = try object(GoogleBenchmarkExport.text(of: PolicyRuns.result))
    let entries = try #require(document["benchmarks"] as? [[String: Any]]).filter {
      $0["name"] as? String == "stalled-reader/policy=share/stall/import/transaction/response/p99"
    }
    #expect(entries.map { $0["repetition_index"] as? Int } == [0, 1])
    #expect(entries.allSatisfy { $0["repetitions"] as? Int == 2 })
    #expect(Set(entries.compactMap { $0["family_index"] as? Int }).count == 1)
    let values = entries.compactMap { $0["real_time"] as? Double }
    // One in ten durations of the second repetition is ten times as long.
    #expect(values.count == 2 && values[1] > values[0] * 9)
  }

  @Test func `Figures for which less is better and those for which more is better are in separate files`() throws {
    let files = try ExportFormat.githubActionBenchmark.files(of: single)
    #expect(files.map(\.name) == ["smaller-is-better.json", "bigger-is-better.json"])
    let smaller = try list(files[0].text)
    let bigger = try list(files[1].text)
    for entry in smaller + bigger {
      #expect(entry["name"] is String && entry["unit"] is String && entry["value"] is Double)
    }
    let p50 = smaller.first { $0["name"] as? String == "stalled-reader/stall/import/set/service - p50" }
    try #expect(p50?["value"] as? Double == Double(histogram("set", .service).value(atPercentile: 50)))
    #expect(p50?["range"] == nil)
    let wal = smaller.first { $0["name"] as? String == "stalled-reader/stall - wal.bytes max" }
    let sizes = StalledReaderRun.result.samples.filter { $0.phase == "stall" }.compactMap { $0.wal?.bytes }
    #expect(wal?["value"] as? Double == sizes.max().map(Double.init))
    #expect(bigger.allSatisfy { $0["unit"] as? String == "ops/s" })
  }

  @Test func `Repetitions have their range, and the percentile of all their durations`() throws {
    let files = try ExportFormat.githubActionBenchmark.files(of: PolicyRuns.result)
    let name = "stalled-reader/policy=containment/stall/import/transaction/response - p99"
    let entry = try #require(list(files[0].text).first { $0["name"] as? String == name })
    let runs = PolicyRuns.result.runs.filter { $0.variant == "policy=containment" }
    let own = runs.compactMap { $0.histogram(of: "import", "transaction", .response, in: "stall") }
    var sum = own[0]
    sum.add(own[1])
    #expect(entry["value"] as? Double == Double(sum.value(atPercentile: 99)))
    let ends = own.map { Double($0.value(atPercentile: 99)) }.sorted()
    #expect(entry["range"] as? String == "\(ends[0])..\(ends[1])")
    #expect(entry["extra"] as? String == "n=2000 in 2 runs\ncommit 1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d")
  }

  @Test func `Bencher has measures with slugs and numbers only`() throws {
    let document = try object(BencherExport.text(of: single))
    let latency = try #require(document["stalled-reader/stall/import/transaction/response"] as? [String: Any])
    #expect(latency.keys.sorted() == ["latency", "p99-9-latency", "p99-latency", "throughput"])
    let p99 = latency["p99-latency"] as? [String: Double]
    try #expect(p99 == ["value": Double(histogram("transaction", .response).value(atPercentile: 99))])
    for measures in document.values {
      let measures = try #require(measures as? [String: [String: Double]])
      #expect(measures.keys.allSatisfy { $0.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" } })
      #expect(measures.values.allSatisfy { Array($0.keys) == ["value"] })
    }
  }

  @Test(arguments: [1, 2, 10, 19, 20, 99, 100, 999, 1_000])
  func `Report, table and exports agree on the percentiles of few durations`(count: Int) throws {
    var run = StalledReaderRun.result
    run.changeTimes(of: "import") { histogram in
      histogram.reset()
      for duration in 1...count { histogram.record(UInt64(duration)) }
    }
    let valid = Percentile.all.filter { $0.isValid(of: count) }.map(\.name)
    func of(_ names: [String]) -> [String] { valid.filter(names.contains) }
    let rows = CSVReader.rows(SummaryTable.table(of: [run]).contents)
    let row = try #require(rows.first { $0[2] == "stall" && $0[4] == "import" && $0[6] == "response" })
    let columns = zip(rows[0], row).filter { $0.0.hasPrefix("p") && $0.0.hasSuffix("_ns") && !$0.1.isEmpty }
    #expect(columns.map { String($0.0.dropLast(3)).replacing("_", with: ".") } == valid)
    let result = ScenarioResult(run)
    let labels = #"phase="stall",actor="import",operation="transaction",kind="response",quantile="#
    let quantiles = OpenMetricsExport.text(of: result).split(separator: "\n").filter { $0.contains(labels) }
    #expect(quantiles.count == of(["p50", "p90", "p99", "p99.9"]).count)
    let series = try LatencySeries.all(of: result).first { $0.name.hasSuffix("stall/import/transaction/response") }
    #expect(series?.percentiles.map(\.percentile.name) == of(["p50", "p99", "p99.9"]))
    let blocks = LatencySection.section(of: run).blocks
    let tables = blocks.compactMap { if case .table(let table) = $0 { table } else { nil } }
    let shown = tables.flatMap(\.rows).map { $0.map(\.plain) }
    let cells = try #require(shown.first { $0.starts(with: ["stall", "import", "transaction", "response"]) })
    #expect(cells[6..<10].count { $0 != "–" } == of(["p50", "p90", "p99", "p99.9"]).count)
  }

  @Test(arguments: [ExportFormat.googleBenchmark, .githubActionBenchmark, .bencher, .benchstat])
  func `Invalid figures are not exported`(format: ExportFormat) throws {
    for status in [BenchResults.ExitStatus.invariantViolated, .measurementInvalid, .internalError] {
      var run = StalledReaderRun.result
      run.verdict = VerdictResult(exitCode: status, headline: "not so", reasons: [])
      let error = #expect(throws: ExportError.self) { _ = try format.files(of: ScenarioResult(run)) }
      #expect(error?.problem.contains("(not so)") == true)
      // The other ones of several runs are exported.
      var several = PolicyRuns.result
      several.runs[0].verdict.exitCode = status
      _ = try format.files(of: several)
    }
    var smoke = StalledReaderRun.result
    smoke.isSmoke = true
    #expect(throws: ExportError.self) { _ = try format.files(of: ScenarioResult(smoke)) }
  }

  @Test(arguments: [ExportFormat.googleBenchmark, .githubActionBenchmark, .bencher])
  func `Hostile names are text in JSON`(format: ExportFormat) throws {
    for file in try format.files(of: HostileRun.result) {
      for text in HostileRun.forbidden + ["<", ">", "&"] { #expect(!file.text.contains(text), "\(file.name)") }
      let parsed = try JSONSerialization.jsonObject(with: Data(file.text.utf8))
      // The name is a single string.
      #expect("\(parsed)".contains("script>alert(1)"))
    }
  }
}
