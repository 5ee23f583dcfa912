import Foundation
import LatencyMetrics
import Testing

@testable import BenchReports
@testable import BenchResults

struct OpenMetricsExportTests {
  private struct Sample {
    var family: String
    var name: String
    var labels: [String: String]
    var value: Double
  }

  /// Reads the text by the rules of OpenMetrics 1.0; nil if it breaks one.
  private func read(_ text: String) -> [Sample]? {
    guard text.hasSuffix("\n# EOF\n") else { return nil }
    var samples: [Sample] = []
    var seen: Set<String> = []
    var family = (name: "", kind: "")
    for line in text.dropLast("# EOF\n".count).split(separator: "\n").map(String.init) {
      if line.hasPrefix("#") {
        let words = line.split(separator: " ", maxSplits: 3).map(String.init)
        guard words.count == 4, ["TYPE", "UNIT", "HELP"].contains(words[1]) else { return nil }
        if words[1] == "TYPE" {
          guard seen.insert(words[2]).inserted else { return nil }
          family = (words[2], words[3])
        }
        guard words[2] == family.name else { return nil }
        if words[1] == "UNIT", !family.name.hasSuffix("_" + words[3]) { return nil }
        continue
      }
      guard let match = line.wholeMatch(of: /([a-z_]+)\{((?:[a-z_]+="(?:[^"\\]|\\["\\n])*",?)*)\} (\S+)/),
        let value = Double(match.3)
      else { return nil }
      let suffixes = ["counter": ["_total"], "info": ["_info"], "summary": ["", "_count", "_sum"], "gauge": [""]]
      guard suffixes[family.kind]?.contains(where: { match.1 == family.name + $0 }) == true else { return nil }
      var labels: [String: String] = [:]
      for label in match.2.matches(of: /([a-z_]+)="((?:[^"\\]|\\["\\n])*)"/) {
        let text = String(label.2).replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
        guard labels.updateValue(text, forKey: String(label.1)) == nil else { return nil }
      }
      // A series may have one sample.
      let isKnown = samples.contains { $0.name == match.1 && $0.labels == labels }
      guard !isKnown else { return nil }
      samples.append(Sample(family: family.name, name: String(match.1), labels: labels, value: value))
    }
    return samples
  }

  @Test func `A series has one sample, even if a record has an expectation twice`() throws {
    var run = StalledReaderRun.result
    run.expectations.append(run.expectations[0])
    run.expectations[3].holds = false
    let samples = try #require(read(OpenMetricsExport.text(of: ScenarioResult(run))))
    let held = samples.filter { $0.name == "yapbench_expectation_held" }
    #expect(held.count == 3 && held.allSatisfy { $0.value == 1 })
  }

  @Test func `Last values and totals are exported in base units`() throws {
    let samples = try #require(read(OpenMetricsExport.text(of: StalledReaderRun.scenario)))
    let run = StalledReaderRun.result
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
      samples.first { sample in sample.name == name && labels.allSatisfy { sample.labels[$0] == $1 } }?.value
    }
    #expect(value("yapbench_wal_bytes") == run.samples.last?.wal.map { Double($0.bytes) })
    #expect(value("yapbench_wal_backlog_frames") == 0)
    #expect(value("yapbench_cpu_seconds_total", ["mode": "user"]) == 11.191)
    #expect(value("yapbench_exit_code") == 0)
    #expect(value("yapbench_invariant_checks_total", ["invariant": "knownAnswers"]) == 78_412)
    #expect(value("yapbench_run_info", ["seed": "42", "variant": "", "run_id": run.runID]) == 1)
    #expect(samples.filter { $0.labels["run_id"] != nil }.map(\.name) == ["yapbench_run_info"])
    let pinned = run.checkpoints.filter { $0.outcome == .partialPinned }.count
    #expect(value("yapbench_checkpoints_total", ["outcome": "partialPinned"]) == Double(pinned))
    let labels = ["phase": "stall", "actor": "import", "operation": "transaction", "kind": "response"]
    let histogram = try #require(run.histogram(of: "import", "transaction", .response, in: "stall"))
    #expect(value("yapbench_latency_seconds_count", labels) == Double(histogram.count))
    let p99 = value("yapbench_latency_seconds", labels.merging(["quantile": "0.99"]) { $1 })
    #expect(p99 == Double(histogram.value(atPercentile: 99)) / 1e9)
  }

  @Test func `No two samples have the same name and labels`() throws {
    let samples = try #require(read(OpenMetricsExport.text(of: PolicyRuns.result)))
    let keys = samples.map { "\($0.name) \($0.labels.sorted { $0.key < $1.key })" }
    #expect(Set(keys).count == keys.count)
    #expect(Set(samples.compactMap { $0.labels["variant"] }) == ["policy=share", "policy=containment"])
  }

  @Test func `Figures that were not measured are omitted`() throws {
    var run = StalledReaderRun.result
    run.samples = []
    run.checkpoints = []
    run.expectations = []
    let samples = try #require(read(OpenMetricsExport.text(of: ScenarioResult(run))))
    #expect(!samples.contains { $0.name.contains("wal") || $0.name.contains("expectation") })
  }

  @Test func `Hostile names are text in labels`() throws {
    let text = OpenMetricsExport.text(of: HostileRun.result)
    for forbidden in HostileRun.forbidden.dropLast() { #expect(!text.contains(forbidden)) }
    let samples = try #require(read(text))
    #expect(samples.contains { $0.labels["scenario"] == InertText.line(HostileRun.name) })
  }
}
