import Foundation
import TestSupport
import Testing
import ThreadingPrimitives

@testable import BenchResults
@testable import BenchRunner
@testable import YapBenchCommand

/// Standard error with `--json-progress`, parsed as another program does.
struct EventStreamTests {
  private let folder: TemporaryFolder
  private let out: String
  private let errors = CapturedOutput()

  init() throws {
    folder = try TemporaryFolder()
    out = folder.path + "/out"
  }

  private func events() throws -> [[String: Any]] {
    try errors.text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  private func run(_ made: MadeUpRunner = MadeUpRunner(), _ arguments: String...) -> Int32 {
    var trial = Trial()
    trial.errors = errors
    trial.runner = made.runner
    return trial.run(["run", "--out", out, "--json-progress"] + arguments)
  }

  /// Checks what all streams have in common, and returns the names of the events.
  private func names(exit code: Int32, verdict: String) throws -> [String] {
    let events = try events()
    let times = try events.map { event in
      try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(try #require(event["time"] as? String))
    }
    #expect(times == times.sorted())
    #expect(events.first?["schemaVersion"] as? Int == EventStream.schemaVersion)
    #expect(events.last?["exit"] as? Int == Int(code))
    #expect(events.last?["verdict"] as? String == verdict)
    return events.map { $0["event"] as? String ?? "" }
  }

  @Test func `A run begins with the schema's version, and ends with its verdict and the report`() throws {
    #expect(run(MadeUpRunner(), Project.null) == 0)
    let names = try names(exit: 0, verdict: "PASSED")
    #expect(names == ["started", "scenarioBegan", "phaseBegan", "phaseEnded", "scenarioEnded", "ended"])
    let events = try events()
    let report = "\(out)/20260203-040506-null-nocommit/report.md"
    #expect(events[1]["scenario"] as? String == "null")
    #expect(events[1]["seed"] as? Int == 1)
    #expect(events[4]["report"] as? String == report)
    #expect(events[4]["verdict"] as? String == "PASSED")
    #expect(events[4]["reason"] as? String == "made up")
    #expect(events[5]["reports"] as? [String] == [report])
  }

  @Test func `Several scenarios have an end each, and the last event has the most severe exit code`() throws {
    #expect(run(MadeUpRunner(.expectationFailed, .passed), Project.null, Project.stalledReader) == 99)
    _ = try names(exit: 99, verdict: "FAILED")
    let ended = try events().filter { $0["event"] as? String == "scenarioEnded" }
    #expect(ended.map { $0["exit"] as? Int } == [99, 0])
    #expect(try events().last?["reports"] as? [String] == ended.compactMap { $0["report"] as? String })
  }

  @Test func `A wrong argument and a wrong file are events too`() throws {
    #expect(run(MadeUpRunner(), "--sed", "7", Project.null) == 64)
    #expect(try Set(names(exit: 64, verdict: "ERROR")) == ["started", "message", "ended"])
    errors.clear()
    let file = try folder.write(Mistakes.text, to: "many.yaml")
    #expect(run(MadeUpRunner(), file) == 65)
    let problems = Mistakes.locations.map { _ in "error" }
    #expect(try names(exit: 65, verdict: "ERROR") == ["started"] + problems + ["ended"])
    let first = try events()[1]
    #expect(first["file"] as? String == file)
    #expect(first["line"] as? Int == 3)
    #expect(first["column"] as? Int == 1)
    #expect((first["text"] as? String)?.hasPrefix("unknown key") == true)
    errors.clear()
    try Data().write(to: URL(fileURLWithPath: out))
    #expect(run(MadeUpRunner(), Project.null) == 73)
    #expect(try names(exit: 73, verdict: "ERROR") == ["started", "error", "ended"])
  }

  @Test func `A scenario without a result has an end`() throws {
    var trial = Trial()
    trial.errors = errors
    #expect(trial.run("run", "--out", out, "--json-progress", Project.null) == 1)
    let names = try names(exit: 1, verdict: "ERROR")
    #expect(names == ["started", "scenarioBegan", "error", "scenarioEnded", "ended"])
    #expect(try events()[3]["report"] == nil)
  }

  @Test func `An interrupted run ends with 130`() throws {
    let interruption = Trial().interruption
    let made = MadeUpRunner()
    var trial = Trial()
    trial.interruption = interruption
    let raising = CapturedOutput(when: "phaseBegan") { interruption.raise() }
    trial.errors = raising
    trial.runner = made.runner
    #expect(trial.run("run", "--out", out, "--json-progress", Project.null, Project.stalledReader) == 130)
    errors.write(raising.text)
    let names = try names(exit: 130, verdict: "INTERRUPTED")
    #expect(names.suffix(3) == ["scenarioEnded", "message", "ended"])
  }

  @Test func `Nothing follows the end`() throws {
    let stream = EventStream(to: errors)
    stream.end(exit: 130)
    stream.end(exit: 0)
    stream.line("late")
    stream.add("late", [:])
    #expect(try names(exit: 130, verdict: "INTERRUPTED") == ["started", "ended"])
  }

  @Test func `Text, samples and the ends of phases are objects with their values`() throws {
    let display = ProgressDisplay(output: EventStream(to: errors), terminal: nil)
    display.showMessage("name: \u{1b}[2J\n\"quoted\"")
    var moment = RunMoment(phase: "stall", elapsedNanoseconds: 3_000_000_000, transactionsPerSecond: 7)
    moment.actors = [.init(name: "import", transactionsPerSecond: 7, p99Nanoseconds: 5_000_000, pendingArrivals: 2)]
    moment.brokenExpectations = ["stall wal.bytes.max < 1MiB"]
    (moment.pinnedBy, moment.pinnedBytes) = ("ui", 104_857_600)
    display.show(.sampled(moment))
    display.show(.phaseEnded(name: "stall", end: .notReached, nanoseconds: 500_000_000))
    let rates = [EndRate(actor: "import", perSecond: 5)]
    display.show(.phaseEnded(name: "next", end: .reached, nanoseconds: 1, endedBy: "rows", rates: rates))
    let events = try events()
    #expect(events.map { $0["event"] as? String } == ["started", "message", "sampled", "phaseEnded", "phaseEnded"])
    #expect(events[3]["endedBy"] == nil && events[3]["endRatesPerSecond"] == nil)
    #expect(events[4]["endedBy"] as? String == "rows")
    #expect(events[4]["endRatesPerSecond"] as? [String: Double] == ["import": 5])
    #expect(events[1]["text"] as? String == "name: \u{1b}[2J\n\"quoted\"")
    #expect(events[2]["seconds"] as? Double == 3)
    #expect(events[2]["pinnedBy"] as? String == "ui")
    #expect(events[2]["pinnedBytes"] as? Int == 104_857_600)
    #expect(events[2]["brokenExpectations"] as? [String] == ["stall wal.bytes.max < 1MiB"])
    let actor = try #require((events[2]["actors"] as? [[String: Any]])?.first)
    #expect(actor["actor"] as? String == "import")
    #expect(actor["p99Seconds"] as? Double == 0.005)
    #expect(actor["pendingArrivals"] as? Int == 2)
    #expect(events[3]["end"] as? String == "notReached")
    #expect(events[3]["seconds"] as? Double == 0.5)
  }
}
