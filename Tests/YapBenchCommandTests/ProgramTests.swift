import BenchDrivers
import Testing

@testable import YapBenchCommand

struct ProgramTests {
  private let trial = Trial()

  @Test func `The version names SQLite's and the kind of the build`() {
    #expect(trial.run("--version") == 0)
    let mode = BuildKind.current.name
    #expect(
      trial.output.lines.first == "yapbench 0.1.0 (SQLite \(DriverBuild.sqliteVersion), Swift build mode \(mode))"
    )
    #expect(trial.output.text.contains("WAL-reset defect") == DriverBuild.sqliteHasWALResetDefect)
    #expect(trial.errors.text.isEmpty)
  }

  @Test(
    arguments: [
      ["--help"], ["run", "--help"], ["check", "--help"], ["list", "--help"], ["schema", "--help"], ["new", "--help"],
      ["ycsb", "--help"], ["explain", "--help"],
      ["bench", "--help"], ["help", "run"], [], ["calibrate", "--help"], ["baseline", "--help"],
    ]
  )
  func `Help has examples, fits into 80 columns and is no error`(arguments: [String]) {
    let context = CommandContext.captured(by: trial)
    #expect(Program.run(arguments, in: context) == 0)
    #expect(trial.output.text.contains("Examples:\n  yapbench "))
    #expect(trial.output.lines.filter { !$0.hasPrefix("USAGE") && $0.count > 80 } == [])
    // An example in two lines can be copied only with a backslash.
    let examples = zip(trial.output.lines, trial.output.lines.dropFirst()).filter { $0.0.hasPrefix("  yapbench ") }
    #expect(examples.allSatisfy { $0.0.hasSuffix("\\") || $0.1.isEmpty || $0.1.hasPrefix("  yapbench ") })
    #expect(trial.errors.text.isEmpty)
  }

  @Test(
    arguments: [
      ["--wrong"], ["nonsense"], ["run", "--sed", "4", "a.yaml"], ["run", "--seed", "many", "a.yaml"],
      ["run", "--set", "seed", "a.yaml"], ["run", "--set", "=4", "a.yaml"], ["check"], ["list", "a", "b"],
      ["new"], ["new", "a", "--template", "nothing"], ["explain"], ["ycsb"], ["ycsb", "-p", "a", "f"],
    ]
  )
  func `Wrong usage exits 64 and shows the right one`(arguments: [String]) {
    #expect(Program.run(arguments, in: .captured(by: trial)) == 64)
    #expect(trial.errors.text.contains("Error: "))
    #expect(trial.errors.text.contains("Usage: yapbench"))
    #expect(trial.output.text.isEmpty)
  }

  @Test(
    arguments: [
      (["comapre", "HEAD", "."], "compare"), (["stress", "carsh"], "crash"), (["--sed", "run"], nil), (["xyz"], nil),
      (["run", "--sed", "chekc"], nil), (["chld"], nil),
    ] as [([String], String?)]
  )
  func `A mistyped subcommand is answered with the nearest one`(arguments: [String], nearest: String?) {
    #expect(Program.run(arguments, in: .captured(by: trial)) == 64)
    #expect(trial.errors.lines.last { $0.hasPrefix("Did") } == nearest.map { "Did you mean \"\($0)\"?" })
  }
}
