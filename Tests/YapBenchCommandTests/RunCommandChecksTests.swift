import BenchResults
import BenchScenario
import Foundation
import TestSupport
import Testing

@testable import YapBenchCommand

/// The checks of `run` before anything runs.
struct RunCommandChecksTests {
  private let folder: TemporaryFolder
  private let made = MadeUpRunner()
  private var trial = Trial()

  init() throws {
    folder = try TemporaryFolder()
    trial.runner = made.runner
  }

  @Test func `Ten mistakes give ten located errors, and nothing runs or is created`() throws {
    let file = try folder.write(Mistakes.text, to: "many.yaml")
    #expect(trial.run("run", Project.null, file, "--out", folder.path + "/out") == 65)
    let lines = trial.errors.lines
    #expect(lines.count == 10)
    for (line, location) in zip(lines, Mistakes.locations) { #expect(line.hasPrefix("\(file):\(location): error: ")) }
    #expect(trial.output.text.isEmpty)
    #expect(made.runs.isEmpty)
    try #expect(folder.names() == ["many.yaml"])
  }

  @Test func `Every file of a folder is checked before one runs`() throws {
    _ = try folder.write(String(contentsOfFile: Project.null, encoding: .utf8), to: "all/a/null.yaml")
    let broken = try folder.write("format: 2\n", to: "all/b/broken.yaml")
    #expect(trial.run("run", folder.path + "/all", "--out", folder.path + "/out") == 65)
    #expect(trial.errors.lines.allSatisfy { $0.hasPrefix("\(broken):") })
    #expect(made.runs.isEmpty)
    try #expect(folder.names() == ["all"])
  }

  @Test func `A missing file exits 66, and the problems of the others are reported too`() throws {
    let file = try folder.write(Mistakes.text, to: "many.yaml")
    let missing = folder.path + "/none.yaml"
    #expect(trial.run("run", missing, file, "--out", folder.path + "/out") == 66)
    #expect(trial.errors.lines.first == "\(missing):1:1: error: there is no such file")
    #expect(trial.errors.lines.count == 11)
    try #expect(folder.names() == ["many.yaml"])
  }

  @Test(
    arguments: [
      (["--driver", "yap,mysql"], "expected some of yap, sqlite, grdb, lmdb, rocksdb, null, with commas between them"),
      (["--driver", "yap", "--driver", "sqlite,yap"], "the driver yap is listed twice"),
    ]
  )
  func `Unknown drivers and drivers that are listed twice are wrong usage`(_ arguments: [String], problem: String) {
    #expect(trial.run(["run", Project.stalledReader] + arguments) == 64)
    #expect(trial.errors.text.contains("--driver: " + problem))
    #expect(made.runs.isEmpty)
  }

  @Test(arguments: [["--suite", "none"], ["--suite"]])
  func `An unknown suite, and a suite without a name, list the suites`(_ arguments: [String]) {
    #expect(trial.run(["run"] + arguments) == 64)
    let text = trial.errors.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for suite in ScenarioSuite.allCases { #expect(text.contains("\(suite.rawValue) (\(suite.meaning))")) }
    #expect(made.runs.isEmpty)
  }

  @Test func `A driver without the same durability keeps all drivers from running`() throws {
    let arguments = ["--driver", "yap,lmdb", "--out", folder.path + "/out", Project.stalledReader]
    #expect(trial.run(["run"] + arguments) == 65)
    #expect(trial.errors.text.contains("the driver \"lmdb\" has no \"normal\""))
    #expect(trial.errors.text.contains("such as with --set engine.synchronous=full"))
    #expect(made.runs.isEmpty)
    try #expect(folder.names() == [])
  }

  @Test func `An override with an invalid path is a located error`() {
    #expect(trial.run("run", Project.stalledReader, "--set", "seed=1", "--set", "phases.stal.for=5s") == 65)
    #expect(
      trial.errors.lines == [
        #"--set:2:8: error: invalid path "phases.stal.for": there is no "stal"; did you mean "stall"?"#
      ]
    )
  }

  @Test(
    arguments: [
      ("--out", "taken", "this is a file; expected a folder. Name a folder, or move the file away."),
      // Below a file: this stops even root.
      ("--out", "taken/below", "could not be created ("),
      ("--data-dir", "taken", "this is a file; expected a folder. Name a folder, or move the file away."),
      ("--data-dir", "taken/below", "there is no such folder. Create it, or name an existing folder."),
      ("--data-dir", "missing", "there is no such folder. Create it, or name an existing folder."),
    ]
  )
  func `An unusable folder exits 73 before anything runs or is created`(
    option: String,
    name: String,
    problem: String
  ) throws {
    let file = try folder.write("mine", to: "taken")
    let output = option == "--out" ? [] : ["--out", folder.path + "/out"]
    let wrong = "\(folder.path)/\(name)"
    #expect(Program.run(["run", Project.null, option, wrong] + output, in: .captured(by: trial)) == 73)
    #expect(trial.errors.text.hasPrefix("error: \(wrong): \(problem)"))
    #expect(trial.errors.lines.count == 1)
    #expect(made.runs.isEmpty)
    try #expect(folder.names() == ["taken"])
    try #expect(String(contentsOfFile: file, encoding: .utf8) == "mine")
  }

  @Test(arguments: [[], ["--smoke"]])
  func `A build with test points runs nothing, and names the right build command`(options: [String]) throws {
    var trial = trial
    trial.build = Trial.testPoints
    let arguments = ["run", Project.null, "--out", folder.path + "/out"] + options
    #expect(Program.run(arguments, in: .captured(by: trial)) == 64)
    #expect(trial.errors.text.hasPrefix("error: this build has test points"))
    #expect(trial.errors.text.contains("swift build -c release"))
    #expect(made.runs.isEmpty)
    try #expect(folder.names() == [])
  }

  @Test func `A debug build accepts only --smoke`() throws {
    var trial = trial
    trial.build = Trial.debug
    #expect(trial.run("run", Project.null, "--out", folder.path + "/out") == 64)
    #expect(trial.errors.text.contains("swift build -c release"))
    try #expect(folder.names() == [])
    #expect(trial.run("run", Project.null, "--out", folder.path + "/out", "--smoke") == 0)
    #expect(made.runs.count == 1)
  }

  @Test func `A problem of the file is reported before one of the build`() throws {
    var trial = trial
    trial.build = Trial.testPoints
    #expect(trial.run("run", try folder.write(Mistakes.text, to: "many.yaml")) == 65)
  }
}
