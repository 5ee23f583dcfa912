import Foundation
import TestSupport
import Testing

@testable import BenchReports
@testable import BenchResults

struct RepeatCommandTests {
  private let folder: TemporaryFolder
  private let project: String

  init() throws {
    folder = try TemporaryFolder()
    project = folder.path + "/project"
    try FileManager.default.createDirectory(atPath: project + "/Reports", withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: project + "/run-bench.sh"))
  }

  private func text(_ reports: String, data: String? = nil, in current: String, isSmoke: Bool = false) -> String {
    var result = StalledReaderRun.result
    result.isSmoke = isSmoke
    let command = RepeatCommand(reportFolder: reports, dataFolder: data, currentFolder: current)
    return command.text(for: ScenarioResult(result), in: reports + "/a-run")
  }

  @Test(arguments: ["Reports", "./Reports", "Reports/"])
  func `In the project a run is named by its relative path`(reports: String) {
    #expect(text(reports, in: project) == "./run-bench.sh --seed 42 Reports/a-run/scenario.yaml")
  }

  @Test func `From another folder the project is found by its reports`() {
    #expect(text(project + "/Reports", in: "/") == "./run-bench.sh --seed 42 Reports/a-run/scenario.yaml")
  }

  @Test func `The options for smoke runs and disks are repeated, because they change the figures`() {
    #expect(
      text("out", data: "-data", in: project, isSmoke: true)
        == "./run-bench.sh --smoke --seed 42 --out out --data-dir ./-data out/a-run/scenario.yaml"
    )
    #expect(
      text("/mnt/out", data: project, in: project)
        == "./run-bench.sh --seed 42 --out /mnt/out --data-dir . /mnt/out/a-run/scenario.yaml"
    )
  }

  @Test func `Without a project every path is absolute`() {
    #expect(text("out", in: "/mnt") == "./run-bench.sh --seed 42 --out /mnt/out /mnt/out/a-run/scenario.yaml")
  }

  @Test func `A path that a shell would split is quoted`() {
    #expect(
      text("/mnt/it's $HOME\n", in: "/")
        == #"./run-bench.sh --seed 42 --out '/mnt/it'\''s $HOME ' '/mnt/it'\''s $HOME /a-run/scenario.yaml'"#
    )
  }
}
