import BenchResults
import Foundation
import Testing

@testable import YapBenchCommand

/// The exit codes are listed in three places, which must agree.
struct ExitCodeTests {
  private let trial = Trial()

  private func text(of file: String) throws -> String {
    try String(contentsOfFile: "\(Project.path)/\(file)", encoding: .utf8)
  }

  @Test func `The help lists every code with its meaning`() {
    #expect(trial.run("--help") == 0)
    #expect(
      trial.output.text.contains("Exit codes:\n  " + BenchResults.ExitStatus.list.joined(separator: "\n  ") + "\n")
    )
  }

  @Test func `The script's help lists the same`() throws {
    let list = "\n  " + BenchResults.ExitStatus.list.joined(separator: "\n  ")
    try #expect(text(of: "run-bench.sh").contains(list + "\nTEXT\n"))
  }

  @Test func `The README lists the same`() throws {
    let lines = try text(of: "README.md").split(separator: "\n")
    let rows = lines.drop { $0 != "| code | meaning |" }.dropFirst(2).prefix { $0.hasPrefix("|") }.map(String.init)
    #expect(rows == BenchResults.ExitStatus.allCases.map { "| \($0.rawValue) | \($0.meaning) |" })
    let last = try #require(BenchResults.ExitStatus.list.last)
    #expect(lines.contains { $0 == last })
  }
}
