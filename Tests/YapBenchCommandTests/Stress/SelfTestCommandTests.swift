import BenchResults
import Foundation
import TestSupport
import Testing
import YapEngine

@testable import YapBenchCommand

/// `yapbench stress self-test` with a few fast bugs.
@Suite struct SelfTestCommandTests {
  private static let bugs = [
    "crash.earlyAcknowledgements", "damage.passesErrorsOn", "list-append.writeSkew", "verify.olderWAL",
  ]

  @Test(.enabled(if: TestHooks.areBuiltIn))
  func `bugs are caught, and the report states each`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let trial = Trial()
    let only = Self.bugs.flatMap { ["--only", $0] }
    let code = trial.run(["stress", "self-test", "--out", folder.path, "--jobs", "2"] + only)
    #expect(code == ExitStatus.passed.rawValue, "\(trial.output.text)")
    #expect(trial.output.text.contains("planted bugs caught: 4 / 4"))
    let name = try #require(try folder.names().first)
    let report = try String(contentsOfFile: "\(folder.path)/\(name)/report.md", encoding: .utf8)
    #expect(report.contains("Planted bugs: caught 4 / 4"))
    for bug in Self.bugs {
      #expect(trial.output.text.contains("caught: \(bug), by "))
      #expect(report.contains(bug))
    }
  }

  @Test func `bugs are listed`() {
    let trial = Trial()
    #expect(trial.run(["stress", "self-test", "--list"]) == ExitStatus.passed.rawValue)
    for bug in Self.bugs { #expect(trial.output.text.contains("\(bug), by ")) }
  }

  @Test func `an unknown bug is a usage error`() {
    let trial = Trial()
    let code = trial.run(["stress", "self-test", "--list", "--only", "verify.none"])
    #expect(code == ExitStatus.usage.rawValue)
    #expect(trial.errors.text.contains("there is no planted bug \"verify.none\""))
  }

  @Test(.enabled(if: !TestHooks.areBuiltIn))
  func `a build without named points names the one that is needed`() throws {
    let folder = try TemporaryFolder(prefersMemory: true)
    let trial = Trial()
    #expect(trial.run(["stress", "self-test", "--out", folder.path]) == ExitStatus.usage.rawValue)
    #expect(trial.errors.text.contains("swift build --product yapbench --traits Jemalloc,TestPoints"))
  }
}
