import BenchResults
import Foundation
import TestSupport
import Testing

@testable import BenchComparison

/// Searches over commits that need no build, because their executables are kept already.
@Suite("A search over commits") struct BisectionTests {
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
    interruptedAfter limit: Int = .max,
    onProgress: @escaping (String) -> Void = { _ in }
  ) throws -> Bisection.Outcome {
    let scenario = try folder.write("format: 1\n", to: "reads.yaml")
    let settings = Bisection.Settings(
      scenario: ComparedScenario(name: "reads", path: scenario),
      metric: "p50",
      pairs: 6
    )
    let out = "\(folder.path)/\(name)"
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
    var questions = 0
    return try Bisection(
      settings,
      commits: commits,
      builds: builds,
      journal: try BisectionJournal(in: out, try BisectionJournal.Header(commits: commits, settings)),
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
