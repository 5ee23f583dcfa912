import BenchRegression
import BenchReports
import Foundation
import HarnessPrimitives
import TestSupport
import Testing
import ThreadingPrimitives

@testable import BenchComparison
@testable import BenchResults
@testable import BenchScenario

@Suite("A comparison, from its arms to its result") struct ComparisonRunTests {
  private let folder: TemporaryFolder
  private let runs: RecordedRuns

  init() throws {
    folder = try TemporaryFolder()
    runs = RecordedRuns(in: folder)
  }

  /// The parts of a comparison of two programs in the folder `out`.
  private struct Comparison {
    var preparation: ComparisonPreparation
    var arms: ComparisonPreparation.Arms
    var setting: ComparisonJudge.Setting

    /// - Parameter limit: The number of runs after which the comparison is interrupted.
    func perform(interruptedAfter limit: Int = .max) throws -> (outcome: ComparisonOutcome?, made: Int) {
      let made = Guarded(0)
      let slices = preparation.slices(arms)
      let run = ComparisonRun(
        try preparation.journal(setting),
        isInterrupted: { made.withLock { $0 } >= limit },
        runSlice: { planned in
          made.withLock { $0 += 1 }
          return try slices.run(planned)
        }
      )
      var outcome = try run.perform { _ in }
      // The only figure that depends on this machine.
      outcome?.machineChange = nil
      return (outcome, made.withLock { $0 })
    }
  }

  private func comparison(
    _ base: String,
    _ head: String,
    pairs: Int = 6,
    isAnyway: Bool = false
  ) throws -> Comparison {
    let scenario = try folder.write("format: 1\n", to: "reads.yaml")
    let preparation = ComparisonPreparation(
      folder: "\(folder.path)/out",
      scenarios: [ComparedScenario(name: "reads", path: scenario, digest: "1")]
    ) { _ in }
    let arms = try preparation.arms(base: .init(.executable(path: base)), head: .init(.executable(path: head)))
    let design = ComparisonDesign(pairs: pairs, confirmingPairs: 12, seed: 1, scenarios: ["reads"])
    return Comparison(
      preparation: preparation,
      arms: arms,
      setting: try preparation.setting(arms, design: design, isAnyway: isAnyway).0
    )
  }

  @Test func `a slower head is found by fresh pairs, with its change`() throws {
    let (outcome, made) = try comparison(runs.program("fast"), runs.program("slow", slowdown: 1.1)).perform()
    let p50 = try #require(outcome?.figures.first { $0.name.text == "reads/run/ui p50" })
    #expect(p50.verdict == .regressed && p50.stage == 2 && p50.pairs == 12)
    #expect(abs((p50.changePercent ?? 0) - 10) < 0.5)
    #expect(outcome?.exitCode == .regressed)
    #expect(made == 36)
    #expect(outcome?.curves.map(\.workload) == ["reads/run/ui"])
  }

  @Test func `two equal sides are unchanged, and need no second stage`() throws {
    let (outcome, made) = try comparison(runs.program("one"), runs.program("other")).perform()
    #expect(outcome?.summary.unchanged == 3)
    #expect(outcome?.exitCode == .passed)
    #expect(made == 12)
  }

  @Test(arguments: [0, 20]) func `caches that miss more often explain a change`(_ misses: Int) throws {
    let base = try runs.program("base", cacheMisses: misses)
    let head = try runs.program("head", slowdown: 1.1, cacheMisses: 30)
    let outcome = try #require(try comparison(base, head).perform().outcome)
    #expect(
      ComparisonReport(outcome, command: "").comment.contains("cache misses \(misses == 0 ? "0" : "20.0") → 30.0")
    )
  }

  @Test func `a run that states a disturbance keeps its counts, and its times are left out`() throws {
    let busy = "machine busy: other processes took 30 % of the processor time in run"
    let disturbed = try runs.program("disturbed", shell: "trap 'exit 113' EXIT") { run in
      run.phases[0].disturbance = .stop
      run.harness.disturbance = busy
    }
    let outcome = try #require(try comparison(runs.program("calm"), disturbed, pairs: 12).perform().outcome)
    #expect(outcome.figures.map(\.name.metric).sorted() == cacheCounts)
    // After seven of twelve pairs, the others are too few.
    #expect(outcome.figures.allSatisfy { $0.pairs == 7 })
    #expect(outcome.excluded?.causes.map(\.text) == [busy])
    #expect(outcome.excluded?.unusablePairs == 7 && outcome.summary.invalidatedPairs == 0)
    #expect(outcome.exitCode == .incomparable)
    let headline = ComparisonReport(outcome, command: "").headline
    #expect(headline.hasPrefix("NO RESULT: 7 of 7 pairs were unusable: \(busy)"))
  }

  @Test func `a comparison without a usable pair ends early, and the next start adds pairs`() throws {
    let busy = try folder.write("", to: "busy")
    let calm = try runs.program("calm")
    let head = try runs.program("head", shell: "[ -e '\(busy)' ] && trap 'exit 113' EXIT")
    // Of six pairs, the first one without a time leaves too few.
    for made in [2, 4] {
      let first = try comparison(calm, head).perform()
      #expect(first.made == 2)
      #expect(first.outcome?.excluded?.unusablePairs == made / 2)
      #expect(first.outcome?.exitCode == .incomparable)
    }
    try FileManager.default.removeItem(atPath: busy)
    let second = try comparison(calm, head).perform(interruptedAfter: 4)
    #expect(second.outcome == nil)
    let third = try comparison(calm, head).perform()
    #expect(third.outcome?.figures.filter { $0.role == .primary }.map(\.pairs) == [6, 6, 6])
    #expect(third.outcome?.excluded?.unusablePairs == 2)
    // The journal is complete, so a further start makes no runs and gives the same result.
    let fourth = try comparison(calm, head).perform()
    #expect(fourth.made == 0 && fourth.outcome == third.outcome)
  }

  private var cacheCounts: [String] {
    ["cache entries dropped", "cache misses", "values copied", "values decoded"]
  }

  @Test func `a run that states another load is left out with its pair`() throws {
    let cause = "generator saturated: run/ui started 5 of 9 arrivals"
    // The load of a phase without expectations leaves the exit code as it is.
    let saturated = try runs.program("saturated") { $0.harness.loadFault = cause }
    let outcome = try #require(try comparison(runs.program("calm"), saturated, pairs: 12).perform().outcome)
    #expect(outcome.figures.isEmpty && outcome.summary.invalidatedPairs == 7)
    #expect(outcome.excluded?.causes == [ExcludedFigures.Cause(cause, pairs: 7, times: nil)])
  }

  @Test func `a comparison that was interrupted at any point has the same result`() throws {
    let (base, head) = try (runs.program("fast"), runs.program("slow", slowdown: 1.1))
    let whole = try comparison(base, head).perform().outcome
    let journal = "\(folder.path)/out/journal.jsonl"
    for limit in [1, 2, 3, 12, 13, 35] {
      try FileManager.default.removeItem(atPath: journal)
      let first = try comparison(base, head).perform(interruptedAfter: limit)
      #expect(first.outcome == nil)
      let second = try comparison(base, head).perform()
      #expect(second.outcome == whole)
      // The pair that was interrupted is repeated.
      #expect(second.made == 36 - (limit - 1) / 2 * 2)
    }
  }

  @Test func `a truncated journal continues with the missing pair`() throws {
    let (base, head) = try (runs.program("fast"), runs.program("slow", slowdown: 1.1))
    let whole = try comparison(base, head).perform().outcome
    let path = "\(folder.path)/out/journal.jsonl"
    let journal = try Data(contentsOf: URL(fileURLWithPath: path))
    // A process that is killed while it appends leaves any number of bytes of its line.
    for length in stride(from: 1, to: journal.count, by: journal.count / 7) {
      try journal.prefix(length).write(to: URL(fileURLWithPath: path))
      #expect(try comparison(base, head).perform().outcome == whole)
    }
  }

  @Test func `wrong data in every run, the first one included, end in a report with their exit code`() throws {
    let wrong = try runs.program("wrong", shell: "trap 'exit 111' EXIT")
    let outcome = try comparison(runs.program("sound"), wrong).perform().outcome
    #expect(outcome?.exitCode == .invariantViolated)
  }

  @Test func `a side that crashes at once has another error than one that fails`() throws {
    let sound = try runs.program("sound")
    for (shell, kind) in [("kill -SEGV $$", ComparisonError.Kind.crash), ("exit 3", .failure)] {
      let program = try runs.program("crashing", shell: shell)
      let error = #expect(throws: ComparisonError.self) { _ = try comparison(sound, program) }
      #expect(error?.kind == kind)
    }
  }

  @Test func `a failed run is a reason, and the comparison does not pass`() throws {
    let failing = try runs.program("failing", shell: "[ \"$seed\" = 1 ] || { echo 'engine gone' >&2; exit 1; }")
    let outcome = try comparison(runs.program("sound"), failing).perform().outcome
    #expect(outcome?.exitCode == .internalError)
    #expect(outcome?.failures.first?.contains("head: exit code 1") == true)
    #expect(outcome?.failures.first?.contains("engine gone") == true)
  }

  @Test(arguments: ["base", "head"])
  func `a side whose records this program cannot read is rejected with both versions`(arm: String) throws {
    let version = ScenarioResult.currentSchemaVersion
    let old = try folder.write(
      "#!/bin/sh\n[ $1 = check ] || { mkdir \"$3/r\"; echo '{\"schemaVersion\": 7}' >\"$3/r/run.json\"; }\n",
      to: "old",
      isExecutable: true
    )
    let new = try runs.program("new")
    let error = #expect(throws: ComparisonError.self) {
      _ = try comparison(arm == "base" ? old : new, arm == "base" ? new : old)
    }
    #expect(
      error?.description.hasSuffix(
        "the \(arm) failed at its first run of reads: its run.json cannot be read: it has schema version 7, and this "
          + "program reads only version \(version): use the program that wrote it, or repeat the run with one that "
          + "writes version \(version)"
      ) == true
    )
  }

  @Test func `different versions of SQLite are rejected before the first pair`() throws {
    let (base, head) = try (runs.program("old", sqliteVersion: "3.39.0"), runs.program("new"))
    let error = #expect(throws: ComparisonError.self) { _ = try comparison(base, head) }
    #expect(error?.description.contains("3.39.0") == true && error?.description.contains("--anyway") == true)
    #expect(throws: Never.self) { _ = try comparison(base, head, isAnyway: true) }
  }

  @Test func `a side that cannot run the scenario is rejected with its message`() throws {
    let old = try folder.write(
      "#!/bin/sh\n[ $1 = check ] && { echo 'unknown key \"views\"'; exit 65; }\n",
      to: "old",
      isExecutable: true
    )
    let error = #expect(throws: ComparisonError.self) { _ = try comparison(old, runs.program("new")) }
    #expect(error?.description.contains("unknown key \"views\"") == true)
  }

  // MARK: The journal

  @Test func `another comparison cannot continue a journal`() throws {
    let (base, head) = try (runs.program("one"), runs.program("other"))
    _ = try comparison(base, head).perform(interruptedAfter: 2)
    let error = #expect(throws: ComparisonError.self) { _ = try comparison(base, head, pairs: 8).perform() }
    #expect(error?.kind == .output)
    #expect(error?.description.contains("--out") == true)
    let changed = #expect(throws: ComparisonError.self) {
      _ = try comparison(runs.program("one", shell: "true"), head).perform()
    }
    #expect(changed?.description.contains("its base is") == true)
  }

  @Test func `two processes cannot use one journal at once`() throws {
    let comparison = try comparison(runs.program("one"), runs.program("other"))
    let first = try comparison.preparation.journal(comparison.setting)
    let error = #expect(throws: JournalProblem.self) { _ = try comparison.preparation.journal(comparison.setting) }
    #expect(error?.description.contains("another process uses it") == true)
    withExtendedLifetime(first) {}
  }

  @Test func `a journal whose runs were changed is rejected`() throws {
    let comparison = try comparison(runs.program("one"), runs.program("other"))
    _ = try comparison.perform()
    let path = "\(folder.path)/out/journal.jsonl"
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    // In one journal a pair is missing, in the other a pair is duplicated.
    let changes: [[Substring]] = [Array(lines[0...1] + lines[3...]), lines + [lines[1]]]
    for changed in changes {
      try changed.joined(separator: "\n").appending("\n").write(toFile: path, atomically: true, encoding: .utf8)
      let error = #expect(throws: ComparisonError.self) { _ = try comparison.perform() }
      #expect(error?.description.contains("do not match the recorded design") == true)
    }
    try folder.write("nonsense\n", to: "out/journal.jsonl")
    #expect(throws: ComparisonError.self) { _ = try comparison.perform() }
  }
}
