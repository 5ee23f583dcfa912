import BenchDrivers
import BenchScenario
import Foundation
import TestSupport
import Testing

@testable import BenchComparison
@testable import EngineBenchmarks
@testable import YapBenchCommand

/// Errors and stored runs; comparisons that run processes are tested in BenchComparisonTests.
@Suite("compare, calibrate and bisect") struct CompareCommandTests {
  private let trial = Trial()
  private let scenario = Project.path + "/Scenarios/compare/cached-read.yaml"

  private func refusal(_ arguments: String...) -> (code: Int32, text: String) {
    let code = Program.run(arguments, in: .captured(by: trial))
    return (code, trial.errors.lines.last ?? "")
  }

  @Test func `a missing side is missing input`() {
    let (code, text) = refusal("compare", "./no-such-program", ".")
    #expect(code == 66)
    #expect(text == "error: ./no-such-program: there is no such file or folder")
  }

  @Test func `options are checked before anything runs`() {
    func compare(_ options: String...) -> (code: Int32, text: String) {
      let code = Program.run(["compare", ".", ".", "--scenario"] + options, in: .captured(by: trial))
      return (code, trial.errors.lines.last ?? "")
    }
    #expect(compare(scenario, "--pairs", "5").code == 64)
    #expect(compare(scenario, "--budget", "soon").text.contains("--budget: expected a duration"))
    #expect(compare(scenario, "--until-interval", "3").text.contains("a share ends in %"))
    #expect(compare(scenario, "--tag", "none").text.contains("no scenario has the tag none"))
    #expect(compare(scenario, scenario).text.contains("have one name"))
    #expect(compare("/none.yaml").code == 66)
    #expect(refusal("calibrate", "--scenario", scenario, "--pairs", "5").code == 64)
  }

  @Test func `scenarios whose instructions cannot be counted are refused with --instructions`() {
    let scenario = Project.path + "/Scenarios/trouble/start-after-a-crash.yaml"
    let (code, text) = refusal("compare", ".", ".", "--scenario", scenario, "--instructions")
    #expect(code == 64)
    #expect(text.contains("--instructions: none of the scenarios can be counted; it needs one variant"))
  }

  @Test func `--quick and --pairs exclude each other`() {
    let (code, text) = refusal("compare", ".", ".", "--scenario", scenario, "--quick", "--pairs", "20")
    #expect(code == 64)
    #expect(text.contains("--quick sets the number of pairs, as --pairs does; leave one out"))
  }

  @Test func `a side that is no yapbench is wrong input, and is not run`() throws {
    let folder = try TemporaryFolder()
    let script = try folder.write("#!/bin/sh\ntouch \(folder.path)/was-run\n", to: "script", isExecutable: true)
    let first = refusal("compare", script, ".", "--scenario", scenario)
    #expect(first.code == 66)
    #expect(first.text.hasSuffix("/script: this is no ELF file, such as a script; name an executable of yapbench"))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/was-run"))
    let second = refusal("compare", ".", "/bin/true", "--scenario", scenario)
    #expect(second.code == 66)
    #expect(second.text == "error: /bin/true: this is another program; name an executable of yapbench")
  }

  @Test func `a wrong setting of a side is an invalid scenario, found before the other side is built`() throws {
    let folder = try TemporaryFolder()
    let script = """
      cd "$folder" && "$program" compare . . --scenario "$scenario" --pairs 6 --out out --head-set engine.foo=1
      """
    let end = try RunningProgram().run(script, ["folder": folder.path, "scenario": scenario])
    #expect(end.code == 65, "\(end.errors)")
    #expect(
      end.errors.contains("error: the head, ., cannot run the scenarios: --set:1:8: error: unknown key \"foo\""),
      "\(end.errors)"
    )
  }

  /// A renamed function would be counted as 0 instructions.
  @Test func `the program contains all functions whose instructions are counted`() throws {
    let program = try Data(contentsOf: URL(fileURLWithPath: EngineProcess.Program.this.path))
    let counted = CountedCode.symbols.map { String($0.prefix { $0 != "*" }) }
    for symbol in InstructionCount.requiredSymbols + counted {
      #expect(program.range(of: Data(symbol.utf8)) != nil, "\(symbol)")
    }
  }

  /// Commands in a repository of two commits.
  @Test(arguments: [
    ("compare . HEAD~1", "/.cache/yapbench/builds", "XDG_CACHE_HOME"),
    ("bisect HEAD~1 HEAD", "/.cache/yapbench/builds", "XDG_CACHE_HOME"),
    ("calibrate", "/.local/state/yapbench/calibration.jsonl", "XDG_STATE_HOME"),
  ])
  func `a home folder that cannot be used is found before the runs`(
    command: String,
    path: String,
    variable: String
  ) throws {
    let folder = try TemporaryFolder()
    let script = """
      cd "$folder" && git init -q . && for message in one two
      do git -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m $message || exit 99; done
      "$program" \(command) --scenario "$scenario" --pairs 6 --out out
      """
    let end = try RunningProgram().run(
      script,
      ["folder": folder.path, "scenario": scenario, "HOME": "/proc/none"]
    )
    #expect(end.code == 73, "\(end.errors)")
    #expect(end.errors.contains("error: /proc/none\(path): "), "\(end.errors)")
    #expect(end.errors.contains("set \(variable) to a folder that can be written"), "\(end.errors)")
  }

  @Test func `a stored run cannot be compared with a program`() throws {
    let recorded = try RecordedRun()
    let (code, text) = refusal("compare", recorded.path, ".")
    #expect(code == 64)
    #expect(text.contains("a stored run can be compared with another stored run only"))
  }

  @Test func `stored runs that are not comparable are refused, and shown with --anyway`() throws {
    let (base, head) = try (RecordedRun(), RecordedRun(of: scenario))
    #expect(trial.run("compare", base.path, head.path) == 3)
    #expect(trial.errors.text.contains("different scenarios: stalled-reader and cached-read"))
    #expect(trial.errors.lines.last?.contains("--anyway") == true)
    #expect(trial.output.lines == [])
    #expect(trial.run("compare", base.path, head.path, "--anyway") == 0)
    #expect(trial.output.text.contains("No verdict"))
    #expect(trial.run("compare", base.path, base.path) == 0)
  }

  @Test func `options of runs are refused for stored runs`() throws {
    let recorded = try RecordedRun()
    let (code, text) = refusal("compare", recorded.path, recorded.path, "--out", "o", "--format", "md")
    #expect(code == 64)
    #expect(text.contains("--out, --format: not applicable to two stored runs"))
  }

  // MARK: bisect

  @Test func `a range that cannot be searched is refused`() {
    #expect(refusal("bisect", "no-such-branch", "HEAD", "--scenario", scenario).code == 66)
    #expect(refusal("bisect", "HEAD", "HEAD", "--scenario", scenario, "--pairs", "1").code == 64)
    let (code, text) = refusal("bisect", "HEAD", "HEAD", "--scenario", scenario)
    #expect(code == 64 && text.contains("HEAD and HEAD are the same commit"))
    #expect(refusal("bisect", "a", "b", "--scenario", "/none.yaml").code == 66)
  }
}
