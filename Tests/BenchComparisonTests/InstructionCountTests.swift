import BenchResults
import BenchScenario
import Foundation
import HarnessPrimitives
import TestSupport
import Testing

@testable import BenchComparison

@Suite("Counting instructions") struct InstructionCountTests {
  /// Two transactions in Callgrind's format: each name is written in full once, and the costs of a call are on the line
  /// after it.
  private static let text = """
    # callgrind format
    version: 1
    creator: callgrind-3.19.0
    events: Ir
    summary: 1000

    ob=(1) /tmp/yapbench
    fl=(1) ???
    fn=(1) $s11BenchRunner6WorkerV10runClosed33_B92LLyyKF
    0 0
    cfn=(2) $s11BenchRunner6WorkerV19recordedTransaction33_B92LLs6UInt64VyKF
    calls=2 0
    0 1000

    fn=(2)
    0 100
    cfn=(3) $s9YapEngine6WriterC6commit7isTimedySb_tKF
    calls=2 0
    +3 500
    cfn=(4) $s13SQLiteBinding0A9StatementC4stepSbyKF
    calls=4 0
    0 200
    cfn=(5) $s9YapEngine13AdaptiveCacheV5value3forxSgAA6RowKeyV_tFyp_Tg5
    calls=2 0
    0 200

    fn=(3)
    0 20
    cfn=(6) $s9YapEngine0B6HandleC3runyyAA9StatementOKF
    calls=2 0
    0 480

    fn=(6)
    0 80
    cfn=(4)
    calls=2 0
    0 400

    fn=(4)
    0 30
    cob=(2) /usr/lib/libsqlite3.so.0
    cfn=(7) sqlite3_step
    calls=6 0
    0 570

    fn=(7)
    0 570

    fn=(5)
    0 150
    cfn=(8) $s9YapEngine13AdaptiveCacheV5ChainV6remove
    calls=2 0
    0 50

    fn=(8)
    0 50

    totals: 1000
    """

  private let profile = CallgrindProfile(Self.text)

  @Test func `a profile has the calls between each two functions, and their cost`() {
    #expect(profile.total == 1_000)
    let edge = CallgrindProfile.Edge(
      caller: "$s9YapEngine0B6HandleC3runyyAA9StatementOKF",
      callee: "$s13SQLiteBinding0A9StatementC4stepSbyKF"
    )
    #expect(profile.edges[edge] == CallgrindProfile.Calls(count: 2, instructions: 400))
    #expect(profile.edges.count == 8)
  }

  @Test func `a transaction's instructions are split into parts that add up`() {
    let figures = InstructionCount(profile).figures(of: "commits/run/write")
    let values = Dictionary(uniqueKeysWithValues: figures.map { ($0.name.metric, $0.value) })
    #expect(
      values == [
        "instructions": 500, "instructions of commit": 250, "instructions of statements": 100,
        "instructions of cache": 100, "instructions of begin": 0, "instructions of lane": 0, "instructions of rest": 50,
      ]
    )
    #expect(figures.map(\.role) == [.instructions] + Array(repeating: .part, count: 6))
  }

  @Test func `in turns, each kind of work has its own mean, and parts are per transaction`() {
    let kinds = InstructionCount.Work.allCases
    let calls = kinds.enumerated().map { index, work in
      "cfn=\(work.symbol)yyKF\ncalls=\(index + 1) 0\n0 \(100 * (index + 1) * (index + 1))"
    }
    let text = (["events: Ir", "fn=(1) main", "0 10"] + calls).joined(separator: "\n")
    let figures = InstructionCount(CallgrindProfile(text), takesTurns: true).figures(of: "jumps/run")
    let work = figures.filter { $0.role == .instructions }
    #expect(
      work.map(\.name.workload) == [
        "jumps/run/reads", "jumps/run/commits", "jumps/run/moves", "jumps/run/checkpoints",
      ]
    )
    #expect(work.map(\.value) == [100, 200, 300, 400])
    let parts = figures.filter { $0.role == .part }
    #expect(parts.allSatisfy { $0.name.workload == "jumps/run" })
    // One read and two commits.
    #expect(parts.first { $0.name.metric == "instructions of rest" }?.value == 10.0 / 3)
  }

  @Test func `a program without the marked function has no figures`() {
    let other = Self.text.replacing("recordedTransaction", with: "somethingElse")
    #expect(InstructionCount(CallgrindProfile(other)).figures(of: "commits/run/write").isEmpty)
    #expect(InstructionCount(CallgrindProfile("")).figures(of: "commits/run/write").isEmpty)
  }

  @Test func `damaged profiles cause no crash`() {
    var text = Array(Self.text.utf8)
    for place in stride(from: 0, to: text.count, by: 7) {
      text[place] = UInt8(truncatingIfNeeded: place * 31)
      _ = InstructionCount(CallgrindProfile(String(decoding: text, as: UTF8.self))).figures(of: "")
    }
  }

  // MARK: Scenarios

  private func counted(_ name: String) throws -> CountedScenario? {
    CountedScenario(try ScenarioLoader.load(path: Repository.root.path + "/Scenarios/compare/\(name).yaml"))
  }

  @Test func `a scenario of one thread is counted with fewer operations`() throws {
    let reads = try #require(try counted("cached-read"))
    #expect(reads.workload == "cached-read/run/read")
    #expect(
      reads.settings == [
        "invariants=[]", "engine.checkpoint={mode: passive, every: 1h}", "phases.warm.operations=10000",
        "phases.run.operations=30000",
      ]
    )
  }

  @Test func `a scenario's checkpoints are kept, and an engine without a checkpointer gets none`() throws {
    for engine in ["{driver: yap, checkpoint: {mode: passive, every: 1s}}", "{driver: sqlite}"] {
      let loaded = try ScenarioLoader.load(
        text: """
          format: 1
          name: reads
          summary: "Reads."
          engine: \(engine)
          dataset: {messages: {rows: 100, value: {size: 64B}}}
          connections: {ui: {}}
          actors: {read: {connection: ui, operations: {get: 1}, collection: messages, load: closed}}
          phases: [{name: run, operations: 1k, actors: [read]}]
          """
      )
      #expect(CountedScenario(loaded)?.settings == ["invariants=[]", "phases.run.operations=100"], "\(engine)")
    }
  }

  @Test func `every scenario of the default set can be counted, and the jumps in turns`() throws {
    let names = [
      "bookmark-jump", "burst", "cached-read", "checkpoint-beside-commits", "one-row-commit", "uncached-read",
      "view-upkeep", "wal-behind-a-stalled-reader",
    ]
    #expect(try names.filter { try counted($0)?.takesTurns != false } == ["bookmark-jump"])
  }

  private func counted(phase: String, actors: String) throws -> CountedScenario? {
    CountedScenario(
      try ScenarioLoader.load(
        text: """
          format: 1
          name: turns
          summary: "Several threads."
          dataset: {messages: {rows: 100, value: {size: 64B}}}
          connections: {ui: {}, sync: {}}
          actors:
            read: {connection: ui, operations: {get: 1}, collection: messages, \(actors)}
            write: {connection: sync, operations: {set: 1}, collection: messages, load: {rate: 50/s}}
          phases:
            - {name: warm, for: 100ms, actors: [read], record: false}
            - {name: run, \(phase), actors: [read, write]}
          """
      )
    )
  }

  @Test func `a phase of several threads is shortened to some thousand transactions`() throws {
    let checkpoint = "engine.checkpoint={mode: passive, every: 1h}"
    let closed = try #require(try counted(phase: "for: 1m", actors: "threads: 3, load: closed"))
    #expect(closed.takesTurns)
    #expect(closed.workload == "turns/run")
    // 3,050 transactions a second.
    #expect(closed.settings == ["invariants=[]", checkpoint, "phases.run.for=656ms"])
    let open = try #require(try counted(phase: "for: 5s", actors: "load: {ramp: {from: 10/s, to: 100/s}}"))
    #expect(open.settings == ["invariants=[]", checkpoint])
    let operations = try #require(try counted(phase: "operations: 500", actors: "load: closed"))
    #expect(operations.settings.last == "phases.run.operations=50")
  }

  @Test func `events, conditions and asynchronous calls cannot be counted`() throws {
    let closed = "load: closed"
    #expect(try counted(phase: "for: 1s, events: [{at: 0s, do: flushMemory}]", actors: closed) == nil)
    #expect(try counted(phase: "until: \"wal.bytes > 1MiB\", within: 1s", actors: closed) == nil)
    #expect(try counted(phase: "for: 1s", actors: "transaction: {api: async}, load: closed") == nil)
  }
}
