import BenchRegression
import BenchResults
import Foundation
import TestSupport
import Testing

@testable import BenchComparison

/// Searches over commits that need no build, because their executables are kept already.
@Suite("A search over commits", .long) struct BisectionTests {
  private let folder: TemporaryFolder
  private let runs: RecordedRuns
  private let commits = (0...8).map { "\($0)" + String(repeating: "c", count: 39) }

  init() throws {
    folder = try TemporaryFolder()
    runs = RecordedRuns(in: folder)
  }

  /// Keeps a program for each commit.
  /// - Parameter program: Returns the path of a commit's program.
  private func builds(_ program: (Int) -> String) throws -> RevisionBuild {
    let builds = RevisionBuild(checkout: folder.path, cache: folder.path + "/cache")
    let cache = try builds.folderOfCompiler()
    try? FileManager.default.removeItem(atPath: cache)
    for (index, commit) in commits.enumerated() {
      try FileManager.default.createDirectory(atPath: "\(cache)/\(commit)", withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: program(index), toPath: "\(cache)/\(commit)/yapbench")
    }
    return builds
  }

  /// - Parameter limit: The number of checks for an interruption before the search is interrupted.
  private func search(
    _ builds: RevisionBuild,
    in name: String = "out",
    metric: String? = "p50",
    skipped: [String] = [],
    interruptedAfter limit: Int = .max,
    onProgress: @escaping (String) -> Void = { _ in }
  ) throws -> Bisection.Outcome {
    let scenario = try folder.write("format: 1\n", to: "reads.yaml")
    var settings = Bisection.Settings(
      scenario: ComparedScenario(name: "reads", path: scenario, digest: "1"),
      metric: metric,
      pairs: 6
    )
    settings.skipped = skipped
    let out = "\(folder.path)/\(name)"
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
    var questions = 0
    return try Bisection(
      settings,
      commits: commits,
      builds: builds,
      journal: try BisectionJournal(in: out, BisectionJournal.Header(commits: commits, settings)),
      isInterrupted: {
        questions += 1
        return questions > limit
      },
      onProgress: onProgress
    ).perform()
  }

  private func found(_ outcome: Bisection.Outcome) throws -> Bisection.Found {
    guard case .found(let found) = outcome else {
      Issue.record("expected a commit, found \(outcome)")
      throw CancellationError()
    }
    return found
  }

  @Test(arguments: [1, 4, 8]) func `the first slow commit is found`(_ place: Int) throws {
    let (fast, slow) = try (runs.program("fast"), runs.program("slow", slowdown: 1.05))
    let found = try found(search(builds { $0 < place ? fast : slow }))
    #expect(found.candidates == [commits[place]] && found.isCertain)
    #expect(abs(found.changePercent - 5) < 0.5)
    #expect(found.skipped.isEmpty)
  }

  @Test func `equal ends have no change`() throws {
    let fast = try runs.program("fast")
    guard case .noChange = try search(builds { _ in fast }) else {
      Issue.record("expected no change")
      return
    }
  }

  @Test func `a search that was interrupted at any point has the same result`() throws {
    let (fast, slow) = try (runs.program("fast"), runs.program("slow", slowdown: 1.05))
    let builds = try builds { $0 < 6 ? fast : slow }
    let whole = try search(builds, in: "whole")
    for limit in [1, 2, 3, 8, 20, 33] {
      #expect(try search(builds, in: "cut-\(limit)", interruptedAfter: limit) == .interrupted)
      #expect(try search(builds, in: "cut-\(limit)") == whole)
    }
  }

  @Test func `a finished pair is not repeated`() throws {
    let (fast, slow) = try (runs.program("fast"), runs.program("slow", slowdown: 1.05))
    let builds = try builds { $0 < 6 ? fast : slow }
    _ = try search(builds, interruptedAfter: 12)
    let journal = "\(folder.path)/out/bisect.jsonl"
    let begun = try String(contentsOfFile: journal, encoding: .utf8)
    // The search's description, and some pairs of the ends.
    #expect(begun.split(separator: "\n").count > 3)
    _ = try search(builds)
    let lines = try String(contentsOfFile: journal, encoding: .utf8).split(separator: "\n")
    #expect(lines.starts(with: begun.split(separator: "\n")))
    #expect(Set(lines).count == lines.count)
  }

  @Test func `a commit that is to be skipped is not measured`() throws {
    let (fast, slow) = try (runs.program("fast"), runs.program("slow", slowdown: 1.05))
    var lines: [String] = []
    let outcome = try search(builds { $0 < 4 ? fast : slow }, skipped: [commits[4]]) { lines.append($0) }
    let found = try found(outcome)
    #expect(found.skipped == [commits[4]] && found.candidates == [commits[4], commits[5]] && found.isCertain)
    #expect(!lines.contains { $0.contains(commits[4].prefix(12)) && $0.hasPrefix("comparing") })
  }

  // MARK: Invalid pairs

  /// Commands of a program that make every run invalid while a file exists.
  private var invalidWhileBusy: String { "[ -e '\(folder.path)/busy' ] && trap 'exit 113' EXIT" }

  @Test(arguments: ["p50", nil])
  func `ends without a valid pair have no result, and are measured again on the next start`(metric: String?) throws {
    let fast = try runs.program("fast", shell: invalidWhileBusy)
    let builds = try builds { [fast] _ in fast }
    let busy = try folder.write("", to: "busy")
    for _ in 1...2 {
      guard case .tooFewPairs(let validity) = try search(builds, metric: metric) else {
        Issue.record("expected no result")
        return
      }
      #expect((validity.valid, validity.invalid) == (0, 6))
      #expect(validity.reason?.isEmpty == false)
    }
    try FileManager.default.removeItem(atPath: busy)
    guard case .noChange = try search(builds, metric: metric) else {
      Issue.record("expected no change")
      return
    }
  }

  @Test func `a commit that had invalid pairs is measured again on the next start`() throws {
    let fast = try runs.program("fast")
    let slow = try runs.program("slow", slowdown: 1.05)
    let disturbed = try runs.program("disturbed", slowdown: 1.05, shell: invalidWhileBusy)
    let builds = try builds { [fast, slow, disturbed] in $0 < 4 ? fast : $0 == 4 ? disturbed : slow }
    let busy = try folder.write("", to: "busy")
    #expect(try found(search(builds)).skipped == [commits[4]])
    try FileManager.default.removeItem(atPath: busy)
    let found = try found(search(builds))
    #expect(found.candidates == [commits[4]] && found.skipped.isEmpty && found.isCertain)
  }

  @Test func `only the invalid pairs are measured again`() throws {
    // The first four runs are invalid, and with them two pairs.
    let counter = "echo >> '\(folder.path)/runs'; [ $(wc -l < '\(folder.path)/runs') -gt 4 ] || trap 'exit 113' EXIT"
    let fast = try runs.program("fast", shell: counter)
    let builds = try builds { [fast] _ in fast }
    let first = try search(builds)
    let made = try String(contentsOfFile: "\(folder.path)/runs", encoding: .utf8).count
    // 4 of the 6 pairs of the first round are valid, so a second round was made.
    #expect(made == 24, "\(first)")
    _ = try search(builds)
    #expect(try String(contentsOfFile: "\(folder.path)/runs", encoding: .utf8).count == made + 4)
  }

  @Test func `a metric that no run has is a usage error that lists the others`() throws {
    let fast = try runs.program("fast")
    let error = #expect(throws: ComparisonError.self) { try search(builds { [fast] _ in fast }, metric: "p51") }
    #expect(error?.kind == .usage)
    #expect(error?.description == "--metric p51: no run has this figure; expected one of p50, p99, throughput")
  }

  @Test func `a commit whose runs fail is skipped at once, one with invalid runs after three comparisons`() throws {
    let (fast, slow) = try (runs.program("fast"), runs.program("slow", slowdown: 1.05))
    for (code, comparisons) in [(1, 1), (113, 3)] {
      let broken = try runs.program("broken", shell: "trap 'exit \(code)' EXIT")
      var lines: [String] = []
      let outcome = try search(
        builds { $0 == 4 ? broken : $0 < 4 ? fast : slow },
        in: "out-\(code)",
        onProgress: { lines.append($0) }
      )
      let found = try found(outcome)
      #expect(found.skipped == [commits[4]])
      #expect(found.candidates == [commits[4], commits[5]])
      #expect(lines.count { $0 == "comparing \(commits[4].prefix(12)) with the good end" } == comparisons)
    }
  }
}
