import Foundation
import TestSupport
import Testing

@testable import YapBenchCommand

struct BaselineCommandTests {
  private let folder: TemporaryFolder
  private let run: String
  private let trial = Trial()
  private var out: String { URL(fileURLWithPath: run).deletingLastPathComponent().path }

  init() throws {
    let recorded = try RecordedRun()
    folder = recorded.folder
    run = recorded.path
  }

  @Test func `A smoke run is no baseline, and the reason is stated`() {
    #expect(trial.run("baseline", "save", "before", run, "--out", out) != 0)
    #expect(trial.errors.text.contains("has no figures to compare with"))
    #expect(trial.run("baseline", "list", "--out", out) == 0)
    #expect(trial.output.lines == ["\(out) has no baselines"])
  }

  @Test func `A baseline that does not exist is refused before anything runs`() {
    for command in [
      ["baseline", "remove", "before", "--out", out], ["run", "--smoke", "--baseline", "before", "--out", out],
    ] {
      #expect(Program.run(command, in: .captured(by: trial)) == 66)
      #expect(trial.errors.lines.last?.contains("there is no baseline \"before\"; \(out) has no baselines") == true)
    }
  }

  @Test func `A name that is no name of a folder is a usage error`() {
    #expect(trial.run("baseline", "save", "../x", run) == 64)
    #expect(trial.errors.text.contains("expected letters, digits"))
  }
}
