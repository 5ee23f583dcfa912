import BenchResults
import Foundation
import LatencyMetrics
import TestSupport
import Testing

@testable import BenchReports

struct ScenarioReportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func text(_ result: ScenarioResult = PolicyRuns.result) -> String {
    ScenarioReport(result: result, command: "./run-bench.sh scenario.yaml").text
  }

  @Test func `The verdict is first, and the sections are in order`() {
    let text = text()
    #expect(text.hasPrefix("# PASSED: 3 of 3 expectations in each of 4 runs\n"))
    let headings = text.split(separator: "\n").filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
    #expect(
      headings == [
        "Expectations", "Variants side by side", "Invariants", "Runs, in order", "Measurement quality",
        "Environment", "Notes", "Limitations", "Repeat it",
      ]
    )
  }

  @Test func `All lines of a table have the same width, and a row has the ratio to the first variant`() {
    let report = text(PolicyRuns.result(labels: ["containment", "share"], repetitions: 3))
    var lines: [Substring] = []
    for line in report.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("|") {
        lines.append(line)
      } else {
        #expect(Set(lines.map(\.count)).count <= 1)
        lines = []
      }
    }
    #expect(report.contains(" 1.00 ms (100 µs…1.00 ms) |"))
    #expect(report.contains(" 201 µs (200…201) ×2.00 |"))
    #expect(report.contains(" 2.00 ms (200 µs…2.00 ms) ×2.00 |"))
  }

  @Test func `From six repetitions on, a ratio has its interval, and is bold if that excludes 1`() {
    let report = text(PolicyRuns.result(labels: ["containment", "share"], repetitions: 6))
    #expect(report.contains(" 201 µs (200…201) **×2.00 (2.00…2.00)** |"))
    #expect(report.contains(" ×1.00 (1.00…1.00) ? |"))
    #expect(report.contains("its 95 % interval by the exact signed-rank test"))
  }

  @Test func `With fewer than six repetitions, no difference is stated`() {
    #expect(text().contains(" 2.00 ms (200 µs…2.00 ms) ×2.00 |") && !text().contains("**×"))
    #expect(text().contains("2 repetitions cannot tell a difference from the spread: that needs 6."))
  }

  @Test func `An expectation has the value of each repetition, and fails with one of them`() {
    var result = PolicyRuns.result
    result.runs[3].expectations[1].holds = false
    result.runs[3].expectations[1].measured = "700 MiB"
    let rows = text(result).split(separator: "\n").filter { $0.contains("`stall wal.bytes.max < 512MiB`") }
    #expect(rows.count == 2)
    #expect(rows[0].hasPrefix("| ok  ") && rows[0].contains("`containment`"))
    #expect(rows[1].hasPrefix("| **FAILED** ") && rows[1].contains("209 MiB, 700 MiB |"))
  }

  @Test func `Checks are added up, and a violation has its variant and repetition`() {
    var result = PolicyRuns.result
    result.runs[2].invariants[0].violations = ["row 7 carries commit 1"]
    let text = text(result)
    #expect(text.contains("| **VIOLATED** | `knownAnswers`"))
    #expect(text.contains(" 313,648 |"))
    #expect(text.contains("- `knownAnswers`, variant containment, repetition 2: row 7 carries commit 1"))
  }

  @Test func `Runs that were not made are reported`() {
    var result = PolicyRuns.result
    result.runs.removeLast()
    #expect(text(result).contains("**Partial: 3 of 4 runs were started"))
    #expect(ConsoleSummary.lines(result).contains("partial: 3 of 4 runs were started"))
  }

  @Test func `Runs that ended early are reported even if there are more runs than planned`() {
    var result = PolicyRuns.result
    result.runs.append(result.runs[0])
    result.runs[4].repetition = 3
    result.runs[4].isPartial = true
    #expect(ConsoleSummary.lines(result).contains("partial: 1 of 5 runs ended early"))
    #expect(text(result).contains("**Partial: 1 of 5 runs ended early; the report covers these.**"))
  }

  @Test func `Hostile names are inert in Markdown`() {
    let hostile = "<script>x</script> | `rm` [a](http://x) \n# big \u{202E}"
    var result = PolicyRuns.result(labels: [hostile, "b"])
    for index in result.runs.indices { result.runs[index].harness.distrust = [hostile] }
    let text = text(result)
    #expect(!text.contains("<script") && !text.contains("\n# big") && !text.contains("[a]("))
    #expect(!text.unicodeScalars.contains("\u{202E}"))
  }

  @Test func `Several runs write one folder, in which each has a report of its own`() throws {
    let path = try RunDirectory.write(PolicyRuns.result, into: folder.path)
    let name = URL(fileURLWithPath: path).lastPathComponent
    #expect(
      try folder.names(in: name) == [
        "checkpoints.csv", "pins.csv", "report.html", "report.md", "run.json", "runs", "scenario.yaml",
        "summary.csv", "timeseries.csv", "variants.csv", "variants.svg", "verdict.json",
      ]
    )
    let stems = ["1-share-1", "2-containment-1", "3-containment-2", "4-share-2"]
    #expect(try folder.names(in: name + "/runs") == stems.flatMap { [$0 + ".html", $0 + ".md", $0 + ".svg"] })
    let report = try String(contentsOfFile: path + "/report.md", encoding: .utf8)
    for stem in stems { #expect(report.contains("](runs/\(stem).md)")) }
    let own = try String(contentsOfFile: path + "/runs/3-containment-2.md", encoding: .utf8)
    #expect(own.contains("**stalled-reader** (`policy=containment`)"))
    #expect(own.contains("](3-containment-2.svg)") && report.contains("](variants.svg)"))
    #expect(
      own.contains(
        " run --seed 42 --only policy=containment --set repeat=1 --out \(folder.path) "
          + "\(path)/scenario.yaml\n"
      )
    )
    let back = try RunDocument.decode(Data(contentsOf: URL(fileURLWithPath: path + "/run.json")))
    #expect(back.runs.map(\.variant) == PolicyRuns.result.runs.map(\.variant))
    #expect(back.variants == PolicyRuns.result.variants)
    let summary = CSVReader.rows(try String(contentsOfFile: path + "/summary.csv", encoding: .utf8))
    #expect(Set(summary.dropFirst().map { $0[0] }) == ["policy=containment", "policy=share"])
    #expect(Set(summary.dropFirst().map { $0[1] }) == ["1", "2"])
  }

  /// The texts of `variants.svg`.
  private func picture(_ result: ScenarioResult, heading: String = "a") throws -> [String] {
    let svg = try #require(VariantsChart.drawings(VariantComparison(result), scenario: heading)?.file).text
    #expect(!svg.contains("<script") && !svg.contains("NaN"))
    return try XMLPage(svg).texts(of: "text")
  }

  @Test func `The picture is drawn, and its names are not executed`() throws {
    let hostile = "'; system 'touch owned' `touch owned` </text><script>x</script> \\"
    let texts = try picture(PolicyRuns.result(labels: [hostile, "share"]), heading: hostile)
    let titles = ["stall/import response p99", "import in stall: service p99", "ui in stall: dropped/commit"]
    for text in titles + ["share"] { #expect(texts.contains(text), "\(text) in \(texts)") }
    #expect(texts.filter { $0.hasPrefix("'; system") }.count > 1)
  }

  private struct Dots: Equatable {
    var filled: Int
    var hollow: Int
    var caption: String
  }

  private func dots(_ result: ScenarioResult) throws -> Dots {
    let figure = try #require(VariantsChart.drawings(VariantComparison(result), scenario: "a"))
    let classes = try figure.drawings.flatMap { try XMLPage($0.pageElement).attributes("class", of: "use") }
    let hollow = classes.count { $0 == "dot hollow" }
    return Dots(filled: classes.count { $0 == "dot" }, hollow: hollow, caption: figure.caption.plain)
  }

  @Test func `An invalid repetition is a hollow dot beside the filled ones of the others`() throws {
    var result = PolicyRuns.result
    let all = try dots(result)
    #expect(all.filled > 0 && all.hollow == 0 && !all.caption.contains("hollow"))
    result.runs[0].verdict.exitCode = .measurementInvalid
    let some = try dots(result)
    #expect(some.hollow > 0 && some.filled < all.filled)
    #expect(some.caption.contains("A hollow dot is an invalid repetition, which is left out of the figure."))
    // If no repetition of a variant is valid, all count.
    for index in result.runs.indices { result.runs[index].verdict.exitCode = .measurementInvalid }
    #expect(try dots(result) == all)
  }

  @Test func `A figure that no variant has is not drawn`() throws {
    var result = PolicyRuns.result
    for run in result.runs.indices {
      result.runs[run].changeTimes(of: "import") { $0.reset() }
    }
    let texts = try picture(result)
    #expect(texts.contains("import in stall: throughput"))
    #expect(!texts.contains { $0.hasPrefix("import in stall: response") })
  }

  @Test func `A variant without caches has no counts of them`() throws {
    var result = PolicyRuns.result
    for run in result.runs.indices where result.runs[run].variant == "policy=share" {
      for sample in result.runs[run].samples.indices {
        for index in result.runs[run].samples[sample].connections.indices {
          result.runs[run].samples[sample].connections[index].caches = nil
        }
      }
    }
    let lines = text(result).split(separator: "\n").drop { !$0.hasPrefix("**Caches of connection") }
    #expect(lines.first { $0.hasPrefix("| `containment` ") }?.contains("–") == false)
    #expect(lines.first { $0.hasPrefix("| `share` ") }?.contains("  – |") == true)
  }

  @Test func `The command that repeats a selection selects again`() {
    var result = PolicyRuns.result
    result.choices = ["share", "policy=it's"]
    let command = RepeatCommand(program: "yapbench", reportFolder: "out", dataFolder: nil, currentFolder: "/mnt")
    #expect(
      command.text(for: result, in: "/mnt/out/a")
        == #"yapbench run --seed 42 --only share --only 'policy=it'\''s' --out /mnt/out /mnt/out/a/scenario.yaml"#
    )
  }

  @Test func `The console has a line for each variant of each actor`() {
    let lines = ConsoleSummary.lines(PolicyRuns.result)
    #expect(lines[0] == "PASSED: 3 of 3 expectations in each of 4 runs (exit 0)")
    #expect(lines.contains("stall/import:"))
    #expect(lines.contains { $0.hasPrefix("  containment  throughput ") })
    #expect(lines.contains { $0.hasPrefix("  share        throughput ") && $0.contains("service p99 2.00 ms") })
    #expect(lines.last?.hasPrefix("invariants: knownAnswers ok (313,648)") == true)
  }
}
