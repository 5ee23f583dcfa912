import Foundation
import LatencyMetrics
import Testing

@testable import BenchReports
@testable import BenchResults

struct RunReportTests {
  private let result = StalledReaderRun.result

  private func text(_ result: RunResult) -> String {
    RunReport(result: result, command: "./run-bench.sh --seed 42 scenario.yaml").text
  }

  @Test func `The verdict is first`() {
    #expect(text(result).hasPrefix("# PASSED: 3 of 3 expectations, no invariant violated\n"))
  }

  @Test func `A failed run has FAILED first, with its exit code and every reason`() {
    var result = result
    result.verdict = .init(
      exitCode: .expectationFailed,
      headline: "1 of 3 expectations failed",
      reasons: ["too slow", "too large"]
    )
    result.expectations[1].holds = false
    let text = text(result)
    #expect(
      text.hasPrefix(
        "# FAILED: 1 of 3 expectations failed\n\nExit code **99**: an expectation of the scenario failed."
      )
    )
    #expect(text.contains("\n- too slow\n- too large\n"))
    #expect(text.contains("| **FAILED** | `stall wal.bytes.max < 512MiB`"))
  }

  @Test(arguments: BenchResults.ExitStatus.mostSevereFirst + [.passed])
  func `Each exit code has a word and a meaning`(status: BenchResults.ExitStatus) {
    var result = result
    result.verdict = .init(exitCode: status, headline: "as it went", reasons: [])
    #expect(
      text(result).hasPrefix("# \(status.word): as it went\n\nExit code **\(status.rawValue)**: \(status.meaning)")
    )
  }

  @Test func `Every expectation is listed with its measured value`() {
    let text = text(result)
    for expectation in result.expectations {
      #expect(text.contains(expectation.source))
      #expect(text.contains(" \(expectation.measured) |"))
    }
  }

  @Test func `The most important figures are a table`() {
    #expect(text(result).contains("| figure                   |   value | of "))
    #expect(text(result).contains("| WAL peak                 | 207 MiB | held by `ui`, in phase `stall` "))
  }

  @Test func `The sections are in order`() {
    let headings = text(result).split(separator: "\n").filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
    #expect(
      headings == [
        "Expectations", "WAL and latency over time", "Phases side by side", "Latency", "WAL area by cause", "Writes",
        "Checkpoints", "Memory and processors", "Invariants", "Measurement quality", "Environment", "Notes",
        "Limitations", "Repeat it",
      ]
    )
  }

  @Test func `Allocations are shown for recorded phases in which operations ended`() throws {
    var result = result
    var histogram = LatencyHistogram(digits: 2)
    for _ in 0..<200 { histogram.record(9) }
    result["warm"]["scroll"].allocations = 7
    result["stall"]["scroll"].operations = [OperationResult(name: "get", times: [.service: histogram])]
    result["stall"]["scroll"].allocations = 500
    result["stall"]["import"].operations = []
    result["stall"]["import"].allocations = 5
    let rows = text(result).split(separator: "\n").drop { !$0.contains("allocations per operation") }.dropFirst(2)
      .prefix { $0.hasPrefix("|") }
    #expect(
      rows.map { $0.split(separator: "|").map { $0.filter { $0 != " " } } } == [["`stall`", "`scroll`", "200", "2.50"]]
    )
  }

  @Test func `The inserts of the dataset are shown, with the commits in the time and the rate`() {
    #expect(!text(result).contains("Loading the dataset"))
    var result = result
    var (inserts, transactions) = (LatencyHistogram(), LatencyHistogram())
    inserts.record(2_000, count: 150)
    transactions.record(400_000)
    transactions.record(600_000)
    result.load = LoadResult(nanoseconds: 3_000_000, inserts: inserts, transactions: transactions)
    let rows = text(result).split(separator: "\n").drop { $0 != "## Loading the dataset" }.filter { $0.hasPrefix("|") }
    #expect(
      rows.prefix(3).last?.split(separator: "|").map { String($0).trimmingCharacters(in: .whitespaces) } == [
        "150", "3.00 ms", "50,000/s", "2.00 µs", "2.00 µs", "2.00 µs", "–", "2.00 µs", "2", "500 µs", "600 µs",
      ]
    )
    var several = ScenarioResult(result)
    several.repetitions = 2
    let report = ScenarioReport(result: several, command: "")
    #expect(report.text.contains("| repetition 1 |  150 | 3.00 ms | 50,000/s |"))
  }

  @Test func `Deadlocks are shown with their operation, in a run that could have some`() {
    #expect(!text(result).contains("deadlocks"))
    var result = result
    result["stall"]["import"].operations[1].deadlocks = 1_234
    let lines = text(result).split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("| phase ") && $0.contains(" deadlocks ") })
    let rows = lines.filter { $0.contains(" 1,234 ") }
    #expect(rows.count == 1)
    #expect(rows.first?.contains("`\(result["stall"]["import"].operations[1].name)`") == true)
    #expect(lines.contains { $0.hasPrefix("Deadlocks are inner transactions") })
  }

  @Test func `A median is marked if the harness has more than a tenth of it`() throws {
    #expect(!text(result).contains("harness |"))
    var result = result
    let median = try #require(result["stall"]["scroll"].transactions?.times[.service]).value(atPercentile: 50)
    func line(overhead: UInt64) throws -> Substring {
      result.harness.overheads = [
        HarnessOverhead(actor: "scroll", operation: OperationResult.transaction, nanoseconds: overhead)
      ]
      let lines = text(result).split(separator: "\n")
      #expect(lines.contains { $0.hasPrefix("| phase ") && $0.hasSuffix(" harness |") })
      return try #require(
        lines.first {
          $0.contains("| `stall` | `scroll` | `\(OperationResult.transaction)`") && $0.contains(" service ")
        }
      )
    }
    let small = try line(overhead: median / 20)
    #expect(small.contains("5.00 %") && !small.contains("†"), "\(small)")
    let large = try line(overhead: median / 5)
    #expect(large.contains("20.0 %") && large.contains("\(Quantity.duration(nanoseconds: median))†"), "\(large)")
    #expect(try line(overhead: median * 3).contains("100 %"))
  }

  @Test func `Reads are listed by their outcome in the cache, indented below their operation`() throws {
    #expect(!text(result).contains("reread"))
    var result = result
    let times = try #require(result["stall"]["scroll"].transactions?.times[.service])
    var read = OperationResult(name: "get", times: [.service: times])
    read.outcomes = [.reread: times, .hit: times]
    result["stall"]["scroll"].operations = [read, OperationResult(name: "getRow", times: [.service: times])]
    let cells = text(result).split(separator: "\n").map { $0.split(separator: "|").map(String.init) }
    let rows = cells.filter {
      $0.count > 4 && $0[0].contains("`stall`") && $0[1].contains("`scroll`") && $0[3].contains("service")
    }
    #expect(
      rows.map { $0[2].replacing(" ", with: "") } == ["`get`", "\u{2003}`get.hit`", "\u{2003}`get.reread`", "`getRow`"]
    )
    #expect(text(result).contains("listed by their outcome in the connection's caches"))
    let table = CSVReader.rows(SummaryTable.table(of: [result]).contents)
    let summary = table.filter { $0[2] == "stall" && $0[4] == "scroll" }
    #expect(summary.map { $0[5] } == ["get", "get.hit", "get.reread", "getRow"])
    #expect(summary.allSatisfy { $0[6] == "service" && $0[7] == "\(times.count)" })
  }

  @Test func `All lines of a table have the same width`() {
    var lines: [Substring] = []
    for line in text(result).split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("|") {
        lines.append(line)
      } else {
        #expect(Set(lines.map(\.count)).count <= 1)
        lines = []
      }
    }
  }

  @Test func `The connection that pinned the WAL is named with its share`() {
    let text = text(result)
    #expect(text.contains("| only `ui` "))
    #expect(text.contains("5,763 commits"))
    #expect(text.contains("area under `wal.bytes`"))
  }

  @Test func `The bytes that each recorded phase wrote are shown with the bytes that its actors stored`() {
    var result = result
    func put(_ stored: Int, _ wal: FileWrites.Counts, _ database: FileWrites.Counts, at index: Int) {
      result.samples[index].logicalBytes = ["a": stored, "b": 7]
      result.samples[index].writes = FileWrites(wal: wal, database: database)
    }
    let indices = result.samples.indices.filter { result.samples[$0].phase == "stall" }
    // Nothing is counted while the engine is not running.
    for index in indices {
      put(index == indices.last ? 200 : 0, .init(), .init(), at: index)
      result.samples[index].writes = nil
    }
    put(0, .init(bytes: 500, syncs: 3, syncNanoseconds: 1), .init(bytes: 40, syncs: 1), at: indices[0])
    put(
      200,
      .init(bytes: 1_000, syncs: 1_237, syncNanoseconds: 2_000_001),
      .init(bytes: 123, syncs: 12, syncNanoseconds: 1_000_000),
      at: indices[indices.count - 2]
    )
    let lines = text(result).split(separator: "\n").drop { $0 != "## Writes" }
    let cells = lines.filter { $0.hasPrefix("| `") }.prefix(2).map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(cells.map(\.first) == ["`stall`", "`drain`"])
    #expect(cells.first == ["`stall`", "200 B", "500 B", "83 B", "2.92", "1,234", "11", "3.00 ms"])
    // Nothing is stored while the WAL drains. The first sample's count does not belong to the phase.
    let drained = result.checkpoints.filter { $0.phase == "drain" }.dropFirst().reduce(0) { $0 + $1.bytesCopied }
    #expect(cells.last?[1...4] == ["0 B", "0 B", Quantity.bytes(drained), "–"])
  }

  @Test func `A run without counted writes does not mention them`() {
    var result = result
    for index in result.samples.indices { result.samples[index].writes = nil }
    #expect(!text(result).contains("## Writes"))
  }

  @Test func `Parts that do not add up are reported`() {
    var result = result
    result.blame.walByteSeconds *= 2
    #expect(text(result).contains("**They do not add up"))
  }

  @Test func `A closed load has a remark that it is not corrected for coordinated omission`() {
    #expect(!text(result).contains("coordinated omission"))
    var result = result
    result["stall"]["scroll"].dueArrivals = nil
    result["stall"]["scroll"].load = .closed
    let text = text(result)
    #expect(text.contains("`scroll` ran closed loads"))
    #expect(text.contains("not corrected for coordinated omission"))
  }

  @Test func `A percentile without samples beyond it is not shown`() {
    let line = text(result).split(separator: "\n").first { $0.contains("`drain`") && $0.contains("`multiGet`") }
    #expect(line?.contains(" – |") == true)
  }

  @Test func `An invariant that was never checked is not shown as ok`() {
    var result = result
    result.invariants[0].checks = 0
    result.invariants[1].violations = ["key 7 read twice differs"]
    let text = text(result)
    #expect(text.contains("| never checked | `knownAnswers`"))
    #expect(text.contains("| **VIOLATED**  | `snapshotStability`"))
    #expect(text.contains("- `snapshotStability`: key 7 read twice differs"))
  }

  @Test func `The exposure to SQLite's defect is shown for the engine and for others`() {
    #expect(text(result).contains("so it is not exposed."))
    var result = result
    result.driver = "sqlite"
    #expect(text(result).contains("Driver `sqlite` makes no checkpoint during its commits"))
    result.environment.sqliteHasWALResetDefect = false
    #expect(text(result).contains("free of the WAL-reset defect."))
  }

  @Test func `The command that repeats the run is on a line of its own`() {
    #expect(text(result).contains("```sh\n./run-bench.sh --seed 42 scenario.yaml\n```\n"))
  }

  @Test func `The condition that ended a phase is stated, with the rates of loads that were changing`() {
    var result = result
    result["stall"].endedBy = "operations"
    result["stall"]["import"].endRatePerSecond = 3_020
    #expect(text(result).contains("`stall` 30.0 s, ended by `operations`, rate then: 3,020/s; "))
    let rates = [EndRate(actor: "read", perSecond: 5), EndRate(actor: "write", perSecond: 0)]
    #expect(Quantity.clause(of: rates) == ", rate then: read 5.00/s, write 0/s")
    #expect(Quantity.clause(of: []).isEmpty)
  }

  @Test func `Measurement errors, smoke runs and interruptions are emphasized`() {
    var result = result
    result.harness.distrust = ["the clock stepped back"]
    result.isSmoke = true
    result.isPartial = true
    let text = text(result)
    #expect(text.contains("**Disturbances, in spite of which there is a verdict:**\n\n- the clock stepped back"))
    #expect(text.contains("A smoke run"))
    #expect(text.contains("Partial: the run ended early"))
    #expect(text.contains("Expectations of a phase that was cut short are evaluated on the part that ran"))
  }

  @Test func `A figure that was asked for is shown once, before the usual ones`() throws {
    let usual = try #require(tiles(shown: []).last)
    #expect(usual.name.plain == "WAL peak" && usual.owner.plain.hasPrefix("held by "))
    let asked = try #require(usual.figure?.id)
    let shown = tiles(shown: [FigureID(.walFrames, .max, of: asked.scope), asked])
    #expect(shown.count == tiles(shown: []).count + 1)
    #expect(shown[1].owner.plain == usual.owner.plain)
  }

  private func tiles(shown: [FigureID]) -> [ReportTile] {
    let section = FiguresSection.section(of: result, shown: shown, EarlierRuns())
    return section?.blocks.flatMap { block -> [ReportTile] in
      if case .tiles(let tiles) = block { tiles } else { [] }
    } ?? []
  }

  @Test func `Times that waits for a processor made longer are counted first, and listed below`() throws {
    var result = result
    #expect(!text(result).contains("Disturbance"))
    let measured = try #require(result.histogram(of: "import", OperationResult.transaction, .response, in: "stall"))
    var undisturbed = LatencyHistogram(digits: measured.digits)
    for _ in 0..<measured.count { undisturbed.record(200_000) }
    let times = DisturbedTimes(measured: measured, undisturbed: undisturbed)
    result["stall"].disturbance = .waits
    result["stall"]["import"].disturbed = [.response: times]
    let passed = text(result)
    #expect(passed.contains("Disturbance: waits that others may have caused made 2 of "))
    #expect(passed.contains("| `stall` | `import` | response p99 |  5.64 ms |        200 µs |"))
    #expect(!passed.contains("| `stall` | `scroll` | service p99 |"))
    let tiles = FiguresSection.section(of: result, shown: [], EarlierRuns())?.blocks.compactMap {
      block -> [ReportTile]? in
      if case .tiles(let tiles) = block { tiles } else { nil }
    }
    let doubtful = tiles?.flatMap { $0 }.filter { $0.tone == .doubtful }
    #expect(doubtful?.map(\.value) == ["1.11 ms", "5.64 ms"])
    #expect(doubtful?.first?.owner.plain.hasSuffix(", 200 µs without waits") == true)
    let several = DisturbedPercentiles(in: [result, self.result])
    #expect(several?.headline.hasSuffix(" percentiles more than 10 % longer in 1 of 2 runs") == true)
    // An invalid run has its cause in the first line.
    result.verdict = VerdictResult(exitCode: .measurementInvalid, headline: "machine busy", reasons: ["machine busy"])
    #expect(!text(result).contains("Disturbance: ") && !text(result).contains(". No sign of measurement error"))
    #expect(text(result).contains("| `stall` | `import` | response p99 |"))
  }

  @Test func `Hostile names are inert in Markdown`() {
    var result = result
    let hostile = "<script>x</script> | `rm` [a](http://x) \n# big \u{202E}\u{7}&amp; ![i](y)"
    result.scenario = hostile
    result.summary = hostile
    result.notes = [hostile]
    result.verdict.headline = hostile
    result.expectations[0].source = hostile
    result.blame.connections[0].name = hostile
    result.checkpoints[0].pinnedBy = hostile
    result.checkpoints[19].phase = hostile
    result.phases[1].name = hostile
    let text = text(result)
    #expect(!text.contains("<script") && !text.contains("</script"))
    #expect(!text.contains("\n# big"))
    #expect(!text.contains("[a]("))
    #expect(!text.contains("![i]"))
    #expect(!text.unicodeScalars.contains("\u{202E}") && !text.unicodeScalars.contains("\u{7}"))
    let cells = text.split(separator: "\n").filter { $0.contains("script") && $0.hasPrefix("|") }
    #expect(!cells.isEmpty)
    #expect(cells.allSatisfy { !$0.contains("`rm`") && !$0.contains("http://") })
  }

  @Test(arguments: [
    ("- item", "\\- item"), ("  > quote", "\\> quote"), ("12. item", "12\\. item"), ("1) item", "1\\) item"),
    ("1.23 ms", "1.23 ms"), ("-3 s", "-3 s"), ("a < 5 - 3", "a < 5 - 3"), ("a<b", "a&lt;b"),
    ("R&D & co", "R&amp;D & co"),
    ("== x", "\\== x"),
  ])
  func `Text cannot begin a list, a quote, a tag or an entity`(text: String, written: String) {
    #expect(InertText.markdown(text) == written)
  }

  @Test func `An empty run has a report`() {
    let result = result.withoutFigures
    let text = text(result)
    #expect(text.contains("No checkpoint was attempted."))
    #expect(text.contains("No WAL was sampled"))
    #expect(
      text.contains(
        "\nStarted at 2026-02-03T04:05:06Z on driver `yap` with seed 42, and ended before its first phase.\n"
      )
    )
    #expect(text.contains("\nNo WAL, event, checkpoint or latency was recorded.\n"))
    #expect(!text.contains("!["))
    #expect(text.contains("\nNo phase ran, so there are no figures to judge.\n"))
  }
}
