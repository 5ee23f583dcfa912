import BenchResults
import Foundation
import TestSupport
import Testing
import ThreadingPrimitives

@testable import EngineBenchmarks

/// Runs of every benchmark, in sizes at which the figures mean nothing. The benchmarks check what they read.
struct SessionTests {
  private func perform(
    _ targets: Set<TargetName> = [],
    rounds: Int = 1,
    interruption: StopFlag = StopFlag(),
    onProgress: @escaping @Sendable (BenchmarkProgress) -> Void = { _ in },
    change: (inout BenchmarkOptions) -> Void = { _ in }
  ) throws -> BenchmarkReport {
    try withTemporaryFolder { folder in
      var options = BenchmarkOptions(folder: folder)
      options.targets = targets
      options.rounds = rounds
      options.scale = .tiny
      change(&options)
      let report = try BenchmarkSession.perform(options, interruption: interruption, onProgress: onProgress)
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(Set(left).isSubset(of: ["engine.sqlite", "original.sqlite", "numbered.sqlite"]))
      return report
    }
  }

  @Test func `Every figure of every target is measured or states what is missing`() throws {
    let report = try perform()
    let timed = PerformanceTarget.allClaims.filter { $0.countedOperations == nil }
    #expect(report.results.map(\.claim.id) == timed.map(\.id))
    var measured = report.results
    // Other load on the machine may disturb these scenarios of the harness.
    let sensitive = Set([1, 2, 3, 5].map(TargetName.harness))
    measured.removeAll { sensitive.contains($0.claim.id.target) && $0.verdict.kind == .noResult }
    for result in measured {
      if result.claim.obstacle == nil {
        #expect(result.rounds.count == 1, "\(result.claim.id)")
        #expect(result.spread?.median.isFinite == true, "\(result.claim.id)")
        #expect(result.verdict != .interrupted, "\(result.claim.id)")
      } else {
        #expect(result.verdict.word == "not built", "\(result.claim.id)")
      }
    }
    #expect(!report.isInterrupted)
    let names = report.trials.reduce(into: Set()) { $0.formUnion($1.figures.keys) }
    let ofHarness = [ContestantName.harness, ContestantName.checked, ContestantName.unchecked]
    #expect(names.union(ofHarness) == Set(BenchmarkSession.contestants))
    #expect(report.results.first { $0.claim.id == ClaimID(11, "decodes") }?.rounds == [0])
  }

  @Test func `Only the requested targets are measured`() throws {
    let report = try perform([.engine(3)], rounds: 2)
    #expect(Set(report.results.map(\.claim.id.target)) == [.engine(3)])
    #expect(report.trials.map(\.trial) == ["cached row in one transaction"])
    #expect(report.results.first?.rounds.count == 2)
    let error = #expect(throws: BenchmarkError.self) { try perform([.engine(1), .driver(9)]) }
    #expect(error?.description.hasPrefix("unknown target D9; expected one of P1, P2, ") == true)
  }

  @Test func `A single contestant gives times but no ratio`() throws {
    let report = try perform([.engine(3)], change: { $0.contestant = "engine" })
    #expect(report.trials.map { Array($0.figures.keys) } == [["engine"]])
    #expect(report.results.first?.verdict == .noResult("a contestant of the figure was not measured"))
    #expect(report.results.first?.rounds.isEmpty == true)
  }

  @Test func `An interrupted session reports the figures measured so far`() throws {
    let interruption = StopFlag()
    let report = try perform([.engine(1), .engine(2), .engine(3)], rounds: 1, interruption: interruption) { progress in
      if progress == .family("P2 P3") { interruption.raise() }
    }
    #expect(report.isInterrupted)
    #expect(report.results.first { $0.claim.id == ClaimID(1, "raw") }?.rounds.count == 1)
    #expect(report.results.first { $0.claim.id == ClaimID(2, "raw") }?.verdict == .interrupted)
  }

  @Test func `A store that returns another row's value is detected`() throws {
    let store = MistakenStore()
    let reads = Contestant.reads(store, [1, 2, 3], together: true)
    #expect(try reads.measure(3) >= 0)
    store.mistake = 1
    let error = #expect(throws: BenchmarkError.self) { try reads.measure(3) }
    #expect(error?.code == .wrongAnswer)
    #expect(error?.description == "reads of mistaken: expected 6, found 7")
  }

  @Test func `A store that loses a write is detected`() throws {
    let store = MistakenStore()
    let updates = Contestant.updates(store, [1, 2, 3])
    #expect(try updates.measure(2) >= 0)
    store.losesWrites = true
    let error = #expect(throws: BenchmarkError.self) { try updates.measure(1) }
    #expect(error?.code == .wrongAnswer)
  }

  @Test func `JSON has every figure of every round, with keys in a stable order`() throws {
    let claim = Claim(id: ClaimID(1, "raw"), what: "a / b", unit: .number, limit: .atMost(2), need: .nothing)
    let record = TrialRecord(
      trial: "made up",
      unit: .nanoseconds,
      figures: ["a": [2, 4], "b": [1, 4]],
      operations: ["a": 8, "b": 9],
      queuedShares: [0, 0.5],
      probeNanoseconds: []
    )
    let report = BenchmarkReport(
      seed: 7,
      rounds: 2,
      isInterrupted: false,
      results: [ClaimResult(claim, of: record, rounds: record.rounds(of: .ratio(of: "a", to: "b")))],
      trials: [record]
    )
    let text = try String(decoding: report.json(), as: UTF8.self).filter { $0 != " " && $0 != "\n" }
    let claims =
      #""claims":[{"atMost":2,"claim":"P1.raw","rounds":[2,1],"spread":{"lowerQuartile":1.25,"#
      + #""median":1.5,"upperQuartile":1.75},"target":"P1","trial":"madeup","unit":"","verdict":"passed","#
      + #""what":"a/b"}]"#
    #expect(text.hasPrefix("{" + claims + #","isInterrupted":false,"rounds":2,"schemaVersion":2,"seed":7,"trials":["#))
    #expect(text.contains(#""figures":{"a":[2,4],"b":[1,4]}"#))
    #expect(
      report.warnings == [
        "made up: in 1 of 2 rounds the thread waited for a core for more than 3 % of the time, at most for 50 %"
      ]
    )
  }
}

/// A store of rows 0 to 9 that makes a mistake on request.
// Only the thread of its test uses it.
private final class MistakenStore: RowStore, @unchecked Sendable {
  let name = "mistaken"
  var mistake: UInt64 = 0
  var losesWrites = false
  private var stamps = (0..<10).map { UInt64($0) }

  func readNothing(_ count: Int) {}

  func readTogether(_ rows: [UInt32]) -> UInt64 { rows.reduce(mistake) { $0 + stamps[Int($1)] } }

  func readEach(_ rows: [UInt32]) -> UInt64 { readTogether(rows) }

  func update(_ rows: [UInt32], rowsEach: Int, fresh: Int) {
    if losesWrites { return }
    for (index, row) in rows.enumerated() { stamps[Int(row)] = Dataset.freshStamp(fresh + index) }
  }

  func close() {}
}

extension BenchmarkScale {
  /// Sizes that run all code; the figures have no meaning.
  fileprivate static let tiny: BenchmarkScale = {
    var scale = BenchmarkScale()
    scale.rows = 400
    scale.cachedRows = 100
    scale.hotRows = 20
    scale.batchNanoseconds = 200_000
    scale.loop = LongTurns(nanoseconds: 500_000, mostRounds: 1)
    scale.readersNanoseconds = 1_000_000
    scale.largeBatch = 200
    scale.handOvers = 5
    scale.jumpKeys = 100
    scale.waitingCommits = 50
    scale.viewUpdates = 30
    scale.idleConnections = 4
    scale.writers = 3
    scale.writerCommits = 2
    scale.stuckWALBytes = 256 << 10
    scale.shortWALBytes = 32 << 10
    scale.tailCommits = 5
    scale.insertedRows = 20
    scale.largeValueBytes = 5_000
    scale.stalledCommits = 20
    scale.harnessNanoseconds = 20_000_000
    scale.loadedRows = 300
    return scale
  }()
}
