import BenchDrivers
import BenchResults
import Testing

@testable import YapBenchCommand

/// Options of stress campaigns that are refused before anything runs.
struct StressOptionTests {
  private let trial = Trial()

  @Test(arguments: [
    ["load", "file.yaml"], ["list-append"], ["random"], ["power-loss"], ["faults"], ["damage"], ["schedules"], ["soak"],
  ])
  func `a campaign of no case is refused`(command: [String]) {
    #expect(trial.run(["stress"] + command + ["--cases", "0"]) == BenchResults.ExitStatus.usage.rawValue)
    #expect(trial.errors.text.contains("--cases must be 1 or more, not 0"))
    #expect(trial.output.text.isEmpty)
  }

  @Test func `the help shows the default of a duration as it is written`() {
    #expect(trial.run("stress", "soak", "--help") == 0)
    #expect(trial.output.text.contains("(default: 2m)"))
  }

  @Test(.enabled(if: !DriverBuild.hasTestPoints))
  func `pauses are refused by a build without named points`() {
    #expect(trial.run("stress", "random", "--scenario", "/nowhere/file.yaml", "--pauses", "1") != 0)
    #expect(trial.errors.text.contains("pauses need a build with named points"))
    #expect(trial.output.text.isEmpty)
  }
}
