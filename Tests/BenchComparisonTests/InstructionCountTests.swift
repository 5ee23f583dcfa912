import BenchResults
import BenchScenario
import Foundation
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

  @Test func `every scenario of the default set except the bookmark can be counted`() throws {
    let names = [
      "bookmark-jump", "burst", "cached-read", "checkpoint-beside-commits", "one-row-commit", "uncached-read",
      "view-upkeep", "wal-behind-a-stalled-reader",
    ]
    #expect(try names.filter { try counted($0) == nil } == ["bookmark-jump"])
  }
}
