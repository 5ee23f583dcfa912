import Foundation
import Testing

@testable import BenchReports
@testable import BenchResults

struct RepeatCommandTests {
  private func text(
    _ reports: String,
    data: String? = nil,
    options: [String] = [],
    in current: String = "/srv",
    program: String = "/opt/yapbench",
    isSmoke: Bool = false
  ) -> String {
    var result = StalledReaderRun.result
    result.isSmoke = isSmoke
    let command = RepeatCommand(
      program: program,
      reportFolder: reports,
      dataFolder: data,
      options: options,
      currentFolder: current
    )
    return command.text(for: ScenarioResult(result), in: reports + "/a-run")
  }

  @Test(arguments: ["Reports", "./Reports", "Reports/", "/srv/Reports", "../srv/Reports"])
  func `All paths are absolute`(reports: String) {
    #expect(
      text(reports)
        == "/opt/yapbench run --seed 42 --out /srv/Reports /srv/Reports/a-run/scenario.yaml"
    )
  }

  @Test func `The options of the run are repeated, because they change the figures or the files`() {
    #expect(
      text("out", data: "-data", options: ["--keep-database", "--retry-invalid", "3"], isSmoke: true)
        == "/opt/yapbench run --smoke --seed 42 --keep-database --retry-invalid 3 --out /srv/out "
        + "--data-dir /srv/-data /srv/out/a-run/scenario.yaml"
    )
  }

  @Test func `A path that a shell would split is quoted`() {
    #expect(
      text("/mnt/it's $HOME\n", program: "/my tools/yapbench")
        == #"'/my tools/yapbench' run --seed 42 --out '/mnt/it'\''s $HOME ' '/mnt/it'\''s $HOME /a-run/scenario.yaml'"#
    )
  }

  @Test func `A shard is repeated alone, with all of its scenarios`() {
    var result = ScenarioResult(StalledReaderRun.result)
    result.shard = .madeUp(2, of: 4)
    let command = RepeatCommand(program: "yap", reportFolder: "out", dataFolder: nil, currentFolder: "/srv")
    #expect(
      command.text(for: result, in: "out/a-run")
        == "yap run --strict --data-dir /ssd --shard 2/4 --out /srv/out /a/null.yaml /srv/out/a-run/scenario.yaml"
    )
  }

  @Test func `The program is the running one`() throws {
    let command = RepeatCommand(reportFolder: "/out").text(for: StalledReaderRun.scenario, in: "/out/a-run")
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    #expect(command.hasPrefix(ShellWord.quoted(own) + " run --seed 42 --out /out "))
  }
}
