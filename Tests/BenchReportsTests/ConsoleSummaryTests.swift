import LatencyMetrics
import Testing

@testable import BenchReports
@testable import BenchResults

struct ConsoleSummaryTests {
  private let result = StalledReaderRun.result

  @Test func `It has the verdict, the expectations, the pinning connection and the invariants`() {
    let lines = ConsoleSummary.lines(ScenarioResult(result))
    #expect(lines.count == 6)
    #expect(lines[0] == "PASSED: 3 of 3 expectations, no invariant violated (exit 0)")
    #expect(lines[1] == "ok      stall/import response.p99 < 50ms  measured 5.12 ms (89.8 % below)")
    #expect(lines[4].hasPrefix("WAL peak 207 MiB; \"ui\" alone kept 3.20 GiB·s (90.8 %), longest pin 30.0 s"))
    #expect(lines[4].hasSuffix("max lag 5,763 commits"))
    #expect(lines[5].hasPrefix("invariants: knownAnswers ok (78,412)"))
  }

  @Test func `Failures and unchecked invariants are emphasized`() {
    var result = result
    result.expectations[0].holds = false
    result.invariants[0].checks = 0
    result.invariants[1].violations = ["wrong"]
    result.blame.connections = []
    let lines = ConsoleSummary.lines(ScenarioResult(result))
    #expect(lines[1].hasPrefix("FAILED  stall/import"))
    #expect(lines[4].contains("no connection alone kept any of it"))
    #expect(lines[5].contains("knownAnswers never checked, snapshotStability VIOLATED"))
  }

  @Test(
    arguments: [
      (.pinned, "ui", "pinned by \"ui\""), (.writersAhead, nil, "commits outran the checkpoints"),
      (.neverUnread, "ui", "checkpointed, but never without a reader, mostly \"ui\""),
      (.neverUnread, nil, "checkpointed, but never without a reader"),
    ] as [(WALExcessResult.Reason, String?, String)]
  )
  func `A WAL far above its limit is on the first screen of every format`(
    reason: WALExcessResult.Reason,
    connection: String?,
    cause: String
  ) {
    var result = result
    result.walExcess = WALExcessResult(
      limitBytes: 4 << 20,
      totalNanoseconds: 10_900_000_000,
      longestNanoseconds: 9_000_000_000,
      phase: "stall",
      peakBytes: 241 << 20,
      reason: reason,
      connection: connection
    )
    let line = "WAL above 2 x its limit of 4.00 MiB for 10.9 s, peak 241 MiB: \(cause)"
    #expect(ConsoleSummary.lines(ScenarioResult(result)).contains(line))
    let report = RunReport(result: result, command: "")
    #expect(report.text.contains("peak 241 MiB: ") && report.page.contains("peak 241 MiB: "))
    var several = ScenarioResult(result)
    several.repetitions = 2
    several.runs.append(self.result)
    several.runs[1].repetition = 2
    #expect(ConsoleSummary.lines(several).contains(line + " (the largest; 1 of 2 runs had such a WAL)"))
    let reportOfSeveral = ScenarioReport(result: several, command: "")
    #expect(MarkdownReport.text(of: reportOfSeveral.sections).contains("peak 241 MiB: "))
    #expect(!ConsoleSummary.lines(ScenarioResult(self.result)).contains { $0.contains("its limit") })
  }

  @Test(
    arguments: [
      ([], "--set phases.stall.operations=100000"), (["ycsb"], "-p operationcount=100000 of yapbench ycsb"),
    ] as [([String], String)]
  )
  func `A phase that did its operations in less than a second is too short`(tags: [String], option: String) {
    var result = result
    result.tags = tags
    var phase = result["stall"]
    var gets = LatencyHistogram()
    gets.record(9, count: 1_000)
    phase.actors = [ActorResult(name: "ui", load: .closed)]
    phase.actors[0].operations = [OperationResult(name: "get", times: [.service: gets])]
    (phase.startNanoseconds, phase.endNanoseconds, phase.lastTransactionEndNanoseconds) = (0, 100_000_000, 0)
    func lines(_ change: (inout RunResult) -> Void = { _ in }) -> [String] {
      result["stall"] = phase
      var changed = result
      change(&changed)
      let report = RunReport(result: changed, command: "")
      let found = ConsoleSummary.lines(ScenarioResult(changed)).filter { $0.contains("too short") }
      #expect(found.isEmpty == !report.text.contains("which is too short for meaningful figures"))
      return found
    }
    #expect(lines().isEmpty)
    phase.countsOperations = true
    let line = "phase \"stall\" took 100 ms, which is too short for meaningful figures; make it longer with \(option)"
    #expect(lines() == [line])
    #expect(lines { $0.isSmoke = true }.isEmpty)
    #expect(lines { $0.repetition = 2 } == (tags.isEmpty ? [] : [line]))
    #expect(lines { $0["stall"].isRecorded = false }.isEmpty)
    #expect(lines { $0["stall"].end = .cutShort }.isEmpty)
    phase.endNanoseconds = 1_000_000_000
    #expect(lines().isEmpty)
  }

  @Test func `Expectations that an interrupted run did not reach are open, and not failed`() {
    var result = result
    result.expectations[0].holds = false
    result.expectations[0].measuredValue = nil
    #expect(ConsoleSummary.lines(ScenarioResult(result))[1].hasPrefix("FAILED  stall/import"))
    result.isPartial = true
    #expect(ConsoleSummary.lines(ScenarioResult(result))[2].hasPrefix("open    stall/import"))
  }

  @Test func `Signs of measurement error are shown once, as a reason of the verdict or as a disturbance`() {
    var result = result
    result.harness.distrust = ["the clock stepped"]
    #expect(ConsoleSummary.lines(ScenarioResult(result)).last == "disturbance: the clock stepped")
    var smoke = result
    smoke.isSmoke = true
    #expect(!ConsoleSummary.lines(ScenarioResult(smoke)).contains { $0.contains("the clock stepped") })
    result.verdict = .init(exitCode: .measurementInvalid, headline: "not to be trusted", reasons: ["the clock stepped"])
    #expect(
      ConsoleSummary.lines(ScenarioResult(result)).filter { $0.contains("the clock stepped") } == [
        "  - the clock stepped"
      ]
    )
  }

  @Test func `A run that ended before anything was recorded names no connection, and a single reason is shown once`() {
    var result = result
    result.blame.walByteSeconds = 0
    result.blame.connections = []
    for index in result.invariants.indices { result.invariants[index].checks = 0 }
    result.verdict = .init(exitCode: .expectationFailed, headline: "too slow", reasons: ["too slow"])
    let lines = ConsoleSummary.lines(ScenarioResult(result))
    #expect(lines[0] == "FAILED: too slow (exit 99)")
    #expect(lines[1].hasPrefix("ok      stall/import"))
    #expect(lines.suffix(2) == ["WAL peak 207 MiB; its parts were not measured", "invariants: none was checked"])
  }

  @Test func `Names cannot control the terminal`() {
    var result = result
    result.verdict.headline = "\u{1B}[2Jgone\nnext \u{202E}"
    let lines = ConsoleSummary.lines(ScenarioResult(result))
    #expect(lines[0] == "PASSED: U+001B[2Jgone next U+202E (exit 0)")
  }
}
