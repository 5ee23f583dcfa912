import BenchResults
import BenchScenario
import Foundation
import TestSupport
import Testing

@testable import YapBenchCommand

struct ReportCommandTests {
  private let folder: TemporaryFolder
  private let run: String
  private let trial = Trial()

  init() throws {
    let recorded = try RecordedRun()
    folder = recorded.folder
    run = recorded.path
  }

  @Test(arguments: ["", "/run.json"])
  func `The reports are written again, into a folder of their own`(suffix: String) throws {
    #expect(trial.run("report", run + suffix) == 0)
    #expect(trial.output.lines == ["report: \(run)/redrawn/report.html"])
    let names = Set(try folder.names(in: "out/\(URL(fileURLWithPath: run).lastPathComponent)/redrawn"))
    #expect(names.isSuperset(of: ["report.html", "report.md"]))
    #expect(trial.run("report", run + suffix) == ExitStatus.cannotCreateOutput.rawValue)
    #expect(trial.errors.text.contains("Name another folder with --out, or replace the files with --force."))
    #expect(trial.run("report", run + suffix, "--force") == 0)
  }

  @Test func `A record that is not a regular file is refused immediately`() throws {
    let pipe = folder.path + "/run.json"
    #expect(mkfifo(pipe, 0o600) == 0)
    for command in [["report", pipe], ["report", folder.path], ["export", pipe, "--format", "junit"]] {
      #expect(Program.run(command, in: .captured(by: trial)) == 66)
    }
    let what = "this is a named pipe; expected a regular file; name a run's folder, or its run.json"
    #expect(trial.errors.lines == [String](repeating: "error: \(pipe): \(what)", count: 3))
    #expect(unlink(pipe) == 0)
    try FileManager.default.createDirectory(atPath: pipe, withIntermediateDirectories: false)
    #expect(trial.run("report", folder.path) == 66)
    #expect(trial.errors.lines.last?.hasPrefix("error: \(pipe): this is a folder; expected a regular file") == true)
    #expect(trial.run("report", "/dev/zero") == 66)
  }

  @Test func `A run without a record, and an invalid record, are reported`() throws {
    #expect(trial.run("report", folder.path + "/none") == ExitStatus.missingInput.rawValue)
    let broken = try folder.write("{}", to: "run.json")
    #expect(trial.run("report", broken) == ExitStatus.invalidScenario.rawValue)
    #expect(trial.errors.lines.count == 2)
    try #expect(folder.names() == ["out", "run.json"])
  }
}
