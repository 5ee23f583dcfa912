import BenchScenario
import Foundation
import TestSupport
import Testing

@testable import YapBenchCommand

struct ExportCommandTests {
  private let trial = Trial()
  private let folder: TemporaryFolder
  /// The folder of a made-up run.
  private let run: String

  init() throws {
    let recorded = try RecordedRun(of: Project.null)
    folder = recorded.folder
    run = recorded.path
  }

  @Test func `One file goes to standard output, from a run's folder or its record`() throws {
    #expect(trial.run("export", run, "--format", "junit") == 0)
    #expect(trial.output.text.hasPrefix("<?xml"))
    #expect(trial.output.text.hasSuffix("</testsuites>\n"))
    let other = Trial()
    #expect(other.run("export", run + "/run.json", "--format", "junit") == 0)
    #expect(other.output.text == trial.output.text)
    #expect(trial.errors.text.isEmpty)
  }

  @Test func `An existing file is overwritten only with --force`() throws {
    let file = try folder.write("mine", to: "metrics.txt")
    #expect(trial.run("export", run, "--format", "openmetrics", "--out", file) == 73)
    #expect(trial.errors.text.contains("the file exists and is not overwritten. Choose another name"))
    try #expect(String(contentsOfFile: file, encoding: .utf8) == "mine")
    #expect(trial.run("export", run, "--format", "openmetrics", "--out", file, "--force") == 0)
    try #expect(String(contentsOfFile: file, encoding: .utf8).hasSuffix("# EOF\n"))
    #expect(trial.output.lines == ["\(file): written"])
  }

  @Test func `Several files need a folder`() {
    for format in ["hgrm", "github-action-benchmark"] {
      #expect(trial.run("export", run, "--format", format) == 64)
    }
    #expect(trial.errors.lines.allSatisfy { $0.hasSuffix("has several files: specify a folder with --out") })
    #expect(trial.run("export", run, "--format", "hgrm", "--out", folder.path + "/new") == 0)
    #expect(trial.output.lines == ["\(folder.path)/new: written (0 files)"])
  }

  @Test func `Unreadable input is reported with its exit code`() throws {
    #expect(trial.run("export", folder.path + "/none", "--format", "junit") == 66)
    #expect(trial.run("export", folder.path, "--format", "junit") == 66)
    let old = try folder.write("{\"schemaVersion\": 1}", to: "old.json")
    #expect(trial.run("export", old, "--format", "junit") == 65)
    let noRun = try folder.write("[]", to: "list.json")
    #expect(trial.run("export", noRun, "--format", "junit") == 65)
    let lines = trial.errors.lines
    #expect(lines[0] == "error: \(folder.path)/none: there is no such file; name a run's folder, or its run.json")
    #expect(lines[2].hasPrefix("error: \(old): it has schema version 1, and this program reads only version 10: "))
    #expect(lines[3].hasPrefix("error: \(noRun): it is not the result of a run"))
    #expect(trial.output.text.isEmpty)
  }

  @Test(arguments: ["google-benchmark", "bencher", "benchstat"])
  func `A run without figures has nothing to export`(format: String) {
    #expect(trial.run("export", run, "--format", format) == 65)
    #expect(trial.errors.text.contains("there are no figures to export"))
  }

  @Test func `An unknown format is wrong usage, and the help lists all formats`() {
    #expect(trial.run("export", run, "--format", "excel") == 64)
    #expect(trial.errors.text.contains("junit"))
    #expect(trial.run("export", "--help") == 0)
    for word in ["google-benchmark", "hgrm", "--force", "benchstat old.txt new.txt"] {
      #expect(trial.output.text.contains(word))
    }
  }
}
